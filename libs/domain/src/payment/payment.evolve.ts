import type { ProcessorAccount } from '../attempt/index.js';
import { evolveBy, foldOf } from '../shared/aggregate.js';
import type { OperationEventData } from '../shared/event.shapes.js';
import { pick } from '../shared/pick.js';
import { assertWithinLimits, withFlag, withLimitFlags } from './evolve/limit.flags.js';
import {
  addApproval,
  addFollowUp,
  addOperation,
  addResponse,
  endOperation,
  markBatched,
  markLeftForNextBatch,
  markMoneyMoved,
  newOperation,
  newPayment,
  requirePayment,
  updateOperation,
} from './evolve/operation.changes.js';
import { captureBalance } from './payment.balance.js';
import type { PaymentEvent, PaymentEvents } from './payment.events.js';
import {
  findOperation,
  noPayment,
  undoesOperation,
  type Payment,
  type PaymentAttempt,
  type PaymentState,
} from './payment.state.js';

/**
 * The next state. A request that breaks a rule of money is impossible. A fact from outside is always taken, and raises a
 * flag if it breaks a limit.
 */
export const evolvePayment = evolveBy<PaymentState, PaymentEvent>({
  SaleRequested: (state, data) => newPayment(state, 'Sale', data),
  AuthorizationRequested: (state, data) => newPayment(state, 'Auth', data),
  UnreferencedRefundRequested: (state, data) => newPayment(state, 'UnreferencedRefund', data),
  CaptureRequested: (state, data) => addFollowUp(state, 'Capture', data),
  RefundRequested: (state, data) => addFollowUp(state, 'Refund', data),
  VoidRequested: (state, data) => addFollowUp(state, 'Void', data),
  ReversalRequested: (state, { cause, ...data }) =>
    addOperation(requirePayment(state), {
      ...newOperation('Reversal', data),
      originalId: data.originalOperationId,
      originalTry: data.originalTry,
      reversalCause: cause,
    }),

  // The proof stays in the event: no rule depends on it.
  ConsentGiven: (state, data) => updateOperation(state, data, () => ({})),
  TryRequested: requestAttempt,
  ResendRequested: (state, data) => {
    const { sendBefore, answerBefore } = data;
    return updateAttempt(state, data, (attempt) => ({ ...attempt, sendBefore, answerBefore, resent: true }));
  },
  NotSent: (state, data) => endOperation(state, data, { status: 'NotSent', reason: data.reason }),
  Interrupted: (state, data) => {
    const { cause, lostLink } = data;
    return updateOperation(state, data, () => ({ progress: { status: 'Interrupted', cause, lostLink } }));
  },
  ThreeDsCompleted: (state, data) => {
    const { threeDs, resumes } = data;
    return updateAttempt(state, data, (attempt) => ({ ...attempt, ...resumes, threeDs }));
  },
  ChallengeOpened: (state, data) => {
    const challenge = pick(data, 'challengeId', 'redirectUrl', 'expiresAt', 'threeDsServer');
    const next = updateOperation(state, data, () => ({
      progress: { status: 'ChallengeOpen', ...challenge },
    }));
    const { personal: challenged } = data;
    return updateAttempt(next, data, (attempt) => ({
      ...markAccepted(attempt),
      ...(challenged && { challenged }),
    }));
  },
  ChallengeEnded: (state, data) => {
    const next = updateOperation(state, data, () => ({ progress: { status: 'InFlight' } }));
    return updateAttempt(next, data, (attempt) => withoutChallenge(attempt, data));
  },
  Submitted: (state, data) => {
    const response = { amountApproved: 0, resultCode: 0 };
    return updateAttempt(addResponse(state, data, { status: 'Processing' }, response), data, markAccepted);
  },
  TryFailed: (state, data) => {
    const { cause, resultCode } = data;
    if (cause === 'ProcessorBatchClosed') {
      return updateOperation(state, data, () => ({ progress: { status: 'InFlight' } }));
    }
    return addResponse(state, data, { status: 'AwaitingCustomer' }, { amountApproved: 0, resultCode });
  },

  Authorized: (state, data) => {
    const next = addApproval(state, data, pick(data, 'amountBreakdown'));
    const withExpiry = updateOperation(next, data, () => pick(data, 'expiresAt'));
    return withLimitFlags(withExpiry, data.operationId);
  },
  Captured: (state, data) => {
    // The response of a sale is its Authorized event; Captured adds only that the money moved.
    if (findOperation(state, data.operationId)?.kind === 'Sale') {
      return markMoneyMoved(endOperation(state, data, { status: 'Approved', amount: data.amount }), data);
    }
    const next = addApproval(state, data, pick(data, 'amountBreakdown'));
    return withLimitFlags(markMoneyMoved(next, data), data.operationId);
  },
  Refunded: (state, data) => withLimitFlags(markMoneyMoved(addApproval(state, data), data), data.operationId),
  Voided: (state, data) => withLimitFlags(addApproval(state, data), data.operationId),
  Reversed: (state, data) => withLimitFlags(addApproval(state, data), data.operationId),
  Declined: (state, data) => {
    const { resultCode, operationId } = data;
    const response = { amountApproved: 0, resultCode };
    const next = addResponse(state, data, { status: 'Declined', resultCode }, response);
    return withLimitFlags(next, operationId);
  },
  Cancelled: (state, data) => {
    const progress = pick(data, 'resultCode', 'responseCode', 'hostText');
    return endOperation(state, data, { status: 'Cancelled', ...progress });
  },
  FormExpired: (state, data) => endOperation(state, data, { status: 'FormExpired' }),
  NotExecuted: (state, data) => endOperation(state, data, { status: 'NotExecuted' }),

  LateApprovalFound: addLateApproval,
  AuthorizationExpired: (state, data) => updateOperation(state, data, () => ({ expiredAt: data.at })),
  Batched: (state, data) => updateOperation(state, data, (operation) => markBatched(operation, data)),
  LeftForNextBatch: (state, data) =>
    updateOperation(state, data, (operation) => markLeftForNextBatch(operation, data)),
  BankReturned: addBankReturn,
  NoticeOfChangeReceived: (state, data) =>
    updateOperation(state, data, ({ noticeIds }) => ({ noticeIds: [...noticeIds, data.noticeId] })),
  ChargebackReceived: (state, data) => {
    const { chargebackId: id, at, amount } = data;
    const next = updateOperation(state, data, ({ chargebacks = [] }) => ({
      chargebacks: [...chargebacks, { id, at, amount }],
    }));
    return withLimitFlags(next, data.operationId);
  },
});

export const foldPayment = foldOf(evolvePayment, noPayment);

function requestAttempt(state: PaymentState, data: PaymentEvents['TryRequested']): Payment {
  const { commandId, try: number, executedAs } = data;
  const account = pick(data, 'processor', 'processorAccount');
  const { networkTransactionId } = data;
  const plan = {
    ...pick(data, 'executedAs', 'amount', 'sendBefore', 'answerBefore'),
    // Processors send an empty id for none.
    ...(networkTransactionId && { networkTransactionId }),
  };
  const next = updateOperation(state, data, ({ kind, commandIds, accounts }) => ({
    commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
    progress: { status: 'InFlight' },
    accounts: [...accounts, account],
    attempt: { number, ...plan, ...account, resent: false },
    ...(kind === 'Refund' && { executedAs: executedAs === 'Void' ? 'Void' : 'Refund' }),
  }));
  return number === 1 ? assertWithinLimits(next, data.operationId) : next;
}

function addLateApproval(state: PaymentState, data: PaymentEvents['LateApprovalFound']): Payment {
  const { operationId, processor, processorAccount, gatewayTransactionId } = data;
  const isKnown = processor !== undefined && processorAccount !== undefined;
  const account: ProcessorAccount | undefined = isKnown ? { processor, processorAccount } : undefined;
  const late = {
    ...pick(data, 'try', 'amount'),
    ...(gatewayTransactionId && { gatewayTransactionId }),
    ...(account && { account }),
  };
  const next = updateOperation(state, data, ({ lateApprovals }) => ({
    lateApprovals: [...lateApprovals, late],
  }));
  const operation = findOperation(next, operationId);
  // A late sale, authorization or capture does not count, since it is reversed. A late refund can not be undone.
  const isLateRefund = operation !== undefined && undoesOperation(operation.kind);
  const counted = isLateRefund ? markMoneyMoved(next, data) : next;
  const flagged = withFlag(counted, isLateRefund ? 'LateRefund' : 'LateApproval', operationId);
  return withLimitFlags(flagged, operationId);
}

function addBankReturn(state: PaymentState, data: PaymentEvents['BankReturned']): Payment {
  const { returnId: id, operationId } = data;
  const before = requirePayment(state);
  const original = findOperation(before, operationId);
  const wasRefunded = original && captureBalance(before, original).refunded > 0;
  const next = updateOperation(before, data, ({ returns }) => ({
    returns: [...returns, { id, ...pick(data, 'at', 'code', 'amount') }],
  }));
  return withLimitFlags(wasRefunded ? withFlag(next, 'ReturnedAfterRefund', operationId) : next, operationId);
}

function updateAttempt(
  state: PaymentState,
  data: OperationEventData,
  change: (attempt: PaymentAttempt) => PaymentAttempt,
): Payment {
  return updateOperation(state, data, ({ attempt }) => (attempt ? { attempt: change(attempt) } : {}));
}

function markAccepted(attempt: PaymentAttempt): PaymentAttempt {
  return { ...attempt, accepted: true };
}

/** With `resumes` this service sends the attempt now; the processor has not received it before. */
function withoutChallenge(
  attempt: PaymentAttempt,
  { challengeId, threeDs, resumes }: PaymentEvents['ChallengeEnded'],
): PaymentAttempt {
  const endedChallenges = [...(attempt.endedChallenges ?? []), challengeId];
  return { ...attempt, endedChallenges, threeDs, ...(resumes && { ...resumes, accepted: false }) };
}
