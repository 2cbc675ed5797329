import { setTimeout } from 'node:timers/promises';
import { UnknownEvent, type OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import type { OperationResult, RequestContext } from './request.types.js';
import { IdempotencyKeyTaken } from '../idempotency/key-reservation.js';
import type { Ports, Parts } from '../parts.js';

/* Turns failures of the stores during a request into results (docs/adr/0021). */

/**
 * Once a request is stored, a failure of the stores gives `Interrupted`: its outcome is unknown. So does an event in the
 * stream that this version of the service does not know.
 */
export async function handleFailureAfterStored<Result>(
  { log }: Pick<Ports, 'log'>,
  operationId: OperationId,
  run: () => Promise<Result>,
): Promise<Result | { readonly kind: 'Interrupted'; readonly operationId: OperationId }> {
  try {
    return await run();
  } catch (error) {
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    log.error('request-interrupted', { operationId, reason });
    return { kind: 'Interrupted', operationId };
  }
}

/**
 * Handles failures of the stores before the request was appended. Returns `NotStored` only if it is certain that this request
 * was not stored, no earlier run under its key was stored, and no other request had its reference. If a client may have sent
 * copies of the request, checks the reference again when no copy can run any more. The caller checks the idempotency key.
 */
export async function handleFailureBeforeStored<Result>(
  parts: Pick<Ports, 'log' | 'clock' | 'timings'>,
  { idempotency }: RequestContext,
  { referenceId, mayBeClaimed }: ReferenceUse,
  run: () => Promise<Result>,
): Promise<Result | NotStoredResult> {
  const startedAt = parts.clock.monotonicNow();
  try {
    return await run();
  } catch (error) {
    if (error instanceof IdempotencyKeyTaken) return { kind: 'KeyTaken' };
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    parts.log.error('request-not-written', { reason });
    const hasNoResult = error instanceof EventStoreError && error.code === 'Unknown';
    const isRepeat = async (): Promise<boolean> =>
      referenceId !== undefined && (await mayBeClaimed(referenceId));
    let isUncertain = hasNoResult || idempotency?.earlierReservation !== undefined || (await isRepeat());
    if (!isUncertain && (idempotency || referenceId !== undefined)) {
      await waitForConcurrentCopies(parts, startedAt);
      isUncertain = await isRepeat();
    }
    if (!isUncertain) return { kind: 'NotStored' };
    // Only an earlier run under the key may have an operation.
    const operationId = idempotency?.earlierReservation?.operationId;
    return { kind: 'Uncertain', ...(operationId !== undefined && { operationId }) };
  }
}

/**
 * Waits for copies of a request that run at the same time, on any instance: a client without a response repeats its request.
 * A copy that started before `startedBefore` (monotonic, ms) is sent within `sendWithin` of its start or never. So after the
 * wait it is stored, or no money moves for it.
 */
export async function waitForConcurrentCopies(
  { clock, timings }: Pick<Ports, 'clock' | 'timings'>,
  startedBefore: number,
): Promise<void> {
  await setTimeout(Math.max(0, startedBefore + timings.sendWithin - clock.monotonicNow()));
}

type NotStoredResult = Extract<OperationResult, { kind: 'KeyTaken' | 'NotStored' | 'Uncertain' }>;

/** The client's reference id of a request, if it has one. */
interface ReferenceUse {
  readonly referenceId: string | undefined;
  /** True: an earlier request may have this reference. Called only after a failure. */
  mayBeClaimed(referenceId: string): Promise<boolean>;
}

/** Payment requests claim their reference before they are stored. */
export function claimedReference(
  { references }: Pick<Parts, 'references'>,
  { merchant }: RequestContext,
  referenceId: string | undefined,
): ReferenceUse {
  return { referenceId, mayBeClaimed: (id) => references.mayBeClaimed(merchant.id, id) };
}

/** Requests on stored cards claim no reference, so an earlier request may have any reference. */
export function unclaimedReference(referenceId?: string): ReferenceUse {
  return { referenceId, mayBeClaimed: () => Promise.resolve(true) };
}

/** The reason for the log if a store failed or has an unknown event. Undefined: the error is a defect of the program. */
function failureReason(error: unknown): string | undefined {
  if (error instanceof EventStoreError || error instanceof VaultError) return error.code;
  return error instanceof UnknownEvent ? error.message : undefined;
}
