import type { AttemptOutcome } from '../../attempt/index.js';
import { ImpossibleHistory } from '../../shared/aggregate.js';
import type { OperationEventData } from '../../shared/event.shapes.js';
import type { Cents } from '../../shared/money.js';
import { pick } from '../../shared/pick.js';
import type {
  FollowUpRequested,
  OperationRequested,
  PaymentEvents,
  PaymentRequested,
} from '../payment.events.js';
import {
  findOperation,
  type Chargeback,
  type Operation,
  type OperationKind,
  type Payment,
  type PaymentState,
  type RecordedResponse,
} from '../payment.state.js';
import { withLimitFlags } from './limit.flags.js';

export function requirePayment(state: PaymentState): Payment {
  if (state.status === 'None') throw new ImpossibleHistory('the payment was never opened');
  return state;
}

export function newPayment(state: PaymentState, kind: OperationKind, data: PaymentRequested): Payment {
  if (state.status !== 'None') throw new ImpossibleHistory('a payment is opened once');
  return {
    status: 'Opened',
    ...pick(data, 'merchantId', 'currency', 'channel', 'paymentMethod'),
    ...pick(data, 'terminalId', 'accountHolderId', 'form'),
    operations: [newOperation(kind, data)],
    flags: [],
  };
}

export function addFollowUp(
  state: PaymentState,
  kind: OperationKind,
  data: FollowUpRequested & Pick<Operation, 'executedAs'>,
): Payment {
  const payment = requirePayment(state);
  const { originalOperationId: originalId } = data;
  if (!findOperation(payment, originalId))
    throw new ImpossibleHistory('the original operation does not exist');
  return addOperation(payment, { ...newOperation(kind, data), originalId, ...pick(data, 'executedAs') });
}

export function newOperation(
  kind: OperationKind,
  data: Pick<OperationRequested, 'operationId' | 'commandId' | 'amount' | 'at'> & Partial<OperationRequested>,
): Operation {
  return {
    id: data.operationId,
    kind,
    commandIds: [data.commandId],
    ...pick(data, 'amount', 'referenceId', 'amountBreakdown', 'invoiceNumber', 'orderNumber'),
    createdAt: data.at,
    updatedAt: data.at,
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
  { operationId, at }: OperationEventData,
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
  data: OperationEventData,
  progress: Operation['progress'],
): Payment {
  return withLimitFlags(
    updateOperation(state, data, () => ({ progress })),
    data.operationId,
  );
}

export function markBatched(
  operation: Operation,
  { batchId, returnId, chargebackId, amount }: PaymentEvents['Batched'],
): Partial<Operation> {
  const marked = <One extends Chargeback>(all: readonly One[], id: string): readonly One[] =>
    all.map((one) => (one.id === id ? { ...one, batchId } : one));
  const { returns, chargebacks = [] } = operation;
  if (returnId !== undefined) return { returns: marked(returns, returnId), lastReturnBatchId: batchId };
  if (chargebackId === undefined) return { batch: { id: batchId, amount } };
  return { chargebacks: marked(chargebacks, chargebackId), lastReturnBatchId: batchId };
}

/** Keeps `updatedAt`, since a client sees no change. */
export function markLeftForNextBatch(
  { leftForNextBatch: before = [], updatedAt }: Operation,
  { batchId, closing }: PaymentEvents['LeftForNextBatch'],
): Partial<Operation> {
  return { updatedAt, leftForNextBatch: [...before, { batchId, closing }] };
}

/** Keeps the time of the first fact. */
export function markMoneyMoved(state: PaymentState, fact: OperationEventData): Payment {
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
  outcome: AttemptOutcome & { readonly amount: Cents },
  more: Pick<RecordedResponse, 'amountBreakdown'> = {},
): Payment {
  const { amount } = outcome;
  return addResponse(
    state,
    outcome,
    { status: 'Approved', amount },
    { amountApproved: amount, resultCode: 0, ...more },
  );
}

/** A later answer to the same attempt replaces the earlier one. */
function replaceResponse(operation: Operation, response: RecordedResponse): RecordedResponse[] {
  return [response, ...operation.responses.filter(({ outcome }) => outcome.try !== response.outcome.try)];
}
