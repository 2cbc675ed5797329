import type { ProcessorAccount, SendWindow } from '../attempt/index.js';
import {
  added,
  approved,
  batched,
  begun,
  changed,
  ended,
  existing,
  heard,
  newest,
  newOperation,
  opened,
  passedOver,
  withMoney,
} from './payment.change.js';
import type { PaymentEvent } from './payment.events.js';
import { flagged, withFlag, withinLimits } from './payment.flags.js';
import { ImpossibleHistory } from './payment.impossible.js';
import { captureBalance } from './payment.money.js';
import { findOperation, givesBack, noPayment, type PaymentState, type Try } from './payment.state.js';

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
      return opened(state, 'Sale', event.data);
    case 'AuthorizationRequested':
      return opened(state, 'Auth', event.data);
    case 'UnreferencedRefundRequested':
      return opened(state, 'UnreferencedRefund', event.data);
    case 'CaptureRequested':
      return begun(state, 'Capture', event.data);
    case 'RefundRequested':
      return begun(state, 'Refund', event.data, event.data.executedAs);
    case 'VoidRequested':
      return begun(state, 'Void', event.data);
    case 'ReversalRequested': {
      const { cause, ...data } = event.data;
      return added(existing(state), {
        ...newOperation('Reversal', data),
        originalId: data.originalOperationId,
        originalTry: data.originalTry,
        reversalCause: cause,
      });
    }
    case 'TryRequested': {
      const { data } = event;
      const next = changed(state, data, (operation) => ({
        commandIds: operation.commandIds.includes(data.commandId)
          ? operation.commandIds
          : [...operation.commandIds, data.commandId],
        progress: { status: 'InFlight' },
        accounts: [...operation.accounts, accountOf(data)],
        try: {
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
      return data.try === 1 ? withinLimits(next, data.operationId) : next;
    }
    case 'ResendRequested': {
      const { sendBefore, answerBefore } = event.data;
      return changed(state, event.data, ({ try: last }) =>
        last ? { try: { ...last, sendBefore, answerBefore, resent: true } } : {},
      );
    }
    case 'NotSent':
      return ended(state, event.data, { status: 'NotSent', reason: event.data.reason });
    case 'Interrupted': {
      const { cause, lostLink } = event.data;
      return changed(state, event.data, () => ({ progress: { status: 'Interrupted', cause, lostLink } }));
    }
    case 'ChallengeOpened': {
      const { challengeId, redirectUrl, expiresAt } = event.data;
      return changed(state, event.data, ({ try: last }) => ({
        progress: { status: 'ChallengeOpen', challengeId, redirectUrl, expiresAt },
        ...(last && { try: { ...last, accepted: true } }),
      }));
    }
    case 'ChallengeEnded': {
      const { resumes, challengeId } = event.data;
      return changed(state, event.data, ({ try: last }) => ({
        progress: { status: 'InFlight' },
        ...(last && { try: withoutChallenge(last, challengeId, resumes) }),
      }));
    }
    case 'Submitted': {
      const next = heard(state, event.data, { status: 'Processing' }, { amountApproved: 0, resultCode: 0 });
      return changed(next, event.data, ({ try: last }) => (last ? { try: { ...last, accepted: true } } : {}));
    }
    case 'TryFailed':
      return changed(state, event.data, (operation) => ({
        progress: { status: event.data.cause === 'ProcessorBatchClosed' ? 'InFlight' : 'AwaitingCustomer' },
        ...(event.data.cause === 'Declined' && {
          responses: newest(operation, {
            outcome: event.data,
            amountApproved: 0,
            resultCode: event.data.resultCode,
          }),
        }),
      }));
    case 'Authorized': {
      const { data } = event;
      const next = approved(state, data, data.amount, { amountBreakdown: data.amountBreakdown });
      const lasting = changed(next, data, () => (data.expiresAt ? { expiresAt: data.expiresAt } : {}));
      return flagged(lasting, data.operationId);
    }
    case 'Captured': {
      const { data } = event;
      // A sale's response is its Authorized; this is the fact that the money is billed.
      if (findOperation(state, data.operationId)?.kind === 'Sale') {
        return withMoney(ended(state, data, { status: 'Approved', amount: data.amount }), data);
      }
      const next = approved(state, data, data.amount, { amountBreakdown: data.amountBreakdown });
      return flagged(withMoney(next, data), data.operationId);
    }
    case 'Refunded':
      return flagged(
        withMoney(approved(state, event.data, event.data.amount), event.data),
        event.data.operationId,
      );
    case 'Voided':
    case 'Reversed':
      return flagged(approved(state, event.data, event.data.amount), event.data.operationId);
    case 'Declined': {
      const { resultCode, operationId } = event.data;
      const progress = { status: 'Declined', resultCode } as const;
      return flagged(heard(state, event.data, progress, { amountApproved: 0, resultCode }), operationId);
    }
    case 'Cancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return ended(state, event.data, {
        status: 'Cancelled',
        resultCode,
        ...(responseCode !== undefined && { responseCode }),
        ...(hostText !== undefined && { hostText }),
      });
    }
    case 'FormExpired':
    case 'NotExecuted':
      return ended(state, event.data, { status: event.type });
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
      const next = changed(state, data, ({ lateApprovals }) => ({ lateApprovals: [...lateApprovals, late] }));
      const operation = findOperation(next, data.operationId);
      // A late capture never counts, since it is reversed; nothing undoes what was given back.
      const isLateRefund = operation !== undefined && givesBack(operation.kind);
      const counted = isLateRefund ? withMoney(next, data) : next;
      const kind = isLateRefund ? 'LateRefund' : 'LateApproval';
      return flagged(withFlag(counted, kind, data.operationId), data.operationId);
    }
    case 'AuthorizationExpired':
      return changed(state, event.data, () => ({ expiredAt: event.data.at }));
    case 'Batched':
      return changed(state, event.data, (operation) => batched(operation, event.data));
    case 'LeftForNextBatch':
      return changed(state, event.data, (operation) => passedOver(operation, event.data));
    case 'BankReturned': {
      const { at, returnId: id, code, amount, operationId } = event.data;
      const before = existing(state);
      const original = findOperation(before, operationId);
      const gaveBack = original && captureBalance(before, original).refunded > 0;
      const next = changed(before, event.data, (operation) => ({
        returns: [...operation.returns, { id, at, code, amount }],
      }));
      return flagged(gaveBack ? withFlag(next, 'ReturnedAfterRefund', operationId) : next, operationId);
    }
    case 'NoticeOfChangeReceived':
      return changed(state, event.data, (operation) => ({
        noticeIds: [...operation.noticeIds, event.data.noticeId],
      }));
    case 'ChargebackReceived': {
      const { chargebackId: id, at, amount } = event.data;
      const next = changed(state, event.data, ({ chargebacks = [] }) => ({
        chargebacks: [...chargebacks, { id, at, amount }],
      }));
      return flagged(next, event.data.operationId);
    }
    default:
      return unhandled(event);
  }
}

/** Where it resumes, this service sends it now: the processor has not had it before. */
function withoutChallenge(last: Try, challengeId: string, resumes: SendWindow | undefined): Try {
  const endedChallenges = [...(last.endedChallenges ?? []), challengeId];
  return { ...last, endedChallenges, ...(resumes && { ...resumes, accepted: false }) };
}

function accountOf({ processor, processorAccount }: ProcessorAccount): ProcessorAccount {
  return { processor, processorAccount };
}

function unhandled(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as PaymentEvent).type} is not handled`);
}
