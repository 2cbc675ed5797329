import type { Cents } from '@tillstream/domain';
import { transfer, type JournalEntry, type LedgerAccount } from './journal.entry.js';
import type { MoneyEvent } from './money.events.js';
import { countedAmount, type BookedOperation, type PaymentBook } from './payment.book.js';

type Pair = readonly [debit: LedgerAccount, credit: LedgerAccount];

const RESERVED: Pair = ['Authorized', 'IssuerHolds'];
const RELEASED: Pair = ['IssuerHolds', 'Authorized'];
const CAPTURED: Pair = ['Receivable', 'Captured'];
const VOIDED: Pair = ['Captured', 'Receivable'];
const REFUNDED: Pair = ['Refunded', 'Receivable'];
const LATE: Pair = ['Receivable', 'LateExecuted'];
const LATE_UNDONE: Pair = ['LateExecuted', 'Receivable'];

/** The account that waits for a batch, by the kind of an item. */
const WAITING = {
  Sale: 'Captured',
  Capture: 'Captured',
  Refund: 'Refunded',
  UnreferencedRefund: 'Refunded',
  Return: 'Returned',
  Chargeback: 'ChargedBack',
} as const;

/**
 * The journal entries of an event. `book`: the payment's before the event. Fees, adjustments and payments to merchants
 * follow from settlements (`settlement.journal.ts`).
 */
export function paymentEntries(book: PaymentBook | undefined, event: MoneyEvent): JournalEntry[] {
  const operation = book?.operations.get(event.operationId);
  if (!book || !operation) return [];
  return pairsOf(book, operation, event)
    .filter(([, amount]) => amount !== 0)
    .map(([pair, amount]) => transfer(book, operation.id, pair, amount));
}

function pairsOf(
  book: PaymentBook,
  operation: BookedOperation,
  event: MoneyEvent,
): (readonly [Pair, Cents])[] {
  const { type, amount = 0 } = event;
  switch (type) {
    case 'Authorized':
      return [[RESERVED, amount]];
    case 'Captured':
      return [
        [RELEASED, amount],
        [CAPTURED, amount],
      ];
    case 'Refunded':
      return [[REFUNDED, amount]];
    case 'Voided':
    case 'Reversed':
      return [[undoing(book, operation), amount]];
    case 'LateApprovalFound':
      return [[lateExecution(book, operation), amount]];
    case 'BankReturned':
      return [[['Returned', 'Receivable'], amount]];
    case 'ChargebackReceived':
      return [[['ChargedBack', 'Receivable'], amount]];
    case 'Batched':
      return taken(book, operation, event);
    default:
      return [];
  }
}

/** What a void or reversal undoes: a reservation, a capture, or a late execution. */
function undoing(book: PaymentBook, { originalId, cause }: BookedOperation): Pair {
  const original = originalId && book.operations.get(originalId);
  if (!original || original.kind === 'Auth') return RELEASED;
  if (cause !== 'LateApproval') return VOIDED;
  return original.kind === 'UnreferencedRefund' ? LATE : LATE_UNDONE;
}

function lateExecution(book: PaymentBook, operation: BookedOperation): Pair {
  switch (operation.kind) {
    case 'Auth':
      return RESERVED;
    case 'Sale':
    case 'Capture':
      return LATE;
    case 'UnreferencedRefund':
      return LATE_UNDONE;
    case 'Refund':
      return operation.executedAs === 'Refund' ? REFUNDED : VOIDED;
    case 'Void':
    case 'Reversal':
      return undoing(book, operation);
  }
}

/** The first batch that takes an item owes its amount to the merchant. */
function taken(
  book: PaymentBook,
  operation: BookedOperation,
  { returnId, chargebackId }: MoneyEvent,
): (readonly [Pair, Cents])[] {
  const id = returnId ?? chargebackId;
  if (id === undefined) {
    const account = WAITING[operation.kind as keyof typeof WAITING];
    const amount = operation.taken ? 0 : countedAmount(book, operation);
    return account === undefined ? [] : [[[account, 'Payable'], amount]];
  }
  const type = returnId === undefined ? 'Chargeback' : 'Return';
  const item = operation.takenBacks.find((one) => one.id === id && one.type === type);
  return item && !item.taken ? [[[WAITING[type], 'Payable'], -item.amount]] : [];
}
