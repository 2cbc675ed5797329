import { findOperation, isPending, type Decision, type Merchant, type OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import type { Cause } from './event-metadata.js';
import type { PaymentsLog } from './log.port.js';
import type { IdempotencyStore } from './idempotency.port.js';
import type { AttemptSender, PaymentSender, Secret, Sent } from './attempts/index.js';
import type { Journal, Loaded, Written } from './journal.js';
import type { LoadedPayment, PaymentJournal, WrittenPayment } from './journals.js';
import type { ReadModelWriter } from './read-model.port.js';
import type { References } from './references.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { onceStored } from './request.failures.js';
import { appendOf } from './reservation.js';
import type { TokenFacts } from './stored-card.types.js';
import { tellingMeanwhile } from './telling.js';

/* What every client's request does after it was decided. */

export interface RequestParts {
  readonly journal: PaymentJournal;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly paymentSender: PaymentSender;
  readonly references: References;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
}

/** The store did not say whether the request was written. */
export interface Unwritten {
  readonly kind: 'Unwritten';
  readonly operationId: OperationId;
}

export function causeOf({ merchant, actor, traceId }: RequestContext, commandId: string): Cause {
  return { merchantId: merchant.id, actor, traceId, causationId: commandId };
}

/** Decides and appends, with the idempotency key where there is one. */
export async function writeRequest<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
>(
  journal: Journal<State, Event, Refusal, OperationId>,
  { idempotency, clock }: Pick<RequestParts, 'idempotency' | 'clock'>,
  context: RequestContext,
  known: Loaded<State>,
  cause: Cause,
  decide: (state: State) => Decision<Event, Refusal, OperationId>,
  attempts?: number,
): Promise<Written<State, Event, Refusal, OperationId> | Unwritten> {
  let operationId: OperationId | undefined;
  const remembering = (state: State): Decision<Event, Refusal, OperationId> => {
    const decision = decide(state);
    if (decision.kind === 'Accepted') operationId = decision.value;
    return decision;
  };
  try {
    return await journal.write(known.stream, cause, remembering, {
      known,
      ...(attempts !== undefined && { attempts }),
      ...appendOf(idempotency, clock, context, known.stream, () => operationId),
    });
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'Unknown' && operationId) {
      return { kind: 'Unwritten', operationId };
    }
    throw error;
  }
}

export interface BegunRequest {
  readonly merchant: Merchant;
  readonly cause: Cause;
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly secret?: Secret;
}

type NotWritten<Refusal> =
  | Exclude<Written<never, never, Refusal, never>, { kind: 'Written' }>
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId };

/**
 * A request that was written is sent, unless the service answered by itself or an earlier run begun it. `answer` says what
 * its client is told; by then the read models have it.
 */
export async function sendWritten<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
  Result,
>(
  parts: Pick<RequestParts, 'crashPoints' | 'log'>,
  sender: AttemptSender<State, Event, Refusal>,
  written: Written<State, Event, Refusal, OperationId> | Unwritten,
  { merchant, cause, startedAt, secret }: BegunRequest,
  answer: (sent: Sent<State>, operationId: OperationId) => Promise<Result>,
): Promise<Result | NotWritten<Refusal>> {
  if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
  if (written.kind !== 'Written') return written;
  const { loaded, value: operationId, events } = written;
  const { attempted } = sender;
  return onceStored(parts, operationId, async () => {
    const begunNow = events.some(({ type }) => type === attempted.requested);
    if (begunNow) parts.crashPoints.reached('after-request');
    const sent = begunNow
      ? await tellingMeanwhile(
          () => attempted.recorded(loaded, operationId),
          sender.send(merchant, loaded, operationId, cause, startedAt, secret),
        )
      : ({ kind: 'Ended', loaded } as const);
    await attempted.recorded(sent.loaded, operationId);
    return answer(sent, operationId);
  });
}

/** As `sendWritten`, of a payment's operation. */
export function sendPayment(
  parts: RequestParts,
  written: WrittenPayment | Unwritten,
  begun: BegunRequest,
  facts?: TokenFacts,
): Promise<OperationResult> {
  return sendWritten(parts, parts.paymentSender, written, begun, async ({ kind, loaded }, operationId) =>
    kind === 'Ended' ? resultOf(loaded, operationId, facts) : { kind: 'Interrupted', operationId },
  );
}

/** What history says of an operation, as an answer. */
export function resultOf(
  { state }: LoadedPayment,
  operationId: OperationId,
  facts?: TokenFacts,
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
