import { ConsumerGroup, MemoryLeases } from '@tillstream/event-consumers';
import { RecordedLog } from '@tillstream/event-consumers/testing';
import type { EventStore, Position, RecordedEvent } from '@tillstream/event-store';
import { historyWitness, MemoryEventStore, newEventId } from '@tillstream/event-store';
import fc from 'fast-check';
import { MemoryWorkQueue } from './memory-work-queue.js';
import type { WorkKind } from './work-queue.port.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';
import { arbitraryHistory } from './event-histories.testing.js';
import { workItemChanges, workQueueConsumer, WORK_CATEGORIES } from './work-queue.consumer.js';

const KINDS: readonly WorkKind[] = [
  'Outcome',
  'Answer',
  'Notice',
  'Expiry',
  'LateCheck',
  'Reversal',
  'RefundLimit',
  'KeyDestruction',
  'Erasure',
];

let stage: PaymentsTestSetup;
let history: readonly RecordedEvent[];
beforeAll(async () => {
  stage = await PaymentsTestSetup.open();
  history = await aLittleOfEverything();
});
afterAll(() => stage.close());

async function aLittleOfEverything(): Promise<readonly RecordedEvent[]> {
  const { payments } = stage.useCases;
  const refund = (originalTransactionId: string, amount: number) =>
    payments.refund(stage.context(), { originalTransactionId, amount } as never);
  const sale = requireOperationId(await stage.sale(1_000));
  const auth = requireOperationId(await stage.auth(2_000));
  await stage.sale(900_051);
  await stage.sale(920_001);
  await stage.sale(920_004);
  await payments.capture(stage.context(), { originalTransactionId: auth, amount: 500 } as never);
  await refund(sale, 400);
  await stage.auth(3_000);
  await stage.sale(4_000);
  await refund(sale, 920_001 - 920_000);
  await stage.storeCard();
  return (await stage.memory.readAll()).events;
}

/** Remembers which streams were read. */
class WatchedStore extends MemoryEventStore {
  streamsRead: string[] = [];

  override readStream(stream: string, options?: Parameters<EventStore['readStream']>[1]) {
    this.streamsRead.push(stream);
    return super.readStream(stream, options);
  }
}

async function readQueue(table: MemoryWorkQueue): Promise<unknown> {
  const lists = await Promise.all(KINDS.map((kind) => table.list(kind, undefined, 1_000)));
  return [...lists.flat(), await table.countOf('LateApproval')];
}

/** The same happening to others. */
function copied(event: RecordedEvent, copy: number): RecordedEvent {
  const data = {
    ...event.data,
    ...(event.data['operationId'] && { operationId: `${String(event.data['operationId'])}.${copy}` }),
  };
  return { ...event, id: newEventId(), stream: `${event.stream}.${copy}`, data };
}

type Feed = (store: EventStore, table: MemoryWorkQueue) => Promise<unknown>;

/** As it is done: by heads. */
const byHeads: Feed = async (store, workQueue) => {
  const feed = workQueueConsumer({ store, workQueue, timings: stage.timings, changed: () => undefined });
  const group = { store, leases: new MemoryLeases(), lease: 'tests', log: new RecordedLog() };
  await new ConsumerGroup({ ...group, consumers: [feed] }).catchUp();
};

/** What all events leave, each of them read. */
const byEvents: Feed = async (store, table) => {
  const from = (await table.checkpoint())?.position;
  const after = from === undefined ? {} : { after: from };
  for (let place: { after?: Position } = after; ;) {
    const { events, next, end } = await store.readAll({ ...place, categories: WORK_CATEGORIES });
    const [last] = events.slice(-1);
    const now = (await table.checkpoint())?.position;
    if (last) await table.advance(workItemChanges(events, stage.timings), now, historyWitness(last));
    if (end || next === undefined) return;
    place = { after: next };
  }
};

/** The history, appended in pieces, each fed before the next; what was open after each. */
async function fed(
  store: MemoryEventStore,
  feed: Feed,
  pieces: readonly (readonly RecordedEvent[])[],
): Promise<unknown[]> {
  const table = new MemoryWorkQueue();
  const open: unknown[] = [];
  for (const piece of pieces) {
    for (const { stream, revision, id, type, data, metadata } of piece) {
      const expected = revision === 0 ? 'none' : revision - 1;
      await store.append({ stream, expected, events: [{ id, type, data, metadata }] });
    }
    await feed(store, table);
    open.push(await readQueue(table));
    const last = piece.findLast(({ stream }) => /^(payment|token|holder)-/.test(stream));
    const place = last && { stream: last.stream, revision: last.revision };
    if (place) expect((await table.checkpoint())?.witness).toMatchObject(place);
  }
  return open;
}

function cut<Item>(all: readonly Item[], places: readonly number[]): Item[][] {
  const ends = [...places.toSorted((a, b) => a - b), all.length];
  return ends.map((end, index) => all.slice(index === 0 ? 0 : ends[index - 1], end));
}

describe('What is open', () => {
  it('is what all events leave, wherever the history was cut', async () => {
    const cuts = fc.uniqueArray(fc.nat(history.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const pieces = cut(history, places);
        const open = await fed(new MemoryEventStore(), byHeads, pieces);
        expect(open).toEqual(await fed(new MemoryEventStore(), byEvents, pieces));
        expect(open.at(-1)).not.toEqual([0]);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same where more is open than one page reads', async () => {
    const long = Array.from({ length: 60 }, (_, copy) => history.map((event) => copied(event, copy))).flat();
    const open = await fed(new MemoryEventStore(), byHeads, [long]);
    expect(open).toEqual(await fed(new MemoryEventStore(), byEvents, [long]));
  });

  it('is what all events leave, whatever happens to payments, and wherever that was cut', async () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, cuts, async (all, places) => {
        const pieces = cut(
          all,
          places.filter((place) => place < all.length),
        );
        expect(await fed(new MemoryEventStore(), byHeads, pieces)).toEqual(
          await fed(new MemoryEventStore(), byEvents, pieces),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is found without reading a sale that is over', async () => {
    const store = new WatchedStore();
    await fed(store, byHeads, [history]);
    const types = (stream: string) => history.filter((one) => one.stream === stream).map(({ type }) => type);
    const over = history
      .filter(({ type }) => type === 'SaleRequested')
      .map(({ stream }) => stream)
      .filter((stream) => types(stream).join() === 'SaleRequested,TryRequested,Authorized,Captured');
    expect(over.length).toBeGreaterThan(0);
    expect(store.streamsRead.filter((stream) => over.includes(stream))).toEqual([]);
    expect(store.streamsRead.length).toBeGreaterThan(0);
  });
});
