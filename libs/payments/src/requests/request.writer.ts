import { findOperation, isPending, type Decision, type Merchant, type OperationId } from '@tillstream/domain';
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

/* What every client's request does after it was decided. */

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

/** The store did not say whether the request was written. */
export interface UnknownAppend {
  readonly kind: 'Unwritten';
  readonly operationId: OperationId;
}

export function requestCause({ merchant, actor, traceId }: RequestContext, commandId: string): Cause {
  return { merchantId: merchant.id, actor, traceId, causationId: commandId };
}

/** Decides and appends, with the idempotency key where there is one. */
export async function writeRequest<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
>(
  repository: StreamRepository<State, Event, Refusal, OperationId>,
  { idempotency, clock }: Pick<RequestParts, 'idempotency' | 'clock'>,
  context: RequestContext,
  known: LoadedStream<State>,
  cause: Cause,
  decide: (state: State) => Decision<Event, Refusal, OperationId>,
  attempts?: number,
): Promise<WriteResult<State, Event, Refusal, OperationId> | UnknownAppend> {
  let operationId: OperationId | undefined;
  const remembering = (state: State): Decision<Event, Refusal, OperationId> => {
    const decision = decide(state);
    if (decision.kind === 'Accepted') operationId = decision.value;
    return decision;
  };
  try {
    return await repository.transact(known.stream, cause, remembering, {
      known,
      ...(attempts !== undefined && { attempts }),
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

type RequestNotWritten<Refusal> =
  | Exclude<WriteResult<never, never, Refusal, never>, { kind: 'Written' }>
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId };

/**
 * A request that was written is sent, unless the service answered by itself or an earlier run begun it. `answer` says what
 * its client is told; by then the read models have it.
 */
export async function sendRequest<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
  Result,
>(
  parts: Pick<RequestParts, 'crashPoints' | 'log'>,
  sender: AttemptSender<State, Event, Refusal>,
  written: WriteResult<State, Event, Refusal, OperationId> | UnknownAppend,
  { merchant, cause, startedAt, secret }: RequestToSend,
  answer: (sent: SendResult<State>, operationId: OperationId) => Promise<Result>,
): Promise<Result | RequestNotWritten<Refusal>> {
  if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
  if (written.kind !== 'Written') return written;
  const { loaded, value: operationId, events } = written;
  const { aggregate } = sender;
  return handleFailureAfterStored(parts, operationId, async () => {
    const begunNow = events.some(({ type }) => type === aggregate.requestEventType);
    if (begunNow) parts.crashPoints.reached('after-request');
    const sent = begunNow
      ? await writeThroughWhilePending(
          () => aggregate.writeReadModels(loaded, operationId),
          sender.send(merchant, loaded, operationId, cause, startedAt, secret),
        )
      : ({ kind: 'Ended', loaded } as const);
    await aggregate.writeReadModels(sent.loaded, operationId);
    return answer(sent, operationId);
  });
}

/** As `sendRequest`, of a payment's operation. */
export function sendPaymentRequest(
  parts: RequestParts,
  written: PaymentWriteResult | UnknownAppend,
  begun: RequestToSend,
  facts?: TokenDetails,
): Promise<OperationResult> {
  return sendRequest(parts, parts.paymentSender, written, begun, async ({ kind, loaded }, operationId) =>
    kind === 'Ended' ? operationResult(loaded, operationId, facts) : { kind: 'Interrupted', operationId },
  );
}

/** What history says of an operation, as an answer. */
export function operationResult(
  { state }: LoadedPayment,
  operationId: OperationId,
  facts?: TokenDetails,
): OperationResult {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) return { kind: 'NotStored' };
  if (operation.progress.status === 'NotSent') return { kind: 'NotSent', payment: state, operationId };
  const unknown =
    isPending(operation) &&
    (operation.progress.status === 'InFlight' || operation.progress.status === 'Interrupted');
  if (unknown) return { kind: 'Interrupted', operationId };
  return { kind: 'Answered', payment: state, operationId, ...(facts && { facts }) };
}
