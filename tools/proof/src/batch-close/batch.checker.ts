import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import { readEvents } from '../audit/histories.js';

/* Checks batches from the events alone: it uses no rule, no fold and no row of the service. */

interface BatchedItem {
  readonly id: string;
  readonly batchId: string;
  readonly amount: number;
  readonly event: RecordedEvent;
}

interface BatchRecord {
  readonly batchId: string;
  /** Merchant and currency. */
  readonly owner: string;
  readonly number: number;
  readonly openedAt: string;
  readonly closings: { closing: number; cutOffAt: string; event: RecordedEvent }[];
  closed?: { totals: Record<string, unknown>; cutOffAt: string; event: RecordedEvent };
  /** The transactions of its settlements. */
  settledCount?: number;
  /** By operators, or of months. */
  adjustments: number;
}

/** Checks all payments and batches. Call it when the service is idle. */
export async function checkBatches(store: EventStore) {
  const payments = new Map<string, RecordedEvent[]>();
  const streams = new Map<string, BatchRecord>();
  const complaints: string[] = [];
  const take = (event: RecordedEvent): void => {
    if (event.stream.startsWith('batch-')) return addBatchEvent(streams, event, complaints);
    payments.set(event.stream, [...(payments.get(event.stream) ?? []), event]);
  };
  await readEvents(store, take, { categories: ['payment', 'batch'] });
  const batches = [...streams.values()];
  const isBefore: IsBefore = (a, b) => store.comparePositions(a.position, b.position) < 0;
  const replays = [...payments.values()].map((events) => new PaymentReplay(events, batches, isBefore));
  const batched = replays.flatMap((replay) => replay.batched);
  complaints.push(...replays.flatMap((replay) => replay.complaints), ...batchErrors(batches, batched));
  const sum = (of: (replay: PaymentReplay) => number): number =>
    replays.reduce((total, replay) => total + of(replay), 0);
  return {
    complaints,
    batches: batches.length,
    items: batched.length,
    leftForNext: sum((replay) => replay.leftForNext),
    /** Items that are in no batch. */
    unbatched: sum((replay) => replay.unbatched),
  };
}

type BatchOpened = Readonly<Record<'batchId' | 'openedAt' | 'merchantId' | 'currency', string>> & {
  readonly number: number;
};

function addBatchEvent(batches: Map<string, BatchRecord>, event: RecordedEvent, complaints: string[]): void {
  const { stream, type, data } = event;
  const book = batches.get(stream);
  if (type === 'BatchOpened') {
    if (book) complaints.push(`${stream} was opened twice`);
    const { batchId, number, openedAt, merchantId, currency } = data as unknown as BatchOpened;
    batches.set(stream, {
      batchId,
      owner: `${merchantId} ${currency}`,
      number,
      openedAt,
      closings: [],
      adjustments: 0,
    });
    return;
  }
  if (!book) return void complaints.push(`${stream} has ${type} without an opening`);
  if (type === 'BatchSettled') return takeSettled(book, event, complaints);
  if (book.closed) complaints.push(`${stream} has ${type} after its close`);
  if (type === 'BatchAdjusted') book.adjustments += 1;
  const { closing, cutOffAt } = data as { closing: number; cutOffAt: string };
  if (type === 'BatchClosing') book.closings.push({ closing, cutOffAt, event });
  if (type === 'BatchClosed') book.closed = { totals: data, cutOffAt, event };
}

function takeSettled(book: BatchRecord, { stream, data }: RecordedEvent, complaints: string[]): void {
  if (!book.closed) complaints.push(`${stream} was settled before its close`);
  if (book.settledCount !== undefined) complaints.push(`${stream} was settled twice`);
  const { settlements } = data as { settlements: readonly { readonly transactionCount: number }[] };
  book.settledCount = settlements.reduce((sum, { transactionCount }) => sum + transactionCount, 0);
}

type IsBefore = (a: RecordedEvent, b: RecordedEvent) => boolean;

/** Replays the events of one payment. */
class PaymentReplay {
  readonly complaints: string[] = [];
  readonly batched: BatchedItem[] = [];
  leftForNext = 0;
  private readonly moved = new Map<string, { amount: number; event: RecordedEvent }>();
  private readonly voided = new Map<string, number>();
  /** `operation batch closing` of each item that a closing left for the next batch. */
  private readonly left = new Set<string>();

  constructor(
    private readonly events: readonly RecordedEvent[],
    private readonly batches: readonly BatchRecord[],
    private readonly isBefore: IsBefore,
  ) {
    for (const event of events) this.take(event);
  }

  get unbatched(): number {
    return [...this.moved].filter(([id, { amount }]) => !this.itemOf(id) && amount !== this.voidedOf(id))
      .length;
  }

  private itemOf(id: string): BatchedItem | undefined {
    return this.batched.findLast((item) => item.id === id);
  }

  private voidedOf(id: string): number {
    return this.voided.get(id) ?? 0;
  }

  private take(event: RecordedEvent): void {
    const { type, data } = event;
    const id = String(data['operationId']);
    const original = String(data['originalOperationId']);
    const amount = Number(data['amount']);
    switch (type) {
      case 'VoidRequested':
      case 'RefundRequested':
        return this.takeRequest(event, id, original);
      case 'Captured':
        return void this.moved.set(id, { amount, event });
      case 'Refunded':
        return void this.moved.set(id, { amount: -amount, event });
      case 'Voided':
        this.voided.set(original, this.voidedOf(original) + amount);
        if (this.itemOf(original)) this.complaints.push(`${id}: voided after ${original} was batched`);
        return;
      case 'LeftForNextBatch':
        this.leftForNext += 1;
        return void this.left.add(`${id} ${String(data['batchId'])} ${String(data['closing'])}`);
      case 'Batched':
        return this.takeItem({ id, batchId: String(data['batchId']), amount, event });
    }
  }

  private takeRequest({ type, data }: RecordedEvent, id: string, original: string): void {
    const asksVoid = type === 'VoidRequested' || data['executedAs'] === 'Void';
    const answersItself = this.events.some(
      (one) => one.type === 'Declined' && one.data['operationId'] === id && one.data['try'] === 0,
    );
    if (asksVoid && this.itemOf(original) && !answersItself)
      this.complaints.push(`${id}: a void was accepted after ${original} was batched`);
  }

  private takeItem(item: BatchedItem): void {
    const { id, batchId, amount } = item;
    const known = this.itemOf(id);
    if (known) this.complaints.push(`${id} is in ${known.batchId} and in ${batchId}`);
    this.batched.push(item);
    const fact = this.moved.get(id);
    const rest = (fact?.amount ?? 0) - this.voidedOf(id);
    if (!fact) this.complaints.push(`${id} was batched before it moved money`);
    if (rest !== amount) this.complaints.push(`${id} was batched with ${amount}, ${rest} was left`);
    this.complaints.push(...this.placementErrors(item, fact?.event));
  }

  /** An item belongs to the batch that was closing at its time, unless that batch had left it for the next. */
  private placementErrors({ id, batchId, event }: BatchedItem, fact: RecordedEvent | undefined): string[] {
    const { isBefore } = this;
    const book = this.batches.find((one) => one.batchId === batchId);
    if (!book) return [`${id} is in ${batchId}, which was never opened`];
    const closing = book.closings.findLast((one) => isBefore(one.event, event));
    if (!closing) return [`${id} is in ${batchId} before that was closing`];
    const wrong: string[] = [];
    if (book.closed && isBefore(book.closed.event, event))
      wrong.push(`${id} was put into ${batchId} after its close`);
    if (fact && !isBefore(fact, closing.event))
      wrong.push(`${id} moved after ${batchId} began to close, and is in it`);
    const movedAt = fact?.data['at'];
    if (typeof movedAt !== 'string' || movedAt >= closing.cutOffAt)
      wrong.push(`${id} moved at ${movedAt}, and is in a batch cut off at ${closing.cutOffAt}`);
    if (this.left.has(`${id} ${batchId} ${closing.closing}`))
      wrong.push(`${id} was passed over by ${batchId}, and is in it`);
    return wrong;
  }
}

/** Totals are the sums of the items, each closed batch is settled, and an owner's batches follow each other without a gap. */
function batchErrors(batches: readonly BatchRecord[], batched: readonly BatchedItem[]): string[] {
  const sums = new Map<string, ItemSum>();
  for (const { batchId, amount } of batched) {
    const sum = sums.get(batchId) ?? NO_ITEMS;
    sums.set(batchId, { count: sum.count + 1, amount: sum.amount + amount });
  }
  const wrong = batches.flatMap((batch) => totalErrors(batch, sums.get(batch.batchId) ?? NO_ITEMS));
  for (const owner of new Set(batches.map((batch) => batch.owner))) {
    const inOrder = batches.filter((batch) => batch.owner === owner).toSorted((a, b) => a.number - b.number);
    for (const [index, book] of inOrder.entries()) {
      const before = inOrder[index - 1];
      if (book.number !== index + 1) wrong.push(`batch ${index + 1} of ${owner} is missing`);
      if (before && before.closed?.cutOffAt !== book.openedAt)
        wrong.push(`${book.batchId} does not begin where ${before.batchId} ends`);
    }
  }
  return wrong;
}

interface ItemSum {
  readonly count: number;
  readonly amount: number;
}

const NO_ITEMS: ItemSum = { count: 0, amount: 0 };

function totalErrors(
  { batchId, closed, settledCount, adjustments }: BatchRecord,
  { count, amount }: ItemSum,
): string[] {
  if (!closed) return count > 0 ? [`${batchId} took ${count} items and was never closed`] : [];
  const { transactionCount, amount: total } = closed.totals;
  const wrong: string[] = [];
  if (transactionCount !== count || total !== amount)
    wrong.push(
      `${batchId} says ${String(transactionCount)} items and ${String(total)} cents; they are ${count} and ${amount}`,
    );
  if (count + adjustments === 0) wrong.push(`${batchId} was closed and is empty`);
  if (settledCount !== count)
    wrong.push(`${batchId} has ${count} items, and its settlements have ${settledCount ?? 'none'}`);
  return wrong;
}
