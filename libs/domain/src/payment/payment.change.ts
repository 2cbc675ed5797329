import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type {
  Batched,
  CaptureRequested,
  LeftForNextBatch,
  PaymentRequested,
  RefundRequested,
  TryOutcome,
  VoidRequested,
} from './payment.events.js';
import { flagged } from './payment.flags.js';
import { ImpossibleHistory } from './payment.impossible.js';
import {
  findOperation,
  type Operation,
  type OperationKind,
  type Payment,
  type PaymentState,
  type TryResponse,
} from './payment.state.js';

/* The few ways in which an event changes a payment. */

export function existing(state: PaymentState): Payment {
  if (state.status === 'None') throw new ImpossibleHistory('the payment was never opened');
  return state;
}

export function opened(state: PaymentState, kind: OperationKind, data: PaymentRequested): Payment {
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

export function begun(
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

export function newOperation(kind: OperationKind, data: Requested): Operation {
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
    accounts: [],
    responses: [],
    lateApprovals: [],
    returns: [],
    noticeIds: [],
  };
}

export function added(payment: Payment, operation: Operation): Payment {
  if (findOperation(payment, operation.id)) throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...payment, operations: [...payment.operations, operation] };
}

export function changed(
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

export function ended(
  state: PaymentState,
  data: { readonly operationId: OperationId; readonly at: string },
  progress: Operation['progress'],
): Payment {
  return flagged(
    changed(state, data, () => ({ progress })),
    data.operationId,
  );
}

export function batched(operation: Operation, { batchId, returnId, amount }: Batched): Partial<Operation> {
  if (returnId === undefined) return { batch: { id: batchId, amount } };
  return { returns: operation.returns.map((one) => (one.id === returnId ? { ...one, batchId } : one)) };
}

/** Nothing that a client sees changes: not its time either. */
export function passedOver(
  { passedOver: before = [], updatedAt }: Operation,
  { batchId, closing }: LeftForNextBatch,
): Partial<Operation> {
  return { updatedAt, passedOver: [...before, { batchId, closing }] };
}

/** By the first fact that says so. */
export function withMoney(
  state: PaymentState,
  fact: { readonly operationId: OperationId; readonly at: string },
): Payment {
  return changed(state, fact, ({ movedAt = fact.at }) => ({ movedAt }));
}

export function heard(
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

export function approved(
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
export function newest(operation: Operation, response: TryResponse): TryResponse[] {
  return [response, ...operation.responses.filter(({ outcome }) => outcome.try !== response.outcome.try)];
}
