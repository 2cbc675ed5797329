import type { EventStore, RecordedEvent } from '@tillstream/event-store';

/*
 * What batches took, judged from the events alone: no rule, no fold and no row of the service is used.
 */

export interface BatchVerdict {
  readonly complaints: readonly string[];
  readonly batches: number;
  readonly items: number;
  readonly leftOver: number;
  /** Items that no batch took. */
  readonly untaken: number;
}

interface Taken {
  readonly batchId: string;
  readonly amount: number;
  readonly event: RecordedEvent;
}

interface Book {
  readonly batchId: string;
  readonly number: number;
  readonly openedAt: string;
  readonly closings: { closing: number; cutOffAt: string; event: RecordedEvent }[];
  closed?: { totals: Record<string, unknown>; cutOffAt: string; event: RecordedEvent };
}

/** Reads all payments and batches of one currency of one merchant, once nothing happens any more. */
export async function judgeBatches(store: EventStore): Promise<BatchVerdict> {
  const payments = new Map<string, RecordedEvent[]>();
  const books = new Map<string, Book>();
  const complaints: string[] = [];
  await everyEvent(store, ['payment', 'batch'], (event) => {
    if (event.stream.startsWith('batch-')) return bookBatch(books, event, complaints);
    const known = payments.get(event.stream);
    if (known) known.push(event);
    else payments.set(event.stream, [event]);
  });
  const taken: Taken[] = [];
  let leftOver = 0;
  let untaken = 0;
  for (const events of payments.values()) {
    const judged = judgePayment(events, books, store);
    complaints.push(...judged.complaints);
    taken.push(...judged.taken);
    leftOver += judged.leftOver;
    untaken += judged.untaken;
  }
  complaints.push(...wrongBooks([...books.values()], taken));
  return { complaints, batches: books.size, items: taken.length, leftOver, untaken };
}

async function everyEvent(
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

function bookBatch(books: Map<string, Book>, event: RecordedEvent, complaints: string[]): void {
  const { stream, type, data } = event;
  const book = books.get(stream);
  if (type === 'BatchOpened') {
    if (book) complaints.push(`${stream} was opened twice`);
    const { batchId, number, openedAt } = data as { batchId: string; number: number; openedAt: string };
    books.set(stream, { batchId, number, openedAt, closings: [] });
    return;
  }
  if (!book) return void complaints.push(`${stream} has ${type} without an opening`);
  if (book.closed) complaints.push(`${stream} has ${type} after its close`);
  const { closing, cutOffAt } = data as { closing: number; cutOffAt: string };
  if (type === 'BatchClosing') book.closings.push({ closing, cutOffAt, event });
  if (type === 'BatchClosed') book.closed = { totals: data, cutOffAt, event };
}

/** Walks a payment's events in their order, with a sheet of its own for each operation. */
function judgePayment(
  events: readonly RecordedEvent[],
  books: ReadonlyMap<string, Book>,
  store: EventStore,
): Omit<BatchVerdict, 'batches' | 'items'> & { readonly taken: readonly Taken[] } {
  const complaints: string[] = [];
  const taken: Taken[] = [];
  const moved = new Map<string, { amount: number; event: RecordedEvent }>();
  const voided = new Map<string, number>();
  const inBatch = new Map<string, Taken>();
  const left = new Map<string, Set<string>>();
  const byId = new Map([...books.values()].map((book) => [book.batchId, book]));
  let leftOver = 0;
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
      leftOver += 1;
      const closings = left.get(id) ?? new Set();
      left.set(id, closings.add(`${String(data['batchId'])} ${String(data['closing'])}`));
    }
    if (type !== 'Batched') continue;
    const batchId = String(data['batchId']);
    if (inBatch.has(id)) complaints.push(`${id} is in ${inBatch.get(id)?.batchId} and in ${batchId}`);
    const one = { batchId, amount, event };
    inBatch.set(id, one);
    taken.push(one);
    const fact = moved.get(id);
    const left2 = (fact?.amount ?? 0) - (voided.get(id) ?? 0);
    if (!fact) complaints.push(`${id} was batched before it moved money`);
    if (left2 !== amount) complaints.push(`${id} was batched with ${amount}, ${left2} was left`);
    complaints.push(...wrongPlace(id, one, fact?.event, byId.get(batchId), left.get(id), store));
  }
  let untaken = 0;
  for (const [id, { amount }] of moved) {
    if (!inBatch.has(id) && amount - (voided.get(id) ?? 0) !== 0) untaken += 1;
  }
  return { complaints, taken, leftOver, untaken };
}

/** In the batch that was closing just then, and one that had not passed it over. */
function wrongPlace(
  id: string,
  { batchId, event }: Taken,
  fact: RecordedEvent | undefined,
  book: Book | undefined,
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

/** Totals are the sums of the items; one batch follows the other without a gap. */
function wrongBooks(books: readonly Book[], taken: readonly Taken[]): string[] {
  const wrong: string[] = [];
  const sums = new Map<string, { count: number; amount: number }>();
  for (const { batchId, amount } of taken) {
    const sum = sums.get(batchId) ?? { count: 0, amount: 0 };
    sums.set(batchId, { count: sum.count + 1, amount: sum.amount + amount });
  }
  for (const { batchId, closed } of books) {
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
  const inOrder = books.toSorted((a, b) => a.number - b.number);
  for (const [index, book] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (book.number !== index + 1) wrong.push(`batch ${index + 1} is missing`);
    if (before && before.closed?.cutOffAt !== book.openedAt)
      wrong.push(`${book.batchId} does not begin where ${before.batchId} ends`);
  }
  return wrong;
}
