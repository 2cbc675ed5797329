import {
  findOperation,
  hasUnknownOutcome,
  type Decision,
  type Merchant,
  type OperationId,
} from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import type { CrashPoints } from '../ports/crash-points.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { IdempotencyStore } from '../idempotency/idempotency.port.js';
import type { AttemptSender, PaymentSender, PaymentSecret, SendResult } from '../attempts/index.js';
import type { StreamRepository, LoadedStream, WriteResult } from '../stream-repository/stream-repository.js';
import type {
  LoadedPayment,
  PaymentRepository,
  PaymentWriteResult,
} from '../stream-repository/stream-repositories.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { References } from '../references/references.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { handleFailureAfterStored } from './request.failures.js';
import { appendWithKey } from '../idempotency/key-reservation.js';
import type { TokenDetails } from '../stored-cards/stored-card.types.js';
import { writeThroughWhilePending } from '../read-model-write-through/write-through.js';

/* Writes and sends clients' requests. */

export interface RequestParts {
  readonly payments: PaymentRepository;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly paymentSender: PaymentSender;
  readonly references: References;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
}

/** The result of the request's append is unknown. */
export interface UnknownAppend {
  readonly kind: 'Unwritten';
  readonly operationId: OperationId;
}

export function requestCause({ merchant, actor, traceId }: RequestContext, commandId: string): Cause {
  return { merchantId: merchant.id, actor, traceId, causationId: commandId };
}

/** Decides and appends. Reserves the idempotency key with the append, if there is one. */
export async function writeRequest<
  State,
  Event extends { readonly type: string; readonly data: object },
  Rejection,
>(
  repository: StreamRepository<State, Event, Rejection, OperationId>,
  { idempotency, clock }: Pick<RequestParts, 'idempotency' | 'clock'>,
  context: RequestContext,
  known: LoadedStream<State>,
  cause: Cause,
  decide: (state: State) => Decision<Event, Rejection, OperationId>,
  decisionsMax?: number,
): Promise<WriteResult<State, Event, Rejection, OperationId> | UnknownAppend> {
  let operationId: OperationId | undefined;
  const decideAndNoteId = (state: State): Decision<Event, Rejection, OperationId> => {
    const decision = decide(state);
    if (decision.kind === 'Accepted') operationId = decision.value;
    return decision;
  };
  try {
    return await repository.transact(known.stream, cause, decideAndNoteId, {
      known,
      ...(decisionsMax !== undefined && { decisionsMax }),
      ...appendWithKey(idempotency, clock, context, known.stream, () => operationId),
    });
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'Unknown' && operationId) {
      return { kind: 'Unwritten', operationId };
    }
    throw error;
  }
}

export interface RequestToSend {
  readonly merchant: Merchant;
  readonly cause: Cause;
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly secret?: PaymentSecret;
}

type RequestNotWritten<Rejection> =
  | Exclude<WriteResult<never, never, Rejection, never>, { kind: 'Written' }>
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId };

/**
 * Sends a written request, unless the decision needs no processor or an earlier run appended it. Then writes the read models
 * and calls `toResult` for the client's result.
 */
export async function sendRequest<
  State,
  Event extends { readonly type: string; readonly data: object },
  Rejection,
  Result,
>(
  parts: Pick<RequestParts, 'crashPoints' | 'log'>,
  sender: AttemptSender<State, Event, Rejection>,
  written: WriteResult<State, Event, Rejection, OperationId> | UnknownAppend,
  { merchant, cause, startedAt, secret }: RequestToSend,
  toResult: (sent: SendResult<State>, operationId: OperationId) => Promise<Result>,
): Promise<Result | RequestNotWritten<Rejection>> {
  if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
  if (written.kind !== 'Written') return written;
  const { loaded, value: operationId, events } = written;
  const { aggregate } = sender;
  return handleFailureAfterStored(parts, operationId, async () => {
    const isRequestedNow = events.some(({ type }) => type === aggregate.requestEventType);
    if (isRequestedNow) parts.crashPoints.reached('after-request');
    const sent = isRequestedNow
      ? await writeThroughWhilePending(
          () => aggregate.writeReadModels(loaded, operationId),
          sender.send(merchant, loaded, operationId, cause, startedAt, secret),
        )
      : ({ kind: 'Ended', loaded } as const);
    await aggregate.writeReadModels(sent.loaded, operationId);
    return toResult(sent, operationId);
  });
}

/** `sendRequest` for an operation of a payment. */
export function sendPaymentRequest(
  parts: RequestParts,
  written: PaymentWriteResult | UnknownAppend,
  request: RequestToSend,
  facts?: TokenDetails,
): Promise<OperationResult> {
  return sendRequest(parts, parts.paymentSender, written, request, async ({ kind, loaded }, operationId) =>
    kind === 'Ended' ? operationResult(loaded, operationId, facts) : { kind: 'Interrupted', operationId },
  );
}

/** The result of an operation by its history. */
export function operationResult(
  { state }: LoadedPayment,
  operationId: OperationId,
  facts?: TokenDetails,
): OperationResult {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) return { kind: 'NotStored' };
  if (operation.progress.status === 'NotSent') return { kind: 'NotSent', payment: state, operationId };
  if (hasUnknownOutcome(operation)) return { kind: 'Interrupted', operationId };
  return { kind: 'Answered', payment: state, operationId, ...(facts && { facts }) };
}
