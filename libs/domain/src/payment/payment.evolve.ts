import type { ProcessorAccount, SendWindow } from '../attempt/index.js';
import {
  addOperation,
  addApproval,
  markBatched,
  addFollowUp,
  updateOperation,
  endOperation,
  requirePayment,
  addResponse,
  replaceResponse,
  newOperation,
  newPayment,
  markLeftForNextBatch,
  markMoneyMoved,
} from './evolve/operation.changes.js';
import type { PaymentEvent } from './payment.events.js';
import { withLimitFlags, withFlag, assertWithinLimits } from './evolve/limit.flags.js';
import { ImpossibleHistory } from '../shared/impossible-history.js';
import { captureBalance } from './payment.balance.js';
import {
  findOperation,
  undoesOperation,
  noPayment,
  type PaymentState,
  type PaymentAttempt,
} from './payment.state.js';

export function foldPayment(events: Iterable<PaymentEvent>, from: PaymentState = noPayment): PaymentState {
  let state = from;
  for (const event of events) state = evolvePayment(state, event);
  return state;
}

/**
 * The next state. Requests that break a rule of money are impossible and throw; facts from outside are always taken,
 * and a limit that they break raises a flag.
 */
export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'SaleRequested':
      return newPayment(state, 'Sale', event.data);
    case 'AuthorizationRequested':
      return newPayment(state, 'Auth', event.data);
    case 'UnreferencedRefundRequested':
      return newPayment(state, 'UnreferencedRefund', event.data);
    case 'CaptureRequested':
      return addFollowUp(state, 'Capture', event.data);
    case 'RefundRequested':
      return addFollowUp(state, 'Refund', event.data, event.data.executedAs);
    case 'VoidRequested':
      return addFollowUp(state, 'Void', event.data);
    case 'ReversalRequested': {
      const { cause, ...data } = event.data;
      return addOperation(requirePayment(state), {
        ...newOperation('Reversal', data),
        originalId: data.originalOperationId,
        originalTry: data.originalTry,
        reversalCause: cause,
      });
    }
    case 'TryRequested': {
      const { data } = event;
      const next = updateOperation(state, data, (operation) => ({
        commandIds: operation.commandIds.includes(data.commandId)
          ? operation.commandIds
          : [...operation.commandIds, data.commandId],
        progress: { status: 'InFlight' },
        accounts: [...operation.accounts, accountOf(data)],
        attempt: {
          number: data.try,
          executedAs: data.executedAs,
          amount: data.amount,
          sendBefore: data.sendBefore,
          answerBefore: data.answerBefore,
          processor: data.processor,
          processorAccount: data.processorAccount,
          resent: false,
          ...(data.networkTransactionId && { networkTransactionId: data.networkTransactionId }),
        },
        ...(operation.kind === 'Refund' && { executedAs: data.executedAs === 'Void' ? 'Void' : 'Refund' }),
      }));
      return data.try === 1 ? assertWithinLimits(next, data.operationId) : next;
    }
    case 'ResendRequested': {
      const { sendBefore, answerBefore } = event.data;
      return updateOperation(state, event.data, ({ attempt: last }) =>
        last ? { attempt: { ...last, sendBefore, answerBefore, resent: true } } : {},
      );
    }
    case 'NotSent':
      return endOperation(state, event.data, { status: 'NotSent', reason: event.data.reason });
    case 'Interrupted': {
      const { cause, lostLink } = event.data;
      return updateOperation(state, event.data, () => ({
        progress: { status: 'Interrupted', cause, lostLink },
      }));
    }
    case 'ChallengeOpened': {
      const { challengeId, redirectUrl, expiresAt } = event.data;
      return updateOperation(state, event.data, ({ attempt: last }) => ({
        progress: { status: 'ChallengeOpen', challengeId, redirectUrl, expiresAt },
        ...(last && { attempt: { ...last, accepted: true } }),
      }));
    }
    case 'ChallengeEnded': {
      const { resumes, challengeId } = event.data;
      return updateOperation(state, event.data, ({ attempt: last }) => ({
        progress: { status: 'InFlight' },
        ...(last && { attempt: withoutChallenge(last, challengeId, resumes) }),
      }));
    }
    case 'Submitted': {
      const next = addResponse(
        state,
        event.data,
        { status: 'Processing' },
        { amountApproved: 0, resultCode: 0 },
      );
      return updateOperation(next, event.data, ({ attempt: last }) =>
        last ? { attempt: { ...last, accepted: true } } : {},
      );
    }
    case 'TryFailed':
      return updateOperation(state, event.data, (operation) => ({
        progress: { status: event.data.cause === 'ProcessorBatchClosed' ? 'InFlight' : 'AwaitingCustomer' },
        ...(event.data.cause === 'Declined' && {
          responses: replaceResponse(operation, {
            outcome: event.data,
            amountApproved: 0,
            resultCode: event.data.resultCode,
          }),
        }),
      }));
    case 'Authorized': {
      const { data } = event;
      const next = addApproval(state, data, data.amount, { amountBreakdown: data.amountBreakdown });
      const lasting = updateOperation(next, data, () =>
        data.expiresAt ? { expiresAt: data.expiresAt } : {},
      );
      return withLimitFlags(lasting, data.operationId);
    }
    case 'Captured': {
      const { data } = event;
      // A sale's response is its Authorized; this is the fact that the money is billed.
      if (findOperation(state, data.operationId)?.kind === 'Sale') {
        return markMoneyMoved(endOperation(state, data, { status: 'Approved', amount: data.amount }), data);
      }
      const next = addApproval(state, data, data.amount, { amountBreakdown: data.amountBreakdown });
      return withLimitFlags(markMoneyMoved(next, data), data.operationId);
    }
    case 'Refunded':
      return withLimitFlags(
        markMoneyMoved(addApproval(state, event.data, event.data.amount), event.data),
        event.data.operationId,
      );
    case 'Voided':
    case 'Reversed':
      return withLimitFlags(addApproval(state, event.data, event.data.amount), event.data.operationId);
    case 'Declined': {
      const { resultCode, operationId } = event.data;
      const progress = { status: 'Declined', resultCode } as const;
      return withLimitFlags(
        addResponse(state, event.data, progress, { amountApproved: 0, resultCode }),
        operationId,
      );
    }
    case 'Cancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return endOperation(state, event.data, {
        status: 'Cancelled',
        resultCode,
        ...(responseCode !== undefined && { responseCode }),
        ...(hostText !== undefined && { hostText }),
      });
    }
    case 'FormExpired':
    case 'NotExecuted':
      return endOperation(state, event.data, { status: event.type });
    case 'LateApprovalFound': {
      const { data } = event;
      const { processor, processorAccount } = data;
      const late = {
        try: data.try,
        amount: data.amount,
        ...(processor !== undefined &&
          processorAccount !== undefined && { account: { processor, processorAccount } }),
        ...(data.gatewayTransactionId && { gatewayTransactionId: data.gatewayTransactionId }),
      };
      const next = updateOperation(state, data, ({ lateApprovals }) => ({
        lateApprovals: [...lateApprovals, late],
      }));
      const operation = findOperation(next, data.operationId);
      // A late capture never counts, since it is reversed; nothing undoes what was given back.
      const isLateRefund = operation !== undefined && undoesOperation(operation.kind);
      const counted = isLateRefund ? markMoneyMoved(next, data) : next;
      const kind = isLateRefund ? 'LateRefund' : 'LateApproval';
      return withLimitFlags(withFlag(counted, kind, data.operationId), data.operationId);
    }
    case 'AuthorizationExpired':
      return updateOperation(state, event.data, () => ({ expiredAt: event.data.at }));
    case 'Batched':
      return updateOperation(state, event.data, (operation) => markBatched(operation, event.data));
    case 'LeftForNextBatch':
      return updateOperation(state, event.data, (operation) => markLeftForNextBatch(operation, event.data));
    case 'BankReturned': {
      const { at, returnId: id, code, amount, operationId } = event.data;
      const before = requirePayment(state);
      const original = findOperation(before, operationId);
      const gaveBack = original && captureBalance(before, original).refunded > 0;
      const next = updateOperation(before, event.data, (operation) => ({
        returns: [...operation.returns, { id, at, code, amount }],
      }));
      return withLimitFlags(
        gaveBack ? withFlag(next, 'ReturnedAfterRefund', operationId) : next,
        operationId,
      );
    }
    case 'NoticeOfChangeReceived':
      return updateOperation(state, event.data, (operation) => ({
        noticeIds: [...operation.noticeIds, event.data.noticeId],
      }));
    case 'ChargebackReceived': {
      const { chargebackId: id, at, amount } = event.data;
      const next = updateOperation(state, event.data, ({ chargebacks = [] }) => ({
        chargebacks: [...chargebacks, { id, at, amount }],
      }));
      return withLimitFlags(next, event.data.operationId);
    }
    default:
      return unhandled(event);
  }
}

/** Where it resumes, this service sends it now: the processor has not had it before. */
function withoutChallenge(
  last: PaymentAttempt,
  challengeId: string,
  resumes: SendWindow | undefined,
): PaymentAttempt {
  const endedChallenges = [...(last.endedChallenges ?? []), challengeId];
  return { ...last, endedChallenges, ...(resumes && { ...resumes, accepted: false }) };
}

function accountOf({ processor, processorAccount }: ProcessorAccount): ProcessorAccount {
  return { processor, processorAccount };
}

function unhandled(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as PaymentEvent).type} is not handled`);
}
