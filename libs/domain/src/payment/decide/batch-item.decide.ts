import { accepted } from '../../shared/aggregate.js';
import type { Cents } from '../../shared/money.js';
import { captureBalance, operationsOn } from '../payment.balance.js';
import { reject, type PaymentDecision } from '../payment.commands.js';
import type { PaymentEvents } from '../payment.events.js';
import {
  findOperation,
  isPending,
  movedAmount,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* A batch takes each sale, capture, refund and bank return of a payment once (`docs/spec/settlement.md#batches`). */

/** An operation; with `returnId`, a bank return of it. */
export interface BatchItem {
  readonly returnId?: string;
  /** Service clock. The item belongs to the first batch with a later cut-off. */
  readonly movedAt: string;
  /** Signed cents: a sale or capture minus its voids; refunds and returns are negative. */
  readonly amount: Cents;
}

/** The items that no batch has taken. An operation that is fully voided or moved no money is not an item. */
export function unbatchedItems(payment: Payment, operation: Operation): BatchItem[] {
  const { movedAt, batch, returns } = operation;
  if (movedAt === undefined) return [];
  const amount = countedAmount(payment, operation);
  const operationItem = batch === undefined && amount !== 0 ? [{ movedAt, amount }] : [];
  const openReturns = returns.filter(({ batchId }) => batchId === undefined);
  // A bank may report the return before the payment moved money; then the return counts from that time.
  const returnItems = openReturns.map(({ id: returnId, at, amount: returned }) => ({
    returnId,
    movedAt: at > movedAt ? at : movedAt,
    amount: -returned,
  }));
  return [...operationItem, ...returnItems];
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

/** `returnId`: a bank return of the operation; absent: the operation itself. */
export type PutIntoBatch = Omit<PaymentEvents['LeftForNextBatch'], 'heldBy'> &
  Pick<PaymentEvents['Batched'], 'returnId'>;

/**
 * The batch takes the item, or leaves it for the next batch if a void or refund of it has no outcome. The decision is
 * recorded in this stream, so that every batch closer that repeats the closing reads the same one.
 */
export function putIntoBatch(state: PaymentState, command: PutIntoBatch): PaymentDecision {
  const { operationId, returnId } = command;
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) {
    return reject('OriginalNotFound', 'There is no such transaction.');
  }
  const returned = operation.returns.find(({ id }) => id === returnId);
  if (returnId !== undefined && !returned) {
    return reject('OriginalNotFound', 'There is no such return.');
  }
  const isTaken = returned ? returned.batchId !== undefined : operation.batch !== undefined;
  if (isTaken) return accepted([], operationId);
  const item = unbatchedItems(state, operation).find((candidate) => candidate.returnId === returnId);
  if (!item) return reject('StepOutOfOrder', 'It moved no money that a batch could take.');
  const { closing, ...taken } = command;
  if (returnId === undefined) {
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
