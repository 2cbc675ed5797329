import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type {
  CaptureRequested,
  PaymentEvent,
  PaymentRequested,
  RefundRequested,
  TryOutcome,
  VoidRequested,
} from './payment.events.js';
import { captureBalance, openAmount } from './payment.money.js';
import {
  findOperation,
  movedAmount,
  noPayment,
  type Operation,
  type OperationKind,
  type Payment,
  type PaymentFlag,
  type PaymentState,
  type TryResponse,
} from './payment.state.js';

/** A history that no decision could have made: the store was tampered with or a rule was broken. */
export class ImpossibleHistory extends Error {
  override readonly name = 'ImpossibleHistory';
}

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
        try: {
          number: data.try,
          executedAs: data.executedAs,
          amount: data.amount,
          sendBefore: data.sendBefore,
          resent: false,
          ...(data.networkTransactionId && { networkTransactionId: data.networkTransactionId }),
        },
        ...(operation.kind === 'Refund' && { executedAs: data.executedAs === 'Void' ? 'Void' : 'Refund' }),
      }));
      return data.try === 1 ? withinLimits(next, data.operationId) : next;
    }
    case 'ResendRequested':
      return changed(state, event.data, ({ try: last }) =>
        last ? { try: { ...last, sendBefore: event.data.sendBefore, resent: true } } : {},
      );
    case 'NotSent':
      return changed(state, event.data, () => ({
        progress: { status: 'NotSent', reason: event.data.reason },
      }));
    case 'Interrupted': {
      const { cause, lostLink } = event.data;
      return changed(state, event.data, () => ({ progress: { status: 'Interrupted', cause, lostLink } }));
    }
    case 'ChallengeOpened': {
      const { challengeId, redirectUrl, expiresAt } = event.data;
      return changed(state, event.data, () => ({
        progress: { status: 'ChallengeOpen', challengeId, redirectUrl, expiresAt },
      }));
    }
    case 'ChallengeEnded':
      return changed(state, event.data, () => ({ progress: { status: 'InFlight' } }));
    case 'Submitted':
      return heard(state, event.data, { status: 'Processing' }, { amountApproved: 0, resultCode: 0 });
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
      return changed(next, data, () => (data.expiresAt ? { expiresAt: data.expiresAt } : {}));
    }
    case 'Captured': {
      const { data } = event;
      // A sale's response is its Authorized; this is the fact that the money is billed.
      if (findOperation(state, data.operationId)?.kind === 'Sale') {
        return flagged(
          changed(state, data, () => ({ progress: { status: 'Approved', amount: data.amount } })),
        );
      }
      return flagged(approved(state, data, data.amount, { amountBreakdown: data.amountBreakdown }));
    }
    case 'Refunded':
    case 'Voided':
    case 'Reversed':
      return flagged(approved(state, event.data, event.data.amount));
    case 'Declined': {
      const { resultCode } = event.data;
      const next = heard(
        state,
        event.data,
        { status: 'Declined', resultCode },
        { amountApproved: 0, resultCode },
      );
      const operation = findOperation(next, event.data.operationId);
      return operation?.kind === 'Reversal' ? withFlag(next, 'ReversalFailed', operation.id) : next;
    }
    case 'Cancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return changed(state, event.data, () => ({
        progress: {
          status: 'Cancelled',
          resultCode,
          ...(responseCode !== undefined && { responseCode }),
          ...(hostText !== undefined && { hostText }),
        },
      }));
    }
    case 'FormExpired':
      return changed(state, event.data, () => ({ progress: { status: 'FormExpired' } }));
    case 'NotExecuted':
      return changed(state, event.data, () => ({ progress: { status: 'NotExecuted' } }));
    case 'LateApprovalFound': {
      const { data } = event;
      const next = changed(state, data, () => ({
        lateApproval: {
          try: data.try,
          amount: data.amount,
          ...(data.gatewayTransactionId && { gatewayTransactionId: data.gatewayTransactionId }),
        },
      }));
      const kind = findOperation(next, data.operationId)?.kind;
      const undoable = kind !== 'Refund' && kind !== 'Void';
      return flagged(withFlag(next, undoable ? 'LateApproval' : 'LateRefund', data.operationId));
    }
    case 'AuthorizationExpired':
      return changed(state, event.data, () => ({ expiredAt: event.data.at }));
    case 'Batched':
      return changed(state, event.data, () => ({
        batch: { id: event.data.batchId, amount: event.data.amount },
      }));
    case 'BankReturned': {
      const { returnId: id, code, amount, operationId } = event.data;
      const before = existing(state);
      const original = findOperation(before, operationId);
      const gaveBack = original && captureBalance(before, original).refunded > 0;
      const next = changed(before, event.data, (operation) => ({
        returns: [...operation.returns, { id, code, amount }],
      }));
      return flagged(gaveBack ? withFlag(next, 'ReturnedAfterRefund', operationId) : next);
    }
    case 'NoticeOfChangeReceived':
      return changed(state, event.data, (operation) => ({
        noticeIds: [...operation.noticeIds, event.data.noticeId],
      }));
    default:
      return unhandled(event);
  }
}

function unhandled(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as PaymentEvent).type} is not handled`);
}

function existing(state: PaymentState): Payment {
  if (state.status === 'None') throw new ImpossibleHistory('the payment was never opened');
  return state;
}

function opened(state: PaymentState, kind: OperationKind, data: PaymentRequested): Payment {
  if (state.status !== 'None') throw new ImpossibleHistory('a payment is opened once');
  const { merchantId, currency, channel, paymentMethod, terminalId, accountHolderId, form } = data;
  return {
    status: 'Opened',
    merchantId,
    currency,
    channel,
    paymentMethod,
    ...(terminalId && { terminalId }),
    ...(accountHolderId && { accountHolderId }),
    ...(form && { form }),
    operations: [newOperation(kind, data)],
    flags: [],
  };
}

function begun(
  state: PaymentState,
  kind: OperationKind,
  data: CaptureRequested | RefundRequested | VoidRequested,
  executedAs?: 'Void' | 'Refund',
): Payment {
  const payment = existing(state);
  if (!findOperation(payment, data.originalOperationId))
    throw new ImpossibleHistory('its original does not exist');
  const operation = newOperation(kind, data);
  return added(payment, {
    ...operation,
    originalId: data.originalOperationId,
    ...(executedAs && { executedAs }),
  });
}

type Requested = Pick<PaymentRequested, 'operationId' | 'commandId' | 'amount' | 'at'> &
  Partial<Pick<PaymentRequested, 'referenceId' | 'amountBreakdown' | 'invoiceNumber' | 'orderNumber'>>;

function newOperation(kind: OperationKind, data: Requested): Operation {
  const { operationId, commandId, referenceId, amount, amountBreakdown, invoiceNumber, orderNumber, at } =
    data;
  return {
    id: operationId,
    kind,
    commandIds: [commandId],
    amount,
    ...(referenceId !== undefined && { referenceId }),
    ...(amountBreakdown && { amountBreakdown }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    ...(orderNumber !== undefined && { orderNumber }),
    createdAt: at,
    updatedAt: at,
    progress: { status: 'AwaitingCustomer' },
    responses: [],
    returns: [],
    noticeIds: [],
  };
}

function added(payment: Payment, operation: Operation): Payment {
  if (findOperation(payment, operation.id)) throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...payment, operations: [...payment.operations, operation] };
}

function changed(
  state: PaymentState,
  { operationId, at }: { readonly operationId: OperationId; readonly at: string },
  change: (operation: Operation) => Partial<Operation>,
): Payment {
  const payment = existing(state);
  const index = payment.operations.findIndex((operation) => operation.id === operationId);
  const operation = payment.operations[index];
  if (!operation) throw new ImpossibleHistory(`operation ${operationId} was never requested`);
  const operations = payment.operations.slice();
  operations[index] = { ...operation, updatedAt: at, ...change(operation) };
  return { ...payment, operations };
}

function heard(
  state: PaymentState,
  outcome: TryOutcome,
  progress: Operation['progress'],
  response: Omit<TryResponse, 'outcome'>,
): Payment {
  return changed(state, outcome, (operation) => ({
    progress,
    responses: newest(operation, { outcome, ...response }),
  }));
}

function approved(
  state: PaymentState,
  outcome: TryOutcome,
  amount: Cents,
  more: Partial<TryResponse> = {},
): Payment {
  return heard(
    state,
    outcome,
    { status: 'Approved', amount },
    { amountApproved: amount, resultCode: 0, ...more },
  );
}

/** A later word on the same try replaces the earlier one. */
function newest(operation: Operation, response: TryResponse): TryResponse[] {
  return [response, ...operation.responses.filter(({ outcome }) => outcome.try !== response.outcome.try)];
}

/**
 * The second assertion of decisions.md 5.2, where money is about to move; the first is in payment.decide.ts. An answer
 * that the service gives by itself (already voided, expired) has no try and may ask for more than there is.
 */
function withinLimits(payment: Payment, operationId: OperationId): Payment {
  const originalId = findOperation(payment, operationId)?.originalId;
  const original = originalId && findOperation(payment, originalId);
  if (original && openAmount(payment, original) < 0) {
    throw new ImpossibleHistory(`operation ${operationId} asks for more than is open`);
  }
  return payment;
}

function flagged(payment: Payment): Payment {
  let next = payment;
  for (const operation of payment.operations) {
    const limited = operation.kind === 'Auth' || operation.kind === 'Sale' || operation.kind === 'Capture';
    if (limited && openAmount(payment, operation) < 0) {
      next = withFlag(next, operation.kind === 'Auth' ? 'OverCaptured' : 'OverRefunded', operation.id);
    }
    if (movedAmount(operation) > operation.amount) next = withFlag(next, 'OverAuthorized', operation.id);
  }
  return next;
}

function withFlag(payment: Payment, kind: PaymentFlag['kind'], operationId: OperationId): Payment {
  const known = payment.flags.some((flag) => flag.kind === kind && flag.operationId === operationId);
  return known ? payment : { ...payment, flags: [...payment.flags, { kind, operationId }] };
}
