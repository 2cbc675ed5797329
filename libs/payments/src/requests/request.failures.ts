import { setTimeout } from 'node:timers/promises';
import { UnknownEvent, type OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import type { Clock } from '../ports/clock.port.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { References } from '../references/references.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { IdempotencyKeyTaken } from '../idempotency/key-reservation.js';
import type { Timings } from '../timings.js';

/* Failures of the stores while a request runs, as answers (docs/adr/0021). */

export interface FailureParts {
  readonly log: PaymentsLog;
  readonly clock: Clock;
  readonly timings: Timings;
}

/**
 * Once a request is stored, a failure of the stores says that its outcome is not known, and never that it was not stored.
 * The same where another program wrote an event into the stream that this version does not know.
 */
export async function handleFailureAfterStored<Result>(
  { log }: Pick<FailureParts, 'log'>,
  operationId: OperationId,
  answer: () => Promise<Result>,
): Promise<Result | { readonly kind: 'Interrupted'; readonly operationId: OperationId }> {
  try {
    return await answer();
  } catch (error) {
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    log.error('request-interrupted', { operationId, reason });
    return { kind: 'Interrupted', operationId };
  }
}

/**
 * Failures of the stores before the request was appended, as answers. `NotStored` only where it is certain: this request
 * was not stored, no earlier run under its key may have been, and no other request had its reference.
 * A request that can have copies looks for them once more when none is on its way; the look at its key is the caller's.
 */
export async function handleFailureBeforeStored<Result>(
  { log, clock, timings }: FailureParts,
  { idempotency }: RequestContext,
  { referenceId }: { readonly referenceId?: string },
  mayBeClaimed: ReferenceCheck,
  request: () => Promise<Result>,
): Promise<Result | NotStoredResult> {
  const since = clock.monotonicNow();
  try {
    return await request();
  } catch (error) {
    if (error instanceof IdempotencyKeyTaken) return { kind: 'KeyTaken' };
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    log.error('request-not-written', { reason });
    const hasNoResult = error instanceof EventStoreError && error.code === 'Unknown';
    const isRepeat = async (): Promise<boolean> =>
      referenceId !== undefined && (await mayBeClaimed(referenceId));
    let isUncertain = hasNoResult || idempotency?.earlierReservation !== undefined || (await isRepeat());
    if (!isUncertain && (idempotency || referenceId !== undefined)) {
      await waitForConcurrentCopies({ clock, timings }, since);
      isUncertain = await isRepeat();
    }
    if (!isUncertain) return { kind: 'NotStored' };
    // Of an earlier run under the key; the operation that this request would have begun is not to be found.
    const operationId = idempotency?.earlierReservation?.operationId;
    return { kind: 'Uncertain', ...(operationId !== undefined && { operationId }) };
  }
}

/**
 * A copy of a request may be on its way at the same time, here or on another instance: a client that heard nothing repeats.
 * What began before `examinedUntil` (monotonic, ms) is sent within `sendWithin` of its own beginning or never: after the wait it is
 * stored, or no money moves for it.
 */
export async function waitForConcurrentCopies(
  { clock, timings }: Pick<FailureParts, 'clock' | 'timings'>,
  since: number,
): Promise<void> {
  await setTimeout(Math.max(0, since + timings.sendWithin - clock.monotonicNow()));
}

type NotStoredResult = Extract<OperationResult, { kind: 'KeyTaken' | 'NotStored' | 'Uncertain' }>;

/** Whether an earlier request may have had a reference; asked only after a failure. */
type ReferenceCheck = (referenceId: string) => Promise<boolean>;

/** Requests for payments claim their reference before they are written. */
export function referenceCheck(
  { references }: { readonly references: References },
  { merchant }: RequestContext,
): ReferenceCheck {
  return (referenceId) => references.mayBeClaimed(merchant.id, referenceId);
}

/** Requests on stored cards claim nothing: an earlier one may have had any reference. */
export const assumeReferenceUsed: ReferenceCheck = () => Promise.resolve(true);

/** For the log, where the stores failed or hold what this version can't read; undefined of a defect of the program. */
function failureReason(error: unknown): string | undefined {
  if (error instanceof EventStoreError || error instanceof VaultError) return error.code;
  return error instanceof UnknownEvent ? error.message : undefined;
}
