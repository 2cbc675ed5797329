import { accepted, refused } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import { nextOwnOperationId } from './payment.begin.js';
import type { PaymentDecision, TryPlan } from './payment.commands.js';
import type { Encrypted, PaymentEvent, ReversalRequested } from './payment.events.js';
import { authorizationBalance, captureBalance, operationsOn } from './payment.money.js';
import {
  findByCommandId,
  findOperation,
  isPending,
  movedAmount,
  type Payment,
  type PaymentState,
} from './payment.state.js';

/* What nobody asked for: expiry, late approvals, batches, banks. All may be told more than once. */

interface OfOperation {
  readonly at: string;
  readonly operationId: OperationId;
}

interface Reversing extends OfOperation {
  readonly commandId: string;
  readonly tryPlan: TryPlan;
}

/**
 * An authorization at the end of its life: what is open is reversed (`decisions.md` 5.6). It waits while an operation on
 * it has no outcome, since what that one holds may come back.
 */
export function expireAuthorization(state: PaymentState, command: Reversing): PaymentDecision {
  const authorization = findOperation(state, command.operationId);
  const due =
    state.status === 'Opened' &&
    authorization?.kind === 'Auth' &&
    authorization.expiredAt === undefined &&
    authorization.expiresAt !== undefined &&
    command.at >= authorization.expiresAt;
  if (!due) return accepted([], command.operationId);
  const { open, held } = authorizationBalance(state, authorization);
  if (held > 0)
    return refused({ code: 'OriginalUndecided', message: 'An operation on it has no outcome yet.' });
  if (open <= 0) return accepted([], command.operationId);
  const { at, operationId } = command;
  const expired: PaymentEvent = { type: 'AuthorizationExpired', data: { at, operationId, amount: open } };
  return reversal(state, command, open, 'AuthorizationExpired', [expired]);
}

/** A refund or void that is found late can't be undone: it counts, and people are told. */
export function reverseLateApproval(state: PaymentState, command: Reversing): PaymentDecision {
  const original = findOperation(state, command.operationId);
  const done =
    state.status === 'None' ||
    !original?.lateApproval ||
    original.kind === 'Refund' ||
    original.kind === 'Void' ||
    original.kind === 'Reversal' ||
    state.operations.some(
      ({ originalId, reversalCause }) => originalId === original.id && reversalCause === 'LateApproval',
    );
  if (done) return accepted([], command.operationId);
  return reversal(state, command, original.lateApproval.amount, 'LateApproval', []);
}

function reversal(
  payment: Payment,
  { at, operationId: originalOperationId, commandId, tryPlan }: Reversing,
  amount: Cents,
  cause: ReversalRequested['cause'],
  before: readonly PaymentEvent[],
): PaymentDecision {
  const repeated = findByCommandId(payment, commandId);
  if (repeated) return accepted([], repeated.id);
  const operationId = nextOwnOperationId(payment);
  if (!operationId)
    return refused({ code: 'TooManyOperations', message: 'No number is left for a reversal.' });
  return accepted(
    [
      ...before,
      { type: 'ReversalRequested', data: { at, operationId, commandId, originalOperationId, amount, cause } },
      {
        type: 'TryRequested',
        data: { at, operationId, commandId, try: 1, executedAs: 'Reverse', amount, ...tryPlan },
      },
    ],
    operationId,
  );
}

/**
 * The batch takes the operation, with what is left of it after its voids. One with a void or refund in flight waits for
 * the next batch; each is in exactly one (`decisions.md` 7).
 */
export function putIntoBatch(
  state: PaymentState,
  { at, operationId, batchId }: OfOperation & { readonly batchId: string },
): PaymentDecision {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) {
    return refused({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  }
  if (operation.batch) return accepted([], operationId);
  const amount = movedAmount(operation);
  const capture = operation.kind === 'Sale' || operation.kind === 'Capture';
  const givesBack =
    operation.kind === 'UnreferencedRefund' ||
    (operation.kind === 'Refund' && operation.executedAs === 'Refund');
  if (amount === 0 || (!capture && !givesBack)) {
    return refused({ code: 'StepOutOfOrder', message: 'It moved no money that a batch could take.' });
  }
  if (operationsOn(state, operation).some(isPending)) {
    return refused({ code: 'OriginalUndecided', message: 'A void or refund of it has no outcome yet.' });
  }
  const counted = capture ? amount - captureBalance(state, operation).voided : -amount;
  return accepted([{ type: 'Batched', data: { at, operationId, batchId, amount: counted } }], operationId);
}

/** Recorded once, whatever number of times and in whatever order it is told (`decisions.md` 5.7). */
export function recordBankReturn(
  state: PaymentState,
  told: OfOperation & {
    readonly returnId: string;
    readonly code: string;
    readonly reason: string;
    readonly amount: Cents;
  },
): PaymentDecision {
  const operation = findOperation(state, told.operationId);
  if (!operation) return refused({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  const known = operation.returns.some(({ id }) => id === told.returnId);
  return accepted(known ? [] : [{ type: 'BankReturned', data: told }], operation.id);
}

export function recordNoticeOfChange(
  state: PaymentState,
  told: OfOperation & { readonly noticeId: string; readonly code: string; readonly corrected: Encrypted },
): PaymentDecision {
  const operation = findOperation(state, told.operationId);
  if (!operation) return refused({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  const known = operation.noticeIds.includes(told.noticeId);
  return accepted(known ? [] : [{ type: 'NoticeOfChangeReceived', data: told }], operation.id);
}
