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

/*
 * What a batch takes of a payment: each sale, capture, refund and bank return once (`docs/spec/settlement.md#batches`).
 */

/** An operation, or with `returnId` a bank return of it. */
export interface BatchItem {
  readonly returnId?: string;
  /** The service's clock: it belongs to the first batch that closes after this. */
  readonly movedAt: string;
  /** Signed cents: what is left of a sale or capture after its voids; refunds and returns are negative. */
  readonly amount: Cents;
}

/** What of the operation no batch has taken. What was wholly voided, and what moved no money, is no item. */
export function unbatchedItems(payment: Payment, operation: Operation): BatchItem[] {
  const { movedAt, batch, returns } = operation;
  if (movedAt === undefined) return [];
  const amount = countedAmount(payment, operation);
  const own = batch === undefined && amount !== 0 ? [{ movedAt, amount }] : [];
  const open = returns.filter(({ batchId }) => batchId === undefined);
  // A bank may tell of the return first: it gives nothing back before there was something.
  const taken = open.map(({ id: returnId, at, amount: back }) => ({
    returnId,
    movedAt: at > movedAt ? at : movedAt,
    amount: -back,
  }));
  return [...own, ...taken];
}

/** Signed cents that a batch counts for the operation as it stands now; 0 for what no batch ever takes. */
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
  /** Which closing of the batch it is: one that found nothing to take left the batch open, and another follows. */
  readonly closing: number;
  /** A bank return of the operation; left out: the operation itself. */
  readonly returnId?: string;
}

/**
 * The batch takes the item, or passes it over for good where a void or refund of it has no outcome: whoever closes the
 * batch, however late and beside however many others, finds the same answer in this stream.
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
  const item = unbatchedItems(state, operation).find((one) => one.returnId === returnId);
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

/** This closing of the batch found a void or refund of it without an outcome: it never takes it any more. */
export function isLeftForNextBatch(
  { leftForNextBatch = [] }: Operation,
  batchId: string,
  closing: number,
): boolean {
  return leftForNextBatch.some((one) => one.batchId === batchId && one.closing === closing);
}
