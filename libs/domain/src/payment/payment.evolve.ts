import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type {
  Batched,
  CaptureRequested,
  PaymentEvent,
  PaymentRequested,
  RefundRequested,
  TryOutcome,
  VoidRequested,
} from './payment.events.js';
import { captureBalance, openAmount } from './payment.money.js';
import {
  didNotHappen,
  findOperation,
  givesBack,
  isPending,
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
        try: {
          number: data.try,
          executedAs: data.executedAs,
          amount: data.amount,
          sendBefore: data.sendBefore,
          answerBefore: data.answerBefore,
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
      return changed(state, event.data, () => ({
        progress: { status: 'ChallengeOpen', challengeId, redirectUrl, expiresAt },
      }));
    }
    case 'ChallengeEnded': {
      const { resumes } = event.data;
      return changed(state, event.data, ({ try: last }) => ({
        progress: { status: 'InFlight' },
        ...(last && resumes && { try: { ...last, ...resumes } }),
      }));
    }
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
      const lasting = changed(next, data, () => (data.expiresAt ? { expiresAt: data.expiresAt } : {}));
      return flagged(lasting, data.operationId);
    }
    case 'Captured': {
      const { data } = event;
      // A sale's response is its Authorized; this is the fact that the money is billed.
      if (findOperation(state, data.operationId)?.kind === 'Sale') {
        return ended(state, data, { status: 'Approved', amount: data.amount });
      }
      const next = approved(state, data, data.amount, { amountBreakdown: data.amountBreakdown });
      return flagged(next, data.operationId);
    }
    case 'Refunded':
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
      const late = {
        try: data.try,
        amount: data.amount,
        ...(data.gatewayTransactionId && { gatewayTransactionId: data.gatewayTransactionId }),
      };
      const next = changed(state, data, ({ lateApprovals }) => ({ lateApprovals: [...lateApprovals, late] }));
      const operation = findOperation(next, data.operationId);
      const kind = operation && givesBack(operation.kind) ? 'LateRefund' : 'LateApproval';
      return flagged(withFlag(next, kind, data.operationId), data.operationId);
    }
    case 'AuthorizationExpired':
      return changed(state, event.data, () => ({ expiredAt: event.data.at }));
    case 'Batched':
      return changed(state, event.data, (operation) => batched(operation, event.data));
    case 'BankReturned': {
      const { returnId: id, code, amount, operationId } = event.data;
      const before = existing(state);
      const original = findOperation(before, operationId);
      const gaveBack = original && captureBalance(before, original).refunded > 0;
      const next = changed(before, event.data, (operation) => ({
        returns: [...operation.returns, { id, code, amount }],
      }));
      return flagged(gaveBack ? withFlag(next, 'ReturnedAfterRefund', operationId) : next, operationId);
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
    lateApprovals: [],
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

function ended(
  state: PaymentState,
  data: { readonly operationId: OperationId; readonly at: string },
  progress: Operation['progress'],
): Payment {
  return flagged(
    changed(state, data, () => ({ progress })),
    data.operationId,
  );
}

function batched(operation: Operation, { batchId, returnId, amount }: Batched): Partial<Operation> {
  if (returnId === undefined) return { batch: { id: batchId, amount } };
  return { returns: operation.returns.map((one) => (one.id === returnId ? { ...one, batchId } : one)) };
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
 * that the service gives by itself (already voided, expired) has no try and may ask for more than there is. A late
 * approval's reversal undoes what never counted.
 */
function withinLimits(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  if (original && operation.reversalCause !== 'LateApproval' && openAmount(payment, original) < 0) {
    throw new ImpossibleHistory(`operation ${operationId} asks for more than is open`);
  }
  return payment;
}

/** An operation without an outcome has no limit yet: a bank's return may be told before its approval. */
function flagged(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  let next = payment;
  for (const one of [operation, original]) {
    if (!one || isPending(one)) continue;
    const limited = one.kind === 'Auth' || one.kind === 'Sale' || one.kind === 'Capture';
    if (limited && openAmount(payment, one) < 0) {
      next = withFlag(next, one.kind === 'Auth' ? 'OverCaptured' : 'OverRefunded', one.id);
    }
    if (movedAmount(one) > one.amount) next = withFlag(next, 'OverAuthorized', one.id);
    if (one.kind === 'Reversal' && !didNotHappen(one) && movedAmount(one) < one.amount) {
      next = withFlag(next, 'ReversalFailed', one.id);
    }
  }
  return next;
}

function withFlag(payment: Payment, kind: PaymentFlag['kind'], operationId: OperationId): Payment {
  const known = payment.flags.some((flag) => flag.kind === kind && flag.operationId === operationId);
  return known ? payment : { ...payment, flags: [...payment.flags, { kind, operationId }] };
}
