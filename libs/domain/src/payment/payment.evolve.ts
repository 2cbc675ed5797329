import type { ProcessorAccount, SendWindow } from '../attempt/index.js';
import { foldOf } from '../shared/fold.js';
import { ImpossibleHistory } from '../shared/impossible-history.js';
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
  replaceResponse,
  requirePayment,
  updateOperation,
} from './evolve/operation.changes.js';
import { assertWithinLimits, withFlag, withLimitFlags } from './evolve/limit.flags.js';
import { captureBalance } from './payment.balance.js';
import type {
  BankReturned,
  LateApprovalFound,
  PaymentEvent,
  PaymentEventOf,
  PaymentEventType,
  TryRequested,
} from './payment.events.js';
import {
  findOperation,
  noPayment,
  undoesOperation,
  type Payment,
  type PaymentAttempt,
  type PaymentState,
} from './payment.state.js';

export const foldPayment = foldOf<PaymentState, PaymentEvent>(evolvePayment, noPayment);

/**
 * The next state. A request that breaks a rule of money is impossible. A fact from outside is always taken, and raises a
 * flag if it breaks a limit.
 *
 * @throws ImpossibleHistory if no decision could have made this history
 */
export function evolvePayment(state: PaymentState, { type, data }: PaymentEvent): PaymentState {
  if (!Object.hasOwn(EVOLVE, type)) throw new ImpossibleHistory(`event type ${type} is not handled`);
  const evolve = EVOLVE[type] as (state: PaymentState, data: PaymentEvent['data']) => Payment;
  return evolve(state, data);
}

type Evolvers = {
  readonly [Type in PaymentEventType]: (state: PaymentState, data: PaymentEventOf<Type>['data']) => Payment;
};

const EVOLVE: Evolvers = {
  SaleRequested: (state, data) => newPayment(state, 'Sale', data),
  AuthorizationRequested: (state, data) => newPayment(state, 'Auth', data),
  UnreferencedRefundRequested: (state, data) => newPayment(state, 'UnreferencedRefund', data),
  CaptureRequested: (state, data) => addFollowUp(state, 'Capture', data),
  RefundRequested: (state, data) => addFollowUp(state, 'Refund', data, data.executedAs),
  VoidRequested: (state, data) => addFollowUp(state, 'Void', data),
  ReversalRequested: (state, { cause, ...data }) =>
    addOperation(requirePayment(state), {
      ...newOperation('Reversal', data),
      originalId: data.originalOperationId,
      originalTry: data.originalTry,
      reversalCause: cause,
    }),

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
  ChallengeOpened: (state, data) => {
    const { challengeId, redirectUrl, expiresAt } = data;
    const next = updateOperation(state, data, () => ({
      progress: { status: 'ChallengeOpen', challengeId, redirectUrl, expiresAt },
    }));
    return updateAttempt(next, data, markAccepted);
  },
  ChallengeEnded: (state, data) => {
    const { challengeId, resumes } = data;
    const next = updateOperation(state, data, () => ({ progress: { status: 'InFlight' } }));
    return updateAttempt(next, data, (attempt) => withoutChallenge(attempt, challengeId, resumes));
  },
  Submitted: (state, data) => {
    const response = { amountApproved: 0, resultCode: 0 };
    return updateAttempt(addResponse(state, data, { status: 'Processing' }, response), data, markAccepted);
  },
  TryFailed: (state, data) =>
    updateOperation(state, data, (operation) => ({
      progress: { status: data.cause === 'ProcessorBatchClosed' ? 'InFlight' : 'AwaitingCustomer' },
      ...(data.cause === 'Declined' && {
        responses: replaceResponse(operation, {
          outcome: data,
          amountApproved: 0,
          resultCode: data.resultCode,
        }),
      }),
    })),

  Authorized: (state, data) => {
    const { amount, amountBreakdown, expiresAt } = data;
    const next = addApproval(state, data, amount, { amountBreakdown });
    const withExpiry = updateOperation(next, data, () => (expiresAt ? { expiresAt } : {}));
    return withLimitFlags(withExpiry, data.operationId);
  },
  Captured: (state, data) => {
    const { amount, amountBreakdown } = data;
    // The response of a sale is its Authorized event; Captured adds only that the money moved.
    if (findOperation(state, data.operationId)?.kind === 'Sale') {
      return markMoneyMoved(endOperation(state, data, { status: 'Approved', amount }), data);
    }
    const next = addApproval(state, data, amount, { amountBreakdown });
    return withLimitFlags(markMoneyMoved(next, data), data.operationId);
  },
  Refunded: (state, data) =>
    withLimitFlags(markMoneyMoved(addApproval(state, data, data.amount), data), data.operationId),
  Voided: (state, data) => withLimitFlags(addApproval(state, data, data.amount), data.operationId),
  Reversed: (state, data) => withLimitFlags(addApproval(state, data, data.amount), data.operationId),
  Declined: (state, data) => {
    const { resultCode, operationId } = data;
    const response = { amountApproved: 0, resultCode };
    return withLimitFlags(
      addResponse(state, data, { status: 'Declined', resultCode }, response),
      operationId,
    );
  },
  Cancelled: (state, data) => {
    const { resultCode, responseCode, hostText } = data;
    return endOperation(state, data, {
      status: 'Cancelled',
      resultCode,
      ...(responseCode !== undefined && { responseCode }),
      ...(hostText !== undefined && { hostText }),
    });
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
};

function requestAttempt(state: PaymentState, data: TryRequested): Payment {
  const { commandId, try: number, executedAs, amount, sendBefore, answerBefore, networkTransactionId } = data;
  const { processor, processorAccount } = data;
  const next = updateOperation(state, data, ({ kind, commandIds, accounts }) => ({
    commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
    progress: { status: 'InFlight' },
    accounts: [...accounts, { processor, processorAccount }],
    attempt: {
      number,
      executedAs,
      amount,
      sendBefore,
      answerBefore,
      processor,
      processorAccount,
      resent: false,
      ...(networkTransactionId && { networkTransactionId }),
    },
    ...(kind === 'Refund' && { executedAs: executedAs === 'Void' ? 'Void' : 'Refund' }),
  }));
  return number === 1 ? assertWithinLimits(next, data.operationId) : next;
}

function addLateApproval(state: PaymentState, data: LateApprovalFound): Payment {
  const { operationId, amount, gatewayTransactionId } = data;
  const account = accountIn(data);
  const late = {
    try: data.try,
    amount,
    ...(account && { account }),
    ...(gatewayTransactionId && { gatewayTransactionId }),
  };
  const next = updateOperation(state, data, ({ lateApprovals }) => ({
    lateApprovals: [...lateApprovals, late],
  }));
  const operation = findOperation(next, operationId);
  // A late sale, authorization or capture does not count, since it is reversed. A late refund can not be undone.
  const isLateRefund = operation !== undefined && undoesOperation(operation.kind);
  const counted = isLateRefund ? markMoneyMoved(next, data) : next;
  return withLimitFlags(
    withFlag(counted, isLateRefund ? 'LateRefund' : 'LateApproval', operationId),
    operationId,
  );
}

function addBankReturn(state: PaymentState, data: BankReturned): Payment {
  const { at, returnId: id, code, amount, operationId } = data;
  const before = requirePayment(state);
  const original = findOperation(before, operationId);
  const wasRefunded = original && captureBalance(before, original).refunded > 0;
  const next = updateOperation(before, data, ({ returns }) => ({
    returns: [...returns, { id, at, code, amount }],
  }));
  return withLimitFlags(wasRefunded ? withFlag(next, 'ReturnedAfterRefund', operationId) : next, operationId);
}

function accountIn({ processor, processorAccount }: LateApprovalFound): ProcessorAccount | undefined {
  if (processor === undefined || processorAccount === undefined) return undefined;
  return { processor, processorAccount };
}

function updateAttempt(
  state: PaymentState,
  data: PaymentEvent['data'],
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
  challengeId: string,
  resumes: SendWindow | undefined,
): PaymentAttempt {
  const endedChallenges = [...(attempt.endedChallenges ?? []), challengeId];
  return { ...attempt, endedChallenges, ...(resumes && { ...resumes, accepted: false }) };
}
