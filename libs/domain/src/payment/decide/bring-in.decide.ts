import { isOpenAttempt } from '../../attempt/index.js';
import { accepted, ImpossibleHistory, type Rejected } from '../../shared/aggregate.js';
import { FIRST_SERVICE_OPERATION, generatedReferenceId, parseOperationId } from '../../shared/ids.js';
import { reject, type PaymentDecision, type PaymentRejection } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents, ProcessorOperation } from '../payment.events.js';
import { evolvePayment } from '../payment.evolve.js';
import { findOperation, type Operation, type Payment, type PaymentState } from '../payment.state.js';
import { recordResponse } from './attempt.decide.js';
import { failedAttemptEvent } from './attempt-response.decide.js';
import type { BringIn, RecordedAttempt } from './bring-in.command.js';

/*
 * Operations that a processor has executed and the history does not have, because an older copy of it was restored
 * (docs/adr/0044). They get the events that they had, as far as the processor's records say, and nothing is sent.
 */

/**
 * Adds the operation, or its attempts that are missing. No event if the history has them. Rejected if the original is
 * missing, if an attempt before has no outcome yet, or if the amounts do not fit the history.
 */
export function bringIn(state: PaymentState, command: BringIn): PaymentDecision {
  const known = findOperation(state, command.operationId);
  const requested = known?.attempt?.number ?? 0;
  const open = openAttemptOf(known);
  const first = open ?? requested + 1;
  const last = (command.attempts.at(-1) ?? command.attempts[0]).number;
  if (last < first) return accepted([], command.operationId);
  if (known && open === undefined && known.progress.status !== 'AwaitingCustomer') {
    return reject('StepOutOfOrder', 'The operation is in the history without this attempt, and has ended.');
  }
  const draft = new Draft(state);
  try {
    const refused =
      (known ? undefined : addRequest(draft, command)) ?? addAttempts(draft, command, { first, open });
    return refused ?? accepted(draft.events, command.operationId);
  } catch (error) {
    if (!(error instanceof ImpossibleHistory)) throw error;
    return reject('StepOutOfOrder', `It does not fit the history: ${error.message}.`);
  }
}

/** The copy was made while it was under way. Later operations may need its outcome. */
function openAttemptOf(operation: Operation | undefined): number | undefined {
  const number = operation?.attempt?.number ?? 0;
  return operation && isOpenAttempt(operation, number) ? number : undefined;
}

/** Events with the state that they lead to. */
class Draft {
  readonly events: PaymentEvent[] = [];

  constructor(public state: PaymentState) {}

  add(...events: readonly PaymentEvent[]): void {
    for (const event of events) {
      this.state = evolvePayment(this.state, event);
      this.events.push(event);
    }
  }
}

type Rejection = Rejected<PaymentRejection> | undefined;

function addRequest(draft: Draft, command: BringIn): Rejection {
  const { operationId, commandId, attempts, opening } = command;
  const [{ at, amount }] = attempts;
  const request = { at, operationId, commandId, amount, referenceId: generatedReferenceId(operationId) };
  const openingEvent = OPENING_EVENTS[attempts[0].executedAs];
  if (openingEvent) {
    if (draft.state.status !== 'None') return reject('AlreadyOpened', 'This payment exists already.');
    draft.add({ type: openingEvent, data: { ...request, ...opening } });
    return undefined;
  }
  const { original } = command;
  const found = original && findOperation(draft.state, original.operationId);
  if (!found) return reject('OriginalNotFound', 'Its original is not in the history.');
  const number = parseOperationId(operationId)?.number ?? 0;
  if (number >= FIRST_SERVICE_OPERATION) return addReversal(draft, command, found);
  draft.add(followUpEvent(command, { ...request, originalOperationId: found.id }));
  return undefined;
}

const OPENING_EVENTS: Readonly<
  Partial<
    Record<ProcessorOperation, 'SaleRequested' | 'AuthorizationRequested' | 'UnreferencedRefundRequested'>
  >
> = {
  Sale: 'SaleRequested',
  Authorize: 'AuthorizationRequested',
  UnreferencedRefund: 'UnreferencedRefundRequested',
};

/** A processor does not know whether a void was requested as a void or as a refund: it counts as a void. */
function followUpEvent({ attempts }: BringIn, data: PaymentEvents['CaptureRequested']): PaymentEvent {
  if (attempts[0].executedAs === 'Capture') return { type: 'CaptureRequested', data };
  const isRefund = attempts.some(({ executedAs }) => executedAs === 'Refund');
  if (!isRefund) return { type: 'VoidRequested', data };
  const executedAs = attempts[0].executedAs === 'Void' ? 'Void' : 'Refund';
  return { type: 'RefundRequested', data: { ...data, executedAs } };
}

/** The reversal of an expired authorization, or of an operation that was executed too late. */
function addReversal(
  draft: Draft,
  { operationId, commandId, attempts, original }: BringIn,
  of: Operation,
): Rejection {
  const [{ at, amount }] = attempts;
  const originalTry = original?.try ?? 1;
  const wasLate = of.lateApprovals.some((late) => late.try === originalTry);
  if (!wasLate && of.kind !== 'Auth') {
    return reject('StepOutOfOrder', 'It reverses an operation that counts as approved.');
  }
  const cause = wasLate ? 'LateApproval' : 'AuthorizationExpired';
  if (!wasLate && of.expiredAt === undefined) {
    draft.add({ type: 'AuthorizationExpired', data: { at, operationId: of.id, amount } });
  }
  const request = {
    at,
    operationId,
    commandId,
    originalOperationId: of.id,
    originalTry,
    amount,
    cause,
  } as const;
  draft.add({ type: 'ReversalRequested', data: request });
  return undefined;
}

function addAttempts(
  draft: Draft,
  command: BringIn,
  { first, open }: { readonly first: number; readonly open: number | undefined },
): Rejection {
  const { attempts } = command;
  const last = attempts.at(-1) ?? attempts[0];
  for (let number = first; number <= last.number; number++) {
    const next = attempts.find((attempt) => attempt.number >= number) ?? last;
    if (number !== open) draft.add(attemptEvent(command, next, number));
    else if (next.number > number)
      return reject('StepOutOfOrder', 'An attempt before it has no outcome yet.');
    if (next.number > number) {
      // The processor never answered it, so it was not executed.
      const { at } = next;
      draft.add({
        type: 'NotExecuted',
        data: { at, operationId: command.operationId, try: number, source: 'Inquiry' },
      });
      continue;
    }
    const refused = next === last ? addOutcome(draft, command, last) : addFailure(draft, command, next);
    if (refused) return refused;
  }
  return undefined;
}

function attemptEvent(
  { operationId, commandId }: BringIn,
  attempt: RecordedAttempt,
  number: number,
): PaymentEvent {
  const { at, executedAs, amount, sentAt, account } = attempt;
  const window = { sendBefore: sentAt, answerBefore: sentAt };
  return {
    type: 'TryRequested',
    data: { at, operationId, commandId, try: number, executedAs, amount, ...window, ...account },
  };
}

function addFailure(draft: Draft, command: BringIn, attempt: RecordedAttempt): Rejection {
  if (attempt.answer.kind === 'Approved') {
    return reject('StepOutOfOrder', 'An attempt was approved, and another one followed it.');
  }
  const [payment, operation] = operationIn(draft, command);
  draft.add(failedAttemptEvent(payment, operation, recording(command, attempt, [])));
  return undefined;
}

function addOutcome(draft: Draft, command: BringIn, attempt: RecordedAttempt): Rejection {
  const { operationId, wasReversed, expiresAt } = command;
  const { at, number, sentAt, account } = attempt;
  if (wasReversed && attempt.answer.kind === 'Approved') {
    draft.add({ type: 'NotExecuted', data: { at, operationId, try: number, source: 'Inquiry' } });
  }
  const [payment, operation] = operationIn(draft, command);
  const receipt = command.receiptLines(payment, operation, attempt);
  const decided = recordResponse(draft.state, {
    ...recording(command, attempt, receipt),
    expiresAt,
    answeredBy: account,
    nextWindow: { sendBefore: sentAt, answerBefore: sentAt },
  });
  if (decided.kind === 'Rejected') return decided;
  draft.add(...decided.events);
  return undefined;
}

function recording(
  { operationId }: BringIn,
  { at, number, answer }: RecordedAttempt,
  receiptLines: readonly string[],
) {
  return { at, operationId, try: number, source: 'Inquiry', answer, receiptLines } as const;
}

function operationIn({ state }: Draft, { operationId }: BringIn): readonly [Payment, Operation] {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation)
    throw new ImpossibleHistory(`operation ${operationId} was not added`);
  return [state, operation];
}
