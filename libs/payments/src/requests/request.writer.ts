import { findOperation, hasUnknownOutcome, type Decision, type OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Cause, StreamEvent } from '../stream-repository/event-metadata.js';
import type {
  StreamRepository,
  LoadedStream,
  WriteResult,
  LoadedPayment,
  PaymentWriteResult,
} from '../stream-repository/repositories.js';
import { writeThroughWhilePending } from '../read-model-write-through/write-through.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { handleFailureAfterStored } from './request.failures.js';
import { appendWithKey } from '../idempotency/key-reservation.js';
import type { TokenDetails } from '../stored-cards/stored-card.types.js';
import type { AttemptToSend, AttemptSender, SendResult } from '../attempts/attempt.sender.js';
import type { Ports, Parts } from '../parts.js';

/* Writes and sends clients' requests. */

/** The result of the request's append is unknown. */
export interface UnknownAppend {
  readonly kind: 'Unwritten';
  readonly operationId: OperationId;
}

/** The cause of the events of a command. */
export type CommandCause = Cause & { readonly causationId: string };

export function requestCause({ merchant, actor, traceId }: RequestContext, commandId: string): CommandCause {
  return { merchantId: merchant.id, actor, traceId, causationId: commandId };
}

/** A client's request before its append. */
interface RequestToWrite<State> {
  readonly context: RequestContext;
  /** The stream as it was loaded. */
  readonly known: LoadedStream<State>;
  readonly cause: Cause;
  /** How many decisions to make at most. Default: 4. */
  readonly decisionsMax?: number;
}

/** Decides and appends. Reserves the idempotency key with the append, if there is one. */
export async function writeRequest<State, Event extends StreamEvent, Rejection>(
  ports: Pick<Ports, 'idempotency' | 'clock'>,
  repository: StreamRepository<State, Event, Rejection, OperationId>,
  { context, known, cause, decisionsMax }: RequestToWrite<State>,
  decide: (state: State) => Decision<Event, Rejection, OperationId>,
): Promise<WriteResult<State, Event, Rejection, OperationId> | UnknownAppend> {
  let operationId: OperationId | undefined;
  const decideAndNoteId = (state: State): Decision<Event, Rejection, OperationId> => {
    const decision = decide(state);
    if (decision.kind === 'Accepted') operationId = decision.value;
    return decision;
  };
  try {
    return await repository.transact(known, cause, decideAndNoteId, {
      ...(decisionsMax !== undefined && { decisionsMax }),
      ...appendWithKey(ports, context, known.stream, () => operationId),
    });
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'Unknown' && operationId) {
      return { kind: 'Unwritten', operationId };
    }
    throw error;
  }
}

export type RequestToSend = Omit<AttemptToSend<unknown>, 'loaded' | 'operationId'>;

type RequestNotWritten<Rejection> =
  | Exclude<WriteResult<never, never, Rejection, never>, { kind: 'Written' }>
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId };

/**
 * Sends a written request, unless the decision needs no processor or an earlier run appended it. Then writes the read models
 * and calls `toResult` for the client's result.
 */
export async function sendRequest<State, Event extends StreamEvent, Rejection, Result>(
  parts: Pick<Ports, 'crashPoints' | 'log'>,
  written: WriteResult<State, Event, Rejection, OperationId> | UnknownAppend,
  request: RequestToSend,
  {
    sender,
    toResult,
  }: {
    readonly sender: AttemptSender<State, Event, Rejection>;
    readonly toResult: (sent: SendResult<State>, operationId: OperationId) => Promise<Result>;
  },
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
          sender.send({ ...request, loaded, operationId }),
        )
      : ({ kind: 'Ended', loaded } as const);
    await aggregate.writeReadModels(sent.loaded, operationId);
    return toResult(sent, operationId);
  });
}

/** `sendRequest` for an operation of a payment. */
export function sendPaymentRequest(
  parts: Parts,
  written: PaymentWriteResult | UnknownAppend,
  request: RequestToSend,
  facts?: TokenDetails,
): Promise<OperationResult> {
  return sendRequest(parts, written, request, {
    sender: parts.paymentSender,
    toResult: async ({ kind, loaded }, operationId) =>
      kind === 'Ended' ? operationResult(loaded, operationId, facts) : { kind: 'Interrupted', operationId },
  });
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
