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
  didNotHappen,
  executedAttemptNumber,
  findByCommandId,
  findOperation,
  undoesOperation,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* What nobody asked for: expiry, late approvals, banks. All may be told more than once. */

interface OperationCommand {
  readonly at: string;
  readonly operationId: OperationId;
}

interface ReversalCommand extends OperationCommand {
  readonly commandId: string;
  readonly sendWindow: SendWindow;
}

/**
 * An authorization at the end of its life: what is open is reversed (`docs/spec/payments.md#expiry`). It waits while an
 * operation on it has no outcome, since what that one holds may come back. A reversal that did not happen is followed
 * by another.
 */
export function expireAuthorization(state: PaymentState, command: ReversalCommand): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const authorization = findOperation(state, command.operationId);
  const due =
    state.status === 'Opened' &&
    authorization?.kind === 'Auth' &&
    authorization.expiresAt !== undefined &&
    command.at >= authorization.expiresAt;
  if (!due) return accepted([], command.operationId);
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
  const before = authorization.expiredAt === undefined ? [expired] : [];
  const undone = { originalTry, amount: open, cause: 'AuthorizationExpired' } as const;
  return requestReversal(state, command, authorization, undone, before);
}

/**
 * The next late approval that nothing undid yet. A refund, void or reversal that is found late can't be undone: it
 * counts, and people are told.
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
  return requestReversal(state, command, original, { originalTry, amount, cause: 'LateApproval' }, []);
}

/** Or is being reversed, or could not be and is for people to look at. One that never left is tried anew. */
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
      !didNotHappen(operation),
  );
}

function requestReversal(
  payment: Payment,
  { at, operationId: originalOperationId, commandId, sendWindow }: ReversalCommand,
  original: Operation,
  undone: Pick<ReversalRequested, 'originalTry' | 'amount' | 'cause'>,
  before: readonly PaymentEvent[],
): PaymentDecision {
  const { amount } = undone;
  const operationId = nextServiceOperationId(payment);
  if (!operationId)
    return rejected({ code: 'TooManyOperations', message: 'No number is left for a reversal.' });
  const account = accountOfAttempt(original, undone.originalTry);
  if (!account) {
    const message = 'It is not known which processor executed what has to be reversed.';
    return rejected({ code: 'StepOutOfOrder', message });
  }
  const plan = attemptPlan(account, sendWindow);
  return accepted(
    [
      ...before,
      { type: 'ReversalRequested', data: { at, operationId, commandId, originalOperationId, ...undone } },
      {
        type: 'TryRequested',
        data: { at, operationId, commandId, try: 1, executedAs: 'Reverse', amount, ...plan },
      },
    ],
    operationId,
  );
}

/** Recorded once, whatever number of times and in whatever order it is told (`docs/spec/bank-payments.md#returns`). */
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
  const none = rejectAmountOutOfRange(bankReturn.amount);
  if (none) return rejected(none);
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

/** Recorded once, however often it is told. It takes nothing off what can be refunded: settlement debits it. */
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
  const none = rejectAmountOutOfRange(chargeback.amount);
  if (none) return rejected(none);
  const known = operation.chargebacks?.some(({ id }) => id === chargeback.chargebackId) ?? false;
  return accepted(known ? [] : [{ type: 'ChargebackReceived', data: chargeback }], operation.id);
}
