import type { ReadModelsLog } from '../read-models.types.js';

export type LogLine = [event: string, fields: Readonly<Record<string, unknown>>];

/** Keeps what was logged, whatever its level. */
export function recordingLog(told: LogLine[]): ReadModelsLog {
  const keep = (...one: LogLine): void => void told.push(one);
  return { info: keep, warn: keep, failed: keep };
}
