import type { Cents } from '@tillstream/domain';
import type { MoneyEvent } from './money.events.js';
import type { BookedOperation, PaymentBook } from './payment.book.js';

/* What a processor's own books have to show for a payment. */

export type ExpectedMovementKind =
  'Authorized' | 'Captured' | 'Released' | 'Refunded' | 'Voided' | 'Credited' | 'CreditReversed' | 'Returned';

export interface ExpectedMovement {
  /** `<operation id>.<attempt>`, or the bank's own id of a return. A processor executes a key at most once. */
  readonly key: string;
  readonly kind: ExpectedMovementKind;
  readonly amount: Cents;
  /** Empty for a return: the processor of its payment. */
  readonly processor: string;
}

/** The movement of an event; undefined if it moved nothing. `book`: the payment's before the event. */
export function movementOf(book: PaymentBook | undefined, event: MoneyEvent): ExpectedMovement | undefined {
  const operation = book?.operations.get(event.operationId);
  if (!book || !operation) return undefined;
  const { amount = 0, try: number = 0, returnId: key } = event;
  const processor = event.processor ?? operation.processors[number - 1] ?? '';
  if (event.type === 'BankReturned' && key !== undefined) {
    return { key, kind: 'Returned', amount, processor: operation.processors.at(-1) ?? '' };
  }
  const kind = kindOf(book, operation, event);
  // Attempt 0 is the service's own answer: no request was sent.
  if (!kind || number === 0) return undefined;
  return { key: `${operation.id}.${number}`, kind, amount, processor };
}

function kindOf(
  book: PaymentBook,
  operation: BookedOperation,
  { type }: MoneyEvent,
): ExpectedMovementKind | undefined {
  switch (type) {
    case 'Authorized':
      // A sale is one movement: its capture.
      return operation.kind === 'Sale' ? undefined : 'Authorized';
    case 'Captured':
      return 'Captured';
    case 'Refunded':
      return operation.kind === 'UnreferencedRefund' ? 'Credited' : 'Refunded';
    case 'Voided':
    case 'Reversed':
      return givenBack(book, operation);
    case 'LateApprovalFound':
      return lateKind(book, operation);
    default:
      return undefined;
  }
}

/** A reversal that fell back to a refund is a refund at the processor. */
function givenBack({ operations }: PaymentBook, operation: BookedOperation): ExpectedMovementKind {
  const { originalId, lastAttempt } = operation;
  const original = originalId && operations.get(originalId);
  if (lastAttempt === 'Refund') return 'Refunded';
  if (!original || original.kind === 'Auth') return 'Released';
  return original.kind === 'UnreferencedRefund' ? 'CreditReversed' : 'Voided';
}

function lateKind(book: PaymentBook, operation: BookedOperation): ExpectedMovementKind {
  switch (operation.kind) {
    case 'Auth':
      return 'Authorized';
    case 'Sale':
    case 'Capture':
      return 'Captured';
    case 'UnreferencedRefund':
      return 'Credited';
    case 'Refund':
      return operation.executedAs === 'Void' ? 'Voided' : 'Refunded';
    case 'Void':
    case 'Reversal':
      return givenBack(book, operation);
  }
}
