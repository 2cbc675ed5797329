import type { ClaimedDelivery, DeliveryAttempt, StoredDelivery } from '../delivery.types.js';
import { StatusNumber, statusOf } from './delivery.statuses.js';

/* Rows as the adapters read them. SQLite has no booleans. */

export interface DeliveryRow {
  readonly number: number;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly hookId: string;
  readonly createdAt: number;
  readonly status: number;
  readonly dueAt: number | null;
  /** It waits for a step of `purge` to be marked as `Exhausted`. */
  readonly isStopped: boolean | 0 | 1;
}

export interface AttemptRow {
  readonly at: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly answer: Uint8Array | null;
  readonly error: string | null;
}

/** A due delivery, with its body if that is still there. */
export interface DueRow {
  readonly number: number;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly hookId: string;
  readonly type: string;
  readonly hookSequence: number | null;
  readonly attempts: number;
  readonly replayOf: number | null;
  readonly body: Uint8Array | null;
}

/** A delivery of a range that a replay looks at. */
export interface ReplayRow {
  readonly status: number;
  readonly hookSequence: number | null;
  /** It is due, and its endpoint was enabled anew since. */
  readonly isOutdated: boolean | 0 | 1;
  readonly hasBody: boolean | 0 | 1;
}

/** @param attempts oldest first */
export function toStoredDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): StoredDelivery {
  const { isStopped, dueAt, status, ...shown } = row;
  return {
    ...shown,
    status: isStopped ? 'Exhausted' : statusOf(status),
    ...(dueAt !== null && !isStopped && { nextTryAt: dueAt }),
    tries: attempts.map(toAttempt),
  };
}

function toAttempt({ at, durationMs, status, answer, error }: AttemptRow): DeliveryAttempt {
  return {
    at,
    durationMs,
    ...(status !== null && { status }),
    ...(answer && { answer }),
    ...(error !== null && { error }),
  };
}

/** Undefined if the body is gone. */
export function toClaimedDelivery(row: DueRow): ClaimedDelivery | undefined {
  const { number: _number, body, hookSequence, replayOf, ...claimed } = row;
  if (!body) return undefined;
  const replayed = replayOf === null ? undefined : statusOf(replayOf);
  return {
    ...claimed,
    body,
    ...(hookSequence !== null && { hookSequence }),
    ...((replayed === 'Succeeded' || replayed === 'Exhausted') && { replayOf: replayed }),
  };
}

/** Whether a replay of a range makes it due. @param isFailedOnly of those that are not delivered */
export function isReplayed(row: ReplayRow, isFailedOnly: boolean): boolean {
  return row.hookSequence !== null && Boolean(row.hasBody) && (!isFailedOnly || isUndelivered(row));
}

/** A delivery that was not tried yet is not missed: its first attempt is about to come. */
function isUndelivered({ status, isOutdated }: ReplayRow): boolean {
  return Boolean(isOutdated) || status === StatusNumber.Failed || status === StatusNumber.Exhausted;
}
