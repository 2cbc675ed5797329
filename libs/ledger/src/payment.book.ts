import type { CardType, Cents, Channel, OperationId } from '@tillstream/domain';
import type { LedgerOwner } from './journal.entry.js';
import type { MoneyEvent } from './money.events.js';

/*
 * What the ledger knows of one payment. It follows from the payment's events alone, and shares no rule with the state of
 * `libs/domain`, so that a fault there shows as a difference. It accepts every history and throws nothing.
 */

export interface PaymentBook extends LedgerOwner {
  readonly channel: Channel;
  /** Of the payment method in the request. */
  readonly cardType?: CardType;
  /** In the order of their requests. */
  readonly operations: ReadonlyMap<OperationId, BookedOperation>;
}

export type BookedKind = 'Sale' | 'Auth' | 'UnreferencedRefund' | 'Capture' | 'Refund' | 'Void' | 'Reversal';

export interface BookedOperation {
  readonly id: OperationId;
  readonly kind: BookedKind;
  readonly requestedAt: string;
  readonly requestedAmount: Cents;
  readonly originalId?: OperationId;
  /** Of a refund: how its last attempt is executed. */
  readonly executedAs?: 'Void' | 'Refund';
  /** Of a reversal. */
  readonly cause?: string;
  /** How the last attempt is executed. */
  readonly lastAttempt?: MoneyEvent['executedAs'];
  /** Absent while the outcome is not known. */
  readonly ended?: Pick<MoneyEvent, 'type' | 'at'>;
  readonly approved: Cents;
  /** Executed after the operation had ended. */
  readonly late: Cents;
  /** The first event that moved money. */
  readonly moved?: Pick<MoneyEvent, 'at' | 'place'>;
  /** Of the newest response. */
  readonly cardType?: CardType;
  /** The processor of each attempt, from 1. */
  readonly processors: readonly string[];
  readonly taken?: TakenByBatch;
  readonly takenBacks: readonly TakenBack[];
  /** The closings that left it for the next batch. */
  readonly leftBy: readonly LeftBy[];
}

export interface TakenByBatch {
  readonly batchId: string;
  /** As the batch took it. */
  readonly amount: Cents;
  /** As this ledger calculates it at that moment. */
  readonly expected: Cents;
  /** A further `Batched` of the same item: none is right. */
  readonly repeats: number;
}

/** A bank's return or a chargeback. */
export interface TakenBack {
  readonly type: 'Return' | 'Chargeback';
  readonly id: string;
  readonly at: string;
  readonly place: number;
  readonly amount: Cents;
  readonly taken?: TakenByBatch;
}

export interface LeftBy {
  readonly batchId: string;
  readonly closing: number;
}

const OPENINGS: Readonly<Partial<Record<MoneyEvent['type'], BookedKind>>> = {
  SaleRequested: 'Sale',
  AuthorizationRequested: 'Auth',
  UnreferencedRefundRequested: 'UnreferencedRefund',
};
const FOLLOW_UPS: Readonly<Partial<Record<MoneyEvent['type'], BookedKind>>> = {
  CaptureRequested: 'Capture',
  RefundRequested: 'Refund',
  VoidRequested: 'Void',
  ReversalRequested: 'Reversal',
};

/** The book after an event. An event before the opening of its payment changes nothing. */
export function bookEvent(book: PaymentBook | undefined, event: MoneyEvent): PaymentBook | undefined {
  const opening = OPENINGS[event.type];
  if (opening) return book ?? openBook(event, opening);
  if (!book) return undefined;
  const kind = FOLLOW_UPS[event.type];
  if (kind) return withOperation(book, newOperation(event, kind));
  const operation = book.operations.get(event.operationId);
  return operation ? withOperation(book, { ...operation, ...changes(book, operation, event) }) : book;
}

function openBook(event: MoneyEvent, kind: BookedKind): PaymentBook {
  const { merchantId = '', currency = 'USD', channel = 'CardPresent', cardType } = event;
  const operations = new Map([[event.operationId, newOperation(event, kind)]]);
  return { merchantId, currency, channel, ...(cardType && { cardType }), operations };
}

function newOperation(event: MoneyEvent, kind: BookedKind): BookedOperation {
  const { operationId: id, at: requestedAt, amount = 0, originalOperationId, executedAs, cause } = event;
  return {
    ...{ id, kind, requestedAt, requestedAmount: amount, approved: 0, late: 0 },
    ...{ processors: [], takenBacks: [], leftBy: [] },
    ...(originalOperationId && { originalId: originalOperationId }),
    ...(executedAs && { executedAs: executedAs === 'Void' ? ('Void' as const) : ('Refund' as const) }),
    ...(cause !== undefined && { cause }),
  };
}

function withOperation(book: PaymentBook, operation: BookedOperation): PaymentBook {
  return { ...book, operations: new Map(book.operations).set(operation.id, operation) };
}

function changes(book: PaymentBook, operation: BookedOperation, event: MoneyEvent): Partial<BookedOperation> {
  const { type, amount = 0 } = event;
  switch (type) {
    case 'TryRequested':
      return attempted(operation, event);
    case 'Submitted':
    case 'TryFailed':
      return event.cause === 'ProcessorBatchClosed' ? {} : cardOf(event);
    case 'Authorized':
      // A sale ends with its capture, in the same append.
      return operation.kind === 'Sale'
        ? cardOf(event)
        : { ...ended(event), ...cardOf(event), approved: amount };
    case 'Captured':
    case 'Refunded':
    case 'Voided':
    case 'Reversed':
      return { ...ended(event), ...cardOf(event), ...moved(operation, event), approved: amount };
    case 'Declined':
      return { ...ended(event), ...cardOf(event) };
    case 'NotSent':
    case 'Cancelled':
    case 'FormExpired':
    case 'NotExecuted':
      return ended(event);
    case 'LateApprovalFound':
      return { late: operation.late + amount, ...(undoes(operation) && moved(operation, event)) };
    case 'Batched':
      return takenByBatch(book, operation, event);
    case 'LeftForNextBatch': {
      const { batchId = '', closing = 0 } = event;
      return { leftBy: [...operation.leftBy, { batchId, closing }] };
    }
    case 'BankReturned':
      return { takenBacks: [...operation.takenBacks, takenBack('Return', event.returnId, event)] };
    case 'ChargebackReceived':
      return { takenBacks: [...operation.takenBacks, takenBack('Chargeback', event.chargebackId, event)] };
    default:
      return {};
  }
}

function attempted(
  { kind, processors }: BookedOperation,
  { try: number = 1, executedAs, processor = '' }: MoneyEvent,
): Partial<BookedOperation> {
  const known = [...processors];
  known[number - 1] = processor;
  const way = executedAs === 'Void' ? 'Void' : 'Refund';
  return {
    processors: known,
    ...(executedAs && { lastAttempt: executedAs }),
    ...(kind === 'Refund' && { executedAs: way }),
  };
}

const ended = ({ type, at }: MoneyEvent): Partial<BookedOperation> => ({ ended: { type, at } });
const cardOf = ({ cardType }: MoneyEvent): Partial<BookedOperation> => (cardType ? { cardType } : {});

function moved(before: BookedOperation, { at, place }: MoneyEvent): Partial<BookedOperation> {
  return { moved: before.moved ?? { at, place } };
}

function takenBack(type: TakenBack['type'], id = '', { at, place, amount = 0 }: MoneyEvent): TakenBack {
  return { type, id, at, place, amount };
}

function takenByBatch(
  book: PaymentBook,
  operation: BookedOperation,
  { batchId = '', returnId, chargebackId, amount = 0 }: MoneyEvent,
): Partial<BookedOperation> {
  const take = (before: TakenByBatch | undefined, expected: Cents): TakenByBatch =>
    before ? { ...before, repeats: before.repeats + 1 } : { batchId, amount, expected, repeats: 0 };
  const id = returnId ?? chargebackId;
  if (id === undefined) return { taken: take(operation.taken, countedAmount(book, operation)) };
  const type = returnId === undefined ? 'Chargeback' : 'Return';
  const takenBacks = operation.takenBacks.map((one) =>
    one.id === id && one.type === type ? { ...one, taken: take(one.taken, -one.amount) } : one,
  );
  return { takenBacks };
}

/** It takes money back, or gives it back. Its late executions count, since nothing can undo them. */
export function undoes({ kind }: BookedOperation): boolean {
  return kind === 'Refund' || kind === 'Void' || kind === 'Reversal';
}

/** Cents that voids, and refunds executed as voids, took off a sale or capture. */
export function voidedAmount({ operations }: PaymentBook, capture: BookedOperation): Cents {
  let voided = 0;
  for (const { kind, originalId, executedAs, approved, late } of operations.values()) {
    const isVoid = kind === 'Void' || (kind === 'Refund' && executedAs === 'Void');
    if (originalId === capture.id && isVoid) voided += approved + late;
  }
  return voided;
}

/** Signed cents that a batch has to take of the operation now; 0 if none. */
export function countedAmount(book: PaymentBook, operation: BookedOperation): Cents {
  const { kind, approved, late, executedAs } = operation;
  switch (kind) {
    case 'Sale':
    case 'Capture':
      return approved - voidedAmount(book, operation);
    case 'UnreferencedRefund':
      return 0 - approved;
    case 'Refund':
      return executedAs === 'Refund' ? 0 - approved - late : 0;
    default:
      return 0;
  }
}
