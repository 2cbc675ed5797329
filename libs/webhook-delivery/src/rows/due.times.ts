import type { NewDelivery } from '../delivery.types.js';

/** An endpoint that gets events of a page: what changes for it, to be written once for the whole page. */
export interface CountedEndpoint {
  hookSequence: number;
  /** Of all its deliveries so far, ms by the service clock; 0 before the first. */
  lastDueAt: number;
  /** Of those of the page. */
  firstDueAt: number | null;
}

/**
 * Counts a delivery of an event that happened at `at`. Returns when it is due: in the order of the numbers, also if the times
 * of two streams are not. Null: it is not sent.
 */
export function countDelivery(
  counted: CountedEndpoint,
  { hookSequence, status }: Pick<NewDelivery, 'hookSequence' | 'status'>,
  at: number,
): number | null {
  counted.hookSequence = hookSequence;
  if (status === 'Exhausted') return null;
  const dueAt = Math.max(at, counted.lastDueAt);
  counted.lastDueAt = dueAt;
  counted.firstDueAt ??= dueAt;
  return dueAt;
}

/** `enabledAt` as the tables have it: ms since 1970, 0 if the endpoint was never enabled. */
export function enabledEpoch(enabledAt: string | undefined): number {
  return enabledAt === undefined ? 0 : Date.parse(enabledAt);
}
