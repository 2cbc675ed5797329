import type { OperationId } from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import type {
  Batched,
  CaptureRequested,
  LeftForNextBatch,
  PaymentRequested,
  RefundRequested,
  AttemptOutcome,
  VoidRequested,
} from '../payment.events.js';
import { withLimitFlags } from './limit.flags.js';
import { ImpossibleHistory } from '../../shared/impossible-history.js';
import {
  findOperation,
  type Operation,
  type OperationKind,
  type Payment,
  type PaymentState,
  type RecordedResponse,
} from '../payment.state.js';

export function requirePayment(state: PaymentState): Payment {
  if (state.status === 'None') throw new ImpossibleHistory('the payment was never opened');
  return state;
}

export function newPayment(state: PaymentState, kind: OperationKind, data: PaymentRequested): Payment {
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

export function addFollowUp(
  state: PaymentState,
  kind: OperationKind,
  data: CaptureRequested | RefundRequested | VoidRequested,
  executedAs?: 'Void' | 'Refund',
): Payment {
  const payment = requirePayment(state);
  if (!findOperation(payment, data.originalOperationId))
    throw new ImpossibleHistory('the original operation does not exist');
  const operation = newOperation(kind, data);
  return addOperation(payment, {
    ...operation,
    originalId: data.originalOperationId,
    ...(executedAs && { executedAs }),
  });
}

type OperationRequest = Pick<PaymentRequested, 'operationId' | 'commandId' | 'amount' | 'at'> &
  Partial<Pick<PaymentRequested, 'referenceId' | 'amountBreakdown' | 'invoiceNumber' | 'orderNumber'>>;

export function newOperation(kind: OperationKind, data: OperationRequest): Operation {
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

export function addOperation(payment: Payment, operation: Operation): Payment {
  if (findOperation(payment, operation.id)) throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...payment, operations: [...payment.operations, operation] };
}

export function updateOperation(
  state: PaymentState,
  { operationId, at }: { readonly operationId: OperationId; readonly at: string },
  change: (operation: Operation) => Partial<Operation>,
): Payment {
  const payment = requirePayment(state);
  const index = payment.operations.findIndex((operation) => operation.id === operationId);
  const operation = payment.operations[index];
  if (!operation) throw new ImpossibleHistory(`operation ${operationId} was never requested`);
  const operations = payment.operations.slice();
  operations[index] = { ...operation, updatedAt: at, ...change(operation) };
  return { ...payment, operations };
}

export function endOperation(
  state: PaymentState,
  data: { readonly operationId: OperationId; readonly at: string },
  progress: Operation['progress'],
): Payment {
  return withLimitFlags(
    updateOperation(state, data, () => ({ progress })),
    data.operationId,
  );
}

export function markBatched(
  operation: Operation,
  { batchId, returnId, amount }: Batched,
): Partial<Operation> {
  if (returnId === undefined) return { batch: { id: batchId, amount } };
  return {
    returns: operation.returns.map((bankReturn) =>
      bankReturn.id === returnId ? { ...bankReturn, batchId } : bankReturn,
    ),
  };
}

/** Keeps `updatedAt`, since a client sees no change. */
export function markLeftForNextBatch(
  { leftForNextBatch: before = [], updatedAt }: Operation,
  { batchId, closing }: LeftForNextBatch,
): Partial<Operation> {
  return { updatedAt, leftForNextBatch: [...before, { batchId, closing }] };
}

/** Keeps the time of the first fact. */
export function markMoneyMoved(
  state: PaymentState,
  fact: { readonly operationId: OperationId; readonly at: string },
): Payment {
  return updateOperation(state, fact, ({ movedAt = fact.at }) => ({ movedAt }));
}

export function addResponse(
  state: PaymentState,
  outcome: AttemptOutcome,
  progress: Operation['progress'],
  response: Omit<RecordedResponse, 'outcome'>,
): Payment {
  return updateOperation(state, outcome, (operation) => ({
    progress,
    responses: replaceResponse(operation, { outcome, ...response }),
  }));
}

export function addApproval(
  state: PaymentState,
  outcome: AttemptOutcome,
  amount: Cents,
  more: Partial<RecordedResponse> = {},
): Payment {
  return addResponse(
    state,
    outcome,
    { status: 'Approved', amount },
    { amountApproved: amount, resultCode: 0, ...more },
  );
}

/** A later answer to the same attempt replaces the earlier one. */
export function replaceResponse(operation: Operation, response: RecordedResponse): RecordedResponse[] {
  return [response, ...operation.responses.filter(({ outcome }) => outcome.try !== response.outcome.try)];
}
