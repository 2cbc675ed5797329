import type { EventStore, RecordedEvent } from '@tillstream/event-store';

/* Checks batches from the events alone: it uses no rule, no fold and no row of the service. */

export interface BatchCheck {
  readonly complaints: readonly string[];
  readonly batches: number;
  readonly items: number;
  readonly leftForNext: number;
  /** Items that are in no batch. */
  readonly unbatched: number;
}

interface BatchedItem {
  readonly batchId: string;
  readonly amount: number;
  readonly event: RecordedEvent;
}

interface BatchRecord {
  readonly batchId: string;
  readonly number: number;
  readonly openedAt: string;
  readonly closings: { closing: number; cutOffAt: string; event: RecordedEvent }[];
  closed?: { totals: Record<string, unknown>; cutOffAt: string; event: RecordedEvent };
}

/** Checks all payments and batches of one merchant and currency. Call it when the service is idle. */
export async function checkBatches(store: EventStore): Promise<BatchCheck> {
  const payments = new Map<string, RecordedEvent[]>();
  const batches = new Map<string, BatchRecord>();
  const complaints: string[] = [];
  await readEvents(store, ['payment', 'batch'], (event) => {
    if (event.stream.startsWith('batch-')) return addBatchEvent(batches, event, complaints);
    const known = payments.get(event.stream);
    if (known) known.push(event);
    else payments.set(event.stream, [event]);
  });
  const batched: BatchedItem[] = [];
  let leftForNext = 0;
  let unbatched = 0;
  for (const events of payments.values()) {
    const checked = checkPayment(events, batches, store);
    complaints.push(...checked.complaints);
    batched.push(...checked.batched);
    leftForNext += checked.leftForNext;
    unbatched += checked.unbatched;
  }
  complaints.push(...batchErrors([...batches.values()], batched));
  return { complaints, batches: batches.size, items: batched.length, leftForNext, unbatched };
}

async function readEvents(
  store: EventStore,
  categories: readonly string[],
  take: (event: RecordedEvent) => void,
): Promise<void> {
  let after: RecordedEvent['position'] | undefined;
  for (let end = false; !end;) {
    const page = await store.readAll({ ...(after && { after }), categories });
    page.events.forEach(take);
    after = page.next ?? after;
    end = page.end;
  }
}

function addBatchEvent(batches: Map<string, BatchRecord>, event: RecordedEvent, complaints: string[]): void {
  const { stream, type, data } = event;
  const book = batches.get(stream);
  if (type === 'BatchOpened') {
    if (book) complaints.push(`${stream} was opened twice`);
    const { batchId, number, openedAt } = data as { batchId: string; number: number; openedAt: string };
    batches.set(stream, { batchId, number, openedAt, closings: [] });
    return;
  }
  if (!book) return void complaints.push(`${stream} has ${type} without an opening`);
  if (book.closed) complaints.push(`${stream} has ${type} after its close`);
  const { closing, cutOffAt } = data as { closing: number; cutOffAt: string };
  if (type === 'BatchClosing') book.closings.push({ closing, cutOffAt, event });
  if (type === 'BatchClosed') book.closed = { totals: data, cutOffAt, event };
}

/** Replays the events of a payment. */
function checkPayment(
  events: readonly RecordedEvent[],
  batches: ReadonlyMap<string, BatchRecord>,
  store: EventStore,
): Omit<BatchCheck, 'batches' | 'items'> & { readonly batched: readonly BatchedItem[] } {
  const complaints: string[] = [];
  const batched: BatchedItem[] = [];
  const moved = new Map<string, { amount: number; event: RecordedEvent }>();
  const voided = new Map<string, number>();
  const inBatch = new Map<string, BatchedItem>();
  const left = new Map<string, Set<string>>();
  const byId = new Map([...batches.values()].map((book) => [book.batchId, book]));
  let leftForNext = 0;
  for (const event of events) {
    const { type, data } = event;
    const id = String(data['operationId']);
    const original = String(data['originalOperationId']);
    const amount = Number(data['amount']);
    const asksVoid =
      type === 'VoidRequested' || (type === 'RefundRequested' && data['executedAs'] === 'Void');
    const answersItself = events.some(
      (one) => one.type === 'Declined' && one.data['operationId'] === id && one.data['try'] === 0,
    );
    if (asksVoid && inBatch.has(original) && !answersItself)
      complaints.push(`${id}: a void was accepted after ${original} was batched`);
    if (type === 'Captured') moved.set(id, { amount, event });
    if (type === 'Refunded') moved.set(id, { amount: -amount, event });
    if (type === 'Voided') {
      voided.set(original, (voided.get(original) ?? 0) + amount);
      if (inBatch.has(original)) complaints.push(`${id}: voided after ${original} was batched`);
    }
    if (type === 'LeftForNextBatch') {
      leftForNext += 1;
      const closings = left.get(id) ?? new Set();
      left.set(id, closings.add(`${String(data['batchId'])} ${String(data['closing'])}`));
    }
    if (type !== 'Batched') continue;
    const batchId = String(data['batchId']);
    if (inBatch.has(id)) complaints.push(`${id} is in ${inBatch.get(id)?.batchId} and in ${batchId}`);
    const one = { batchId, amount, event };
    inBatch.set(id, one);
    batched.push(one);
    const fact = moved.get(id);
    const left2 = (fact?.amount ?? 0) - (voided.get(id) ?? 0);
    if (!fact) complaints.push(`${id} was batched before it moved money`);
    if (left2 !== amount) complaints.push(`${id} was batched with ${amount}, ${left2} was left`);
    complaints.push(...placementErrors(id, one, fact?.event, byId.get(batchId), left.get(id), store));
  }
  let unbatched = 0;
  for (const [id, { amount }] of moved) {
    if (!inBatch.has(id) && amount - (voided.get(id) ?? 0) !== 0) unbatched += 1;
  }
  return { complaints, batched, leftForNext, unbatched };
}

/** An item belongs to the batch that was closing at its time, unless that batch had left it for the next. */
function placementErrors(
  id: string,
  { batchId, event }: BatchedItem,
  fact: RecordedEvent | undefined,
  book: BatchRecord | undefined,
  left: ReadonlySet<string> | undefined,
  store: EventStore,
): string[] {
  if (!book) return [`${id} is in ${batchId}, which was never opened`];
  const isBefore = (a: RecordedEvent, b: RecordedEvent): boolean =>
    store.comparePositions(a.position, b.position) < 0;
  const closing = book.closings.findLast((one) => isBefore(one.event, event));
  if (!closing) return [`${id} is in ${batchId} before that was closing`];
  const wrong: string[] = [];
  if (book.closed && isBefore(book.closed.event, event))
    wrong.push(`${id} was put into ${batchId} after its close`);
  if (fact && !isBefore(fact, closing.event))
    wrong.push(`${id} moved after ${batchId} began to close, and is in it`);
  if (fact && String(fact.data['at']) >= closing.cutOffAt)
    wrong.push(`${id} moved at ${String(fact.data['at'])}, and is in a batch cut off at ${closing.cutOffAt}`);
  if (left?.has(`${batchId} ${closing.closing}`))
    wrong.push(`${id} was passed over by ${batchId}, and is in it`);
  return wrong;
}

/** Totals are the sums of the items, and batches follow each other without a gap. */
function batchErrors(batches: readonly BatchRecord[], batched: readonly BatchedItem[]): string[] {
  const wrong: string[] = [];
  const sums = new Map<string, { count: number; amount: number }>();
  for (const { batchId, amount } of batched) {
    const sum = sums.get(batchId) ?? { count: 0, amount: 0 };
    sums.set(batchId, { count: sum.count + 1, amount: sum.amount + amount });
  }
  for (const { batchId, closed } of batches) {
    const { count, amount } = sums.get(batchId) ?? { count: 0, amount: 0 };
    if (!closed) {
      if (count > 0) wrong.push(`${batchId} took ${count} items and was never closed`);
      continue;
    }
    const { transactionCount, amount: total } = closed.totals;
    if (transactionCount !== count || total !== amount) {
      wrong.push(
        `${batchId} says ${String(transactionCount)} items and ${String(total)} cents; they are ${count} and ${amount}`,
      );
    }
    if (count === 0) wrong.push(`${batchId} was closed and is empty`);
  }
  const inOrder = batches.toSorted((a, b) => a.number - b.number);
  for (const [index, book] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (book.number !== index + 1) wrong.push(`batch ${index + 1} is missing`);
    if (before && before.closed?.cutOffAt !== book.openedAt)
      wrong.push(`${book.batchId} does not begin where ${before.batchId} ends`);
  }
  return wrong;
}
