import { attemptPlan, type SendWindow } from '../../attempt/index.js';
import { accepted } from '../../shared/aggregate.js';
import { isBankChannel } from '../../shared/codes.js';
import type { CommandEventData } from '../../shared/event.shapes.js';
import { authorizationBalance } from '../payment.balance.js';
import { reject, type PaymentDecision } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents } from '../payment.events.js';
import {
  accountOfAttempt,
  wasNotExecuted,
  executedAttemptNumber,
  findByCommandId,
  findOperation,
  isCaptured,
  movedAmount,
  undoesOperation,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';
import { nextServiceOperationId } from './operation.request.js';
import { rejectAmountOutOfRange } from './request.rules.js';

/* Commands that no client sends: expiry, late executions, bank returns, chargebacks. Each may be repeated. */

interface ReversalCommand extends CommandEventData {
  readonly sendWindow: SendWindow;
}

type ReversalRequest = Pick<PaymentEvents['ReversalRequested'], 'originalTry' | 'amount' | 'cause'>;

/**
 * Expires an authorization and requests the reversal of its open amount (`docs/spec/payments.md#expiry`). Rejected while
 * an operation on it has no outcome, since the held amount may become open again. If a reversal was not executed, the
 * next call requests another one.
 */
export function expireAuthorization(state: PaymentState, command: ReversalCommand): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const authorization = findOperation(state, command.operationId);
  const isDue =
    state.status === 'Opened' &&
    authorization?.kind === 'Auth' &&
    authorization.expiresAt !== undefined &&
    command.at >= authorization.expiresAt;
  if (!isDue) return accepted([], command.operationId);
  const originalTry = executedAttemptNumber(authorization);
  if (isReversed(state, authorization, 'AuthorizationExpired', originalTry)) {
    return accepted([], command.operationId);
  }
  const { open, held } = authorizationBalance(state, authorization);
  if (held > 0) return reject('OriginalUndecided', 'An operation on it has no outcome yet.');
  if (open <= 0) return accepted([], command.operationId);
  const { at, operationId } = command;
  const expired: PaymentEvent = { type: 'AuthorizationExpired', data: { at, operationId, amount: open } };
  const reversal = { originalTry, amount: open, cause: 'AuthorizationExpired' } as const;
  return requestReversal(state, command, reversal, authorization.expiredAt === undefined ? [expired] : []);
}

/**
 * Requests the reversal of the next late execution that has none. A late refund, void or reversal can not be undone: it
 * counts, and operators see its flag.
 */
export function reverseLateApproval(state: PaymentState, command: ReversalCommand): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const original = findOperation(state, command.operationId);
  if (state.status === 'None' || !original || undoesOperation(original.kind)) {
    return accepted([], command.operationId);
  }
  const late = original.lateApprovals.find(
    ({ try: number, amount }) => amount > 0 && !isReversed(state, original, 'LateApproval', number),
  );
  if (!late) return accepted([], command.operationId);
  const { try: originalTry, amount } = late;
  return requestReversal(state, command, { originalTry, amount, cause: 'LateApproval' });
}

/** A reversal is pending, executed, or declined, which operators see. One that was not executed does not count. */
function isReversed(
  payment: Payment,
  original: Operation,
  cause: ReversalRequest['cause'],
  originalTry: number,
): boolean {
  return payment.operations.some(
    (operation) =>
      operation.originalId === original.id &&
      operation.reversalCause === cause &&
      operation.originalTry === originalTry &&
      !wasNotExecuted(operation),
  );
}

function requestReversal(
  payment: Payment,
  { at, operationId: originalOperationId, commandId, sendWindow }: ReversalCommand,
  reversal: ReversalRequest,
  eventsBefore: readonly PaymentEvent[] = [],
): PaymentDecision {
  const original = findOperation(payment, originalOperationId);
  const operationId = nextServiceOperationId(payment);
  if (!operationId) return reject('TooManyOperations', 'No number is left for a reversal.');
  const account = original && accountOfAttempt(original, reversal.originalTry);
  if (!account) {
    return reject('StepOutOfOrder', 'It is not known which processor executed what has to be reversed.');
  }
  const ids = { at, operationId, commandId };
  const { amount } = reversal;
  const attempt = { try: 1, executedAs: 'Reverse', amount, ...attemptPlan(account, sendWindow) } as const;
  return accepted(
    [
      ...eventsBefore,
      { type: 'ReversalRequested', data: { ...ids, originalOperationId, ...reversal } },
      { type: 'TryRequested', data: { ...ids, ...attempt } },
    ],
    operationId,
  );
}

/** Recorded once, even if the bank repeats it or sends it out of order (`docs/spec/bank-payments.md#returns`). */
export function recordBankReturn(state: PaymentState, data: PaymentEvents['BankReturned']): PaymentDecision {
  return recordOnce(state, { type: 'BankReturned', data }, ({ returns }) =>
    returns.some(({ id }) => id === data.returnId),
  );
}

export function recordNoticeOfChange(
  state: PaymentState,
  data: PaymentEvents['NoticeOfChangeReceived'],
): PaymentDecision {
  return recordOnce(state, { type: 'NoticeOfChangeReceived', data }, ({ noticeIds }) =>
    noticeIds.includes(data.noticeId),
  );
}

/** Recorded once, even if the processor repeats it. It does not reduce the refundable amount: settlement debits it. */
export function recordChargeback(
  state: PaymentState,
  data: PaymentEvents['ChargebackReceived'],
): PaymentDecision {
  return recordOnce(state, { type: 'ChargebackReceived', data }, ({ chargebacks = [] }) =>
    chargebacks.some(({ id }) => id === data.chargebackId),
  );
}

/**
 * A chargeback that an operator reports: of an approved sale or capture of a card, and not above its amount. A bank payment
 * is returned instead.
 */
export function chargeBack(state: PaymentState, data: PaymentEvents['ChargebackReceived']): PaymentDecision {
  const operation = findOperation(state, data.operationId);
  if (state.status === 'None' || !operation) {
    return reject('OriginalNotFound', 'There is no such transaction.');
  }
  if (isBankChannel(state.channel)) {
    return reject('WrongOriginalType', 'A bank payment has no chargebacks: its bank returns it.');
  }
  if (!isCaptured(operation.kind)) {
    return reject('WrongOriginalType', 'Only a sale or a capture can be charged back.');
  }
  if (operation.movedAt === undefined) return reject('OriginalNotApproved', 'It was not approved.');
  const paid = movedAmount(operation);
  if (data.amount > paid) {
    const details = `received ${data.amount}, allowed 1 to ${paid}`;
    return reject(
      'AmountAboveOpenCapture',
      'The chargeback is above the amount of the transaction.',
      details,
    );
  }
  return recordChargeback(state, data);
}

function recordOnce(
  state: PaymentState,
  event: Extract<PaymentEvent, { type: 'BankReturned' | 'NoticeOfChangeReceived' | 'ChargebackReceived' }>,
  isKnown: (operation: Operation) => boolean,
): PaymentDecision {
  const operation = findOperation(state, event.data.operationId);
  if (!operation) return reject('OriginalNotFound', 'There is no such transaction.');
  const invalid = 'amount' in event.data ? rejectAmountOutOfRange(event.data.amount) : undefined;
  return invalid ?? accepted(isKnown(operation) ? [] : [event], operation.id);
}
