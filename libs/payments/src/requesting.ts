import {
  findOperation,
  isPending,
  type OperationId,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import type { Cause } from './event-metadata.js';
import type { PaymentsLog } from './log.port.js';
import type { IdempotencyStore } from './idempotency.port.js';
import type { LoadedPayment, PaymentJournal, Written } from './payment.journal.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { appendOf, IdempotencyKeyTaken } from './reservation.js';
import type { Departure, Sending } from './sending.js';

/* What every client's request does after it was decided. */

export interface RequestParts {
  readonly journal: PaymentJournal;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly sending: Sending;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
}

export function causeOf({ merchant, actor, traceId }: RequestContext, commandId: string): Cause {
  return { merchantId: merchant.id, actor, traceId, causationId: commandId };
}

/** Decides and appends, with the idempotency key where there is one. `Unwritten`: the store did not say whether. */
export async function writeRequest(
  { journal, idempotency, clock }: RequestParts,
  context: RequestContext,
  known: LoadedPayment,
  cause: Cause,
  decide: (state: PaymentState) => PaymentDecision,
): Promise<Written | { readonly kind: 'Unwritten'; readonly operationId: OperationId }> {
  let operationId: OperationId | undefined;
  const remembering = (state: PaymentState): PaymentDecision => {
    const decision = decide(state);
    if (decision.kind === 'Accepted') operationId = decision.value;
    return decision;
  };
  try {
    return await journal.write(known.stream, cause, remembering, {
      known,
      ...appendOf(idempotency, clock, context, known.stream),
    });
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'Unknown' && operationId) {
      return { kind: 'Unwritten', operationId };
    }
    throw error;
  }
}

/** A request that was written is sent, unless the service answered by itself or an earlier run begun it. */
export async function sendWritten(
  parts: RequestParts,
  { merchant }: RequestContext,
  written: Awaited<ReturnType<typeof writeRequest>>,
  cause: Cause,
  departure: Departure,
): Promise<OperationResult> {
  if (written.kind === 'Refused') return written;
  if (written.kind === 'Contended') return { kind: 'Contended' };
  if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
  const { payment, operationId, events } = written;
  const begunNow = events.some(({ type }) => type === 'TryRequested');
  if (!begunNow) return resultOf(payment, operationId);
  parts.crashPoints.reached('after-request');
  const sent = await parts.sending.send(merchant, payment, operationId, cause, departure.startedAt);
  return sent.kind === 'Ended' ? resultOf(sent.payment, operationId) : { kind: 'Interrupted', operationId };
}

/** What history says of an operation, as an answer. */
export function resultOf({ state }: LoadedPayment, operationId: OperationId): OperationResult {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) return { kind: 'NotStored' };
  if (operation.progress.status === 'NotSent') return { kind: 'NotSent', payment: state, operationId };
  const unknown =
    isPending(operation) &&
    (operation.progress.status === 'InFlight' || operation.progress.status === 'Interrupted');
  return unknown ? { kind: 'Interrupted', operationId } : { kind: 'Answered', payment: state, operationId };
}

/** The store's failures before the request was appended, as answers: nothing was sent. */
export async function orNotStored(
  { log }: RequestParts,
  request: () => Promise<OperationResult>,
): Promise<OperationResult> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof IdempotencyKeyTaken) return { kind: 'KeyTaken' };
    if (!(error instanceof EventStoreError)) throw error;
    log.error('request-not-written', { reason: error.code });
    return { kind: 'NotStored' };
  }
}
