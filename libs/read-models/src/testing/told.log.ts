import type { ReadModelsLog } from '../read-models.types.js';

export type Told = [event: string, fields: Readonly<Record<string, unknown>>];

/** Keeps what was logged, whatever its level. */
export function logTo(told: Told[]): ReadModelsLog {
  const keep = (...one: Told): void => void told.push(one);
  return { info: keep, warn: keep, failed: keep };
}
