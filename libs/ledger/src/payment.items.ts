import type { CardType, Cents, OperationId } from '@tillstream/domain';
import { countedAmount, type BookedOperation, type PaymentBook, type TakenByBatch } from './payment.book.js';

/* The items of a payment: what batches take of it, each once (`docs/spec/settlement.md#batches`). */

export type ItemType = 'Sale' | 'Capture' | 'Refund' | 'UnreferencedRefund' | 'Return' | 'Chargeback';

export interface ExpectedItem {
  readonly operation: BookedOperation;
  readonly operationId: OperationId;
  readonly type: ItemType;
  /** Of a return or chargeback. */
  readonly takenBackId?: string;
  /** Signed cents, by the whole history. An item that was taken has to have this amount. */
  readonly amount: Cents;
  /** It belongs to the first closing with a later cut-off … */
  readonly movedAt: string;
  /** … that began after this place in the store. */
  readonly place: number;
  readonly taken?: TakenByBatch;
}

const ITEM_TYPES: ReadonlySet<string> = new Set(['Sale', 'Capture', 'Refund', 'UnreferencedRefund']);

/** Those that a batch took, and those that wait for one. */
export function expectedItems(book: PaymentBook): ExpectedItem[] {
  return [...book.operations.values()].flatMap((operation) => itemsOf(book, operation));
}

function itemsOf(book: PaymentBook, operation: BookedOperation): ExpectedItem[] {
  const { id: operationId, kind, moved, taken } = operation;
  const amount = countedAmount(book, operation);
  const isItem = ITEM_TYPES.has(kind) && (taken !== undefined || (moved !== undefined && amount !== 0));
  const { at: movedAt = '', place = 0 } = moved ?? {};
  const own = { operation, operationId, type: kind as ItemType, amount, movedAt, place };
  const takenBacks = operation.takenBacks
    .filter((one) => one.taken !== undefined || moved !== undefined)
    .map((one) => ({
      ...{ operation, operationId, type: one.type, takenBackId: one.id, amount: -one.amount },
      // A bank may report a return before the payment moved money.
      movedAt: one.at > movedAt ? one.at : movedAt,
      place: Math.max(one.place, place),
      ...(one.taken && { taken: one.taken }),
    }));
  return [...(isItem ? [{ ...own, ...(taken && { taken }) }] : []), ...takenBacks];
}

/** The parts of captured − voided − refunded − returned − charged back, positive cents. Unreferenced refunds are refunds. */
export interface PaymentSums {
  readonly captured: Cents;
  readonly voided: Cents;
  readonly refunded: Cents;
  readonly returned: Cents;
  readonly chargedBack: Cents;
  /** What the merchant gets in all, before fees: signed cents. */
  readonly net: Cents;
}

export function paymentSums(book: PaymentBook): PaymentSums {
  const sums = { captured: 0, voided: 0, refunded: 0, returned: 0, chargedBack: 0 };
  for (const operation of book.operations.values()) {
    const { kind, approved } = operation;
    const amount = countedAmount(book, operation);
    if (kind === 'Sale' || kind === 'Capture') {
      sums.captured += approved;
      sums.voided += approved - amount;
    } else {
      sums.refunded -= amount;
    }
    for (const { type, amount: back } of operation.takenBacks)
      sums[type === 'Return' ? 'returned' : 'chargedBack'] += back;
  }
  const { captured, voided, refunded, returned, chargedBack } = sums;
  return { ...sums, net: captured - voided - refunded - returned - chargedBack };
}

/**
 * The card of an item, which prices depend on: of its own response, else of the response that opened the payment, else of
 * the payment method. Undefined for a bank payment.
 */
export function cardTypeOf({ cardType, operations }: PaymentBook, item: ExpectedItem): CardType | undefined {
  const [opening] = operations.values();
  return item.operation.cardType ?? opening?.cardType ?? cardType;
}

/** Operations whose outcome is not known. Their amounts may have moved. */
export function openOperations(book: PaymentBook): BookedOperation[] {
  return [...book.operations.values()].filter(({ ended }) => ended === undefined);
}
