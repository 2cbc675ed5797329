import type { ReadModelsLog } from '../read-models.types.js';

export type LogLine = [event: string, fields: Readonly<Record<string, unknown>>];

/** Records the log lines of all levels. */
export function recordingLog(logged: LogLine[]): ReadModelsLog {
  const keep = (...one: LogLine): void => void logged.push(one);
  return { info: keep, warn: keep, failed: keep };
}
