import { accepted, rejected } from '../../shared/decision.js';
import type { OperationId } from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import { attemptPlan, type SendWindow } from '../../attempt/index.js';
import { nextServiceOperationId } from './operation.request.js';
import type { PaymentDecision } from '../payment.commands.js';
import type { PaymentEvent, ReversalRequested } from '../payment.events.js';
import type { Encrypted } from '../../shared/event.shapes.js';
import { authorizationBalance } from '../payment.balance.js';
import { rejectAmountOutOfRange } from './request.rules.js';
import {
  accountOfAttempt,
  wasNotExecuted,
  executedAttemptNumber,
  findByCommandId,
  findOperation,
  undoesOperation,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* Commands that no client sends: expiry, late executions, bank returns, chargebacks. Each may be repeated. */

interface OperationCommand {
  readonly at: string;
  readonly operationId: OperationId;
}

interface ReversalCommand extends OperationCommand {
  readonly commandId: string;
  readonly sendWindow: SendWindow;
}

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
  if (held > 0)
    return rejected({ code: 'OriginalUndecided', message: 'An operation on it has no outcome yet.' });
  if (open <= 0) return accepted([], command.operationId);
  const { at, operationId } = command;
  const expired: PaymentEvent = { type: 'AuthorizationExpired', data: { at, operationId, amount: open } };
  const reversal = { originalTry, amount: open, cause: 'AuthorizationExpired' } as const;
  return requestReversal(state, command, reversal, authorization.expiredAt === undefined ? [expired] : []);
}

/**
 * Requests the reversal of the next late execution that has none. A late refund, void or reversal can not be undone: it
 * counts, and a flag tells the operators.
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

/** A reversal was requested: pending, executed, or declined, which operators look at. One that was not executed does not count. */
function isReversed(
  payment: Payment,
  original: Operation,
  cause: ReversalRequested['cause'],
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
  reversal: Pick<ReversalRequested, 'originalTry' | 'amount' | 'cause'>,
  eventsBefore: readonly PaymentEvent[] = [],
): PaymentDecision {
  const original = findOperation(payment, originalOperationId);
  const operationId = nextServiceOperationId(payment);
  if (!operationId)
    return rejected({ code: 'TooManyOperations', message: 'No number is left for a reversal.' });
  const account = original && accountOfAttempt(original, reversal.originalTry);
  if (!account) {
    const message = 'It is not known which processor executed what has to be reversed.';
    return rejected({ code: 'StepOutOfOrder', message });
  }
  const { amount } = reversal;
  const plan = attemptPlan(account, sendWindow);
  return accepted(
    [
      ...eventsBefore,
      { type: 'ReversalRequested', data: { at, operationId, commandId, originalOperationId, ...reversal } },
      {
        type: 'TryRequested',
        data: { at, operationId, commandId, try: 1, executedAs: 'Reverse', amount, ...plan },
      },
    ],
    operationId,
  );
}

/** Recorded once, even if the bank repeats it or sends it out of order (`docs/spec/bank-payments.md#returns`). */
export function recordBankReturn(
  state: PaymentState,
  bankReturn: OperationCommand & {
    readonly returnId: string;
    readonly code: string;
    readonly reason: string;
    readonly amount: Cents;
  },
): PaymentDecision {
  const operation = findOperation(state, bankReturn.operationId);
  if (!operation) return rejected({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  const invalid = rejectAmountOutOfRange(bankReturn.amount);
  if (invalid) return rejected(invalid);
  const known = operation.returns.some(({ id }) => id === bankReturn.returnId);
  return accepted(known ? [] : [{ type: 'BankReturned', data: bankReturn }], operation.id);
}

export function recordNoticeOfChange(
  state: PaymentState,
  noticeOfChange: OperationCommand & {
    readonly noticeId: string;
    readonly code: string;
    readonly corrected: Encrypted;
  },
): PaymentDecision {
  const operation = findOperation(state, noticeOfChange.operationId);
  if (!operation) return rejected({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  const known = operation.noticeIds.includes(noticeOfChange.noticeId);
  return accepted(known ? [] : [{ type: 'NoticeOfChangeReceived', data: noticeOfChange }], operation.id);
}

/** Recorded once, even if the processor repeats it. It does not reduce the refundable amount: settlement debits it. */
export function recordChargeback(
  state: PaymentState,
  chargeback: OperationCommand & {
    readonly chargebackId: string;
    readonly reason: string;
    readonly amount: Cents;
    readonly reference?: string;
  },
): PaymentDecision {
  const operation = findOperation(state, chargeback.operationId);
  if (!operation) return rejected({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  const invalid = rejectAmountOutOfRange(chargeback.amount);
  if (invalid) return rejected(invalid);
  const known = operation.chargebacks?.some(({ id }) => id === chargeback.chargebackId) ?? false;
  return accepted(known ? [] : [{ type: 'ChargebackReceived', data: chargeback }], operation.id);
}
