import { accepted, rejected } from '../../shared/decision.js';
import type { OperationId } from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import type { PaymentDecision } from '../payment.commands.js';
import { captureBalance, operationsOn } from '../payment.balance.js';
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

export interface PutIntoBatch {
  readonly at: string;
  readonly operationId: OperationId;
  readonly batchId: string;
  /** The number of the batch's closing. */
  readonly closing: number;
  /** A bank return of the operation; absent: the operation itself. */
  readonly returnId?: string;
}

/**
 * The batch takes the item, or leaves it for the next batch if a void or refund of it has no outcome. The decision is
 * recorded in this stream, so that every batch closer that repeats the closing reads the same one.
 */
export function putIntoBatch(state: PaymentState, command: PutIntoBatch): PaymentDecision {
  const { operationId, returnId } = command;
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) {
    return rejected({ code: 'OriginalNotFound', message: 'There is no such transaction.' });
  }
  const returned = operation.returns.find(({ id }) => id === returnId);
  if (returnId !== undefined && !returned) {
    return rejected({ code: 'OriginalNotFound', message: 'There is no such return.' });
  }
  const isTaken = returned ? returned.batchId !== undefined : operation.batch !== undefined;
  if (isTaken) return accepted([], operationId);
  const { at, batchId, closing } = command;
  const item = unbatchedItems(state, operation).find((candidate) => candidate.returnId === returnId);
  if (!item)
    return rejected({ code: 'StepOutOfOrder', message: 'It moved no money that a batch could take.' });
  if (returnId === undefined) {
    if (isLeftForNextBatch(operation, batchId, closing)) return accepted([], operationId);
    const held = operationsOn(state, operation).find(isPending);
    if (held) {
      const data = { at, operationId, batchId, closing, heldBy: held.id };
      return accepted([{ type: 'LeftForNextBatch', data }], operationId);
    }
  }
  const data = { at, operationId, batchId, ...(returnId !== undefined && { returnId }), amount: item.amount };
  return accepted([{ type: 'Batched', data }], operationId);
}

/** True if this closing of the batch found a void or refund without an outcome, and so never takes the operation. */
export function isLeftForNextBatch(
  { leftForNextBatch = [] }: Operation,
  batchId: string,
  closing: number,
): boolean {
  return leftForNextBatch.some((left) => left.batchId === batchId && left.closing === closing);
}
