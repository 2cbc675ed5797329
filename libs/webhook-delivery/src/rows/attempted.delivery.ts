import type { AttemptResult } from '../delivery.types.js';
import { StatusNumber } from './delivery.statuses.js';

/** A delivery whose attempt has ended, before the result is written. */
export interface AttemptedDelivery {
  /** The number of the status that a replay found. Null: the attempt belongs to the schedule. */
  readonly replayOf: number | null;
  /** When a replay was asked for during the attempt, in ms since 1970. */
  readonly replayedAt: number | null;
}

/** What an adapter writes into the delivery's row. */
export interface DeliveryAfterAttempt {
  readonly status: number;
  readonly dueAt: number | null;
  readonly replayOf: number | null;
  /** What the attempt adds to those of the schedule. */
  readonly counted: 0 | 1;
}

/**
 * The attempt may have reached the endpoint before the replay was asked for, so it does not replace the replay: the delivery is
 * due again.
 */
export function afterAttempt(
  { replayOf, replayedAt }: AttemptedDelivery,
  outcome: AttemptResult['outcome'],
): DeliveryAfterAttempt {
  const counted = replayOf === null ? 1 : 0;
  // A failed replay of a delivered event leaves the delivery `Succeeded`.
  const status = StatusNumber[outcome.kind];
  const isFailed = outcome.kind === 'Failed';
  if (replayedAt === null)
    return { status, dueAt: isFailed ? outcome.nextTryAt : null, replayOf: null, counted };
  return {
    ...{ status: StatusNumber.Pending, dueAt: replayedAt, counted },
    replayOf: isFailed ? null : status,
  };
}
