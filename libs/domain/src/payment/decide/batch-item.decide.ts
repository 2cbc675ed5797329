import { accepted } from '../../shared/aggregate.js';
import type { Cents } from '../../shared/money.js';
import { captureBalance, operationsOn } from '../payment.balance.js';
import { reject, type PaymentDecision } from '../payment.commands.js';
import type { PaymentEvents } from '../payment.events.js';
import {
  findOperation,
  isPending,
  movedAmount,
  type Chargeback,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* A batch takes each sale, capture, refund, bank return and chargeback once (`docs/spec/settlement.md#batches`). */

/** Names an item of an operation: the operation itself, a bank return or a chargeback of it. */
export type BatchItemKey = Pick<PaymentEvents['Batched'], 'returnId' | 'chargebackId'>;

export interface BatchItem extends BatchItemKey {
  /** Service clock. The item belongs to the first batch with a later cut-off. */
  readonly movedAt: string;
  /** Signed cents: a sale or capture minus its voids; refunds, returns and chargebacks are negative. */
  readonly amount: Cents;
}

/** The items that no batch has taken. An operation that is fully voided or moved no money is not an item. */
export function unbatchedItems(payment: Payment, operation: Operation): BatchItem[] {
  const { movedAt, batch, returns, chargebacks = [] } = operation;
  if (movedAt === undefined) return [];
  const amount = countedAmount(payment, operation);
  const operationItem = batch === undefined && amount !== 0 ? [{ movedAt, amount }] : [];
  // A bank may report a return before the payment moved money; then the return counts from that time.
  const takenBack = ({ at, amount: returned }: Chargeback) => ({
    movedAt: at > movedAt ? at : movedAt,
    amount: -returned,
  });
  const isOpen = ({ batchId }: Chargeback): boolean => batchId === undefined;
  return [
    ...operationItem,
    ...returns.filter(isOpen).map((one) => ({ returnId: one.id, ...takenBack(one) })),
    ...chargebacks.filter(isOpen).map((one) => ({ chargebackId: one.id, ...takenBack(one) })),
  ];
}

/** Signed cents that a batch counts for the operation now; 0 if no batch ever takes it. */
function countedAmount(payment: Payment, operation: Operation): Cents {
  switch (operation.kind) {
    case 'Sale':
    case 'Capture':
      return movedAmount(operation) - captureBalance(payment, operation).voided;
    case 'UnreferencedRefund':
      return -movedAmount(operation);
    case 'Refund':
      return operation.executedAs === 'Refund' ? -movedAmount(operation) : 0;
    default:
      return 0;
  }
}

export type PutIntoBatch = Omit<PaymentEvents['LeftForNextBatch'], 'heldBy'> & BatchItemKey;

/**
 * The batch takes the item, or leaves it for the next batch if a void or refund of it has no outcome. The decision is
 * recorded in this stream, so that every batch closer that repeats the closing reads the same one.
 */
export function putIntoBatch(state: PaymentState, command: PutIntoBatch): PaymentDecision {
  const { operationId, returnId, chargebackId } = command;
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) {
    return reject('OriginalNotFound', 'There is no such transaction.');
  }
  const isOperation = returnId === undefined && chargebackId === undefined;
  const takenBack =
    returnId === undefined
      ? operation.chargebacks?.find(({ id }) => id === chargebackId)
      : operation.returns.find(({ id }) => id === returnId);
  if (!isOperation && !takenBack) {
    return reject('OriginalNotFound', 'There is no such return or chargeback.');
  }
  const isTaken = takenBack ? takenBack.batchId !== undefined : operation.batch !== undefined;
  if (isTaken) return accepted([], operationId);
  const item = unbatchedItems(state, operation).find(
    (candidate) => candidate.returnId === returnId && candidate.chargebackId === chargebackId,
  );
  if (!item) return reject('StepOutOfOrder', 'It moved no money that a batch could take.');
  const { closing, ...taken } = command;
  if (isOperation) {
    if (isLeftForNextBatch(operation, command.batchId, closing)) return accepted([], operationId);
    const heldBy = operationsOn(state, operation).find(isPending)?.id;
    if (heldBy) {
      return accepted([{ type: 'LeftForNextBatch', data: { ...taken, closing, heldBy } }], operationId);
    }
  }
  return accepted([{ type: 'Batched', data: { ...taken, amount: item.amount } }], operationId);
}

/** True if this closing of the batch found a void or refund without an outcome, and so never takes the operation. */
export function isLeftForNextBatch(
  { leftForNextBatch = [] }: Operation,
  batchId: string,
  closing: number,
): boolean {
  return leftForNextBatch.some((left) => left.batchId === batchId && left.closing === closing);
}
