import type { RebuildProgress } from './rebuild.types.js';

/** How far a rebuild is, and how long it takes at the pace it had. */
export interface RebuildPace {
  /** Of the expected events, rounded down, at most 100. Absent if it is not known how many are expected. */
  readonly percent?: number;
  readonly eventsPerSecond: number;
  /** Until the last expected event is handled. Absent if that is not known, or nothing was handled yet. */
  readonly leftMs?: number;
}

/** @param elapsedMs since the rebuild started, real time */
export function rebuildPace(
  { events, expectedEvents }: Pick<RebuildProgress, 'events' | 'expectedEvents'>,
  elapsedMs: number,
): RebuildPace {
  const perMs = elapsedMs > 0 ? events / elapsedMs : 0;
  const eventsPerSecond = Math.round(perMs * 1000);
  if (expectedEvents === undefined || expectedEvents === 0) return { eventsPerSecond };
  const percent = Math.min(100, Math.floor((events / expectedEvents) * 100));
  const left = Math.max(0, expectedEvents - events);
  return { percent, eventsPerSecond, ...(perMs > 0 && { leftMs: Math.round(left / perMs) }) };
}
