import { ConsumerGroup } from '@tillstream/event-consumers';
import { MemoryLeases, RecordedLog } from '@tillstream/event-consumers/testing';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  historyWitness,
  MemoryEventStore,
  newEventId,
} from '@tillstream/event-store';
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

let setup: PaymentsTestSetup;
let history: readonly RecordedEvent[];
beforeAll(async () => {
  setup = await PaymentsTestSetup.open();
  history = await mixedHistory();
});
afterAll(() => setup.close());

async function mixedHistory(): Promise<readonly RecordedEvent[]> {
  const { payments } = setup.useCases;
  const refund = (originalTransactionId: string, amount: number) =>
    payments.refund(setup.context(), { originalTransactionId, amount } as never);
  const sale = requireOperationId(await setup.sale(1_000));
  const auth = requireOperationId(await setup.auth(2_000));
  await setup.sale(900_051);
  await setup.sale(920_001);
  await setup.sale(920_004);
  await payments.capture(setup.context(), { originalTransactionId: auth, amount: 500 } as never);
  await refund(sale, 400);
  await setup.auth(3_000);
  await setup.sale(4_000);
  await refund(sale, 920_001 - 920_000);
  await setup.storeCard();
  return (await setup.memory.readAll()).events;
}

/** Records which streams the consumer reads. */
class WatchedStore extends MemoryEventStore {
  streamsRead: string[] = [];

  override readStream(stream: string, options?: Parameters<EventStore['readStream']>[1]) {
    this.streamsRead.push(stream);
    return super.readStream(stream, options);
  }
}

async function readQueue(queue: MemoryWorkQueue): Promise<unknown> {
  const lists = await Promise.all(KINDS.map((kind) => queue.list(kind, undefined, 1_000)));
  return [...lists.flat(), await queue.countOf('LateApproval')];
}

/** The same event in the stream of another payment. */
function copied(event: RecordedEvent, copy: number): RecordedEvent {
  const data = {
    ...event.data,
    ...(event.data['operationId'] && { operationId: `${String(event.data['operationId'])}.${copy}` }),
  };
  return { ...event, id: newEventId(), stream: `${event.stream}.${copy}`, data };
}

type Feed = (store: EventStore, queue: MemoryWorkQueue) => Promise<unknown>;

/** Feeds the queue as the resolver does: by event headers. */
const byHeaders: Feed = async (store, workQueue) => {
  const feed = workQueueConsumer({ store, workQueue, timings: setup.timings }, () => undefined);
  const group = { store, leases: new MemoryLeases(), lease: 'tests', log: new RecordedLog() };
  await new ConsumerGroup({ ...group, consumers: [feed] }).catchUp();
};

/** Feeds the queue with every event. */
const byEvents: Feed = async (store, queue) => {
  const from = (await queue.checkpoint())?.position;
  const after = from === undefined ? {} : { after: from };
  for (let place: { after?: Position } = after; ;) {
    const { events, next, end } = await store.readAll({ ...place, categories: WORK_CATEGORIES });
    const [last] = events.slice(-1);
    const now = (await queue.checkpoint())?.position;
    if (last) await queue.advance(workItemChanges(events, setup.timings), now, historyWitness(last));
    if (end || next === undefined) return;
    place = { after: next };
  }
};

/** Appends the history in pieces and feeds each piece. Returns the contents of the queue after each one. */
async function feedPieces(
  store: MemoryEventStore,
  feed: Feed,
  pieces: readonly (readonly RecordedEvent[])[],
): Promise<unknown[]> {
  const queue = new MemoryWorkQueue();
  const open: unknown[] = [];
  for (const piece of pieces) {
    for (const { stream, revision, id, type, data, metadata } of piece) {
      const expected = revision === 0 ? 'none' : revision - 1;
      await store.append({ stream, expected, events: [{ id, type, data, metadata }] });
    }
    await feed(store, queue);
    open.push(await readQueue(queue));
    const last = piece.findLast(({ stream }) => /^(payment|token|holder)-/.test(stream));
    const place = last && { stream: last.stream, revision: last.revision };
    if (place) expect((await queue.checkpoint())?.witness).toMatchObject(place);
  }
  return open;
}

function cut<Item>(all: readonly Item[], places: readonly number[]): Item[][] {
  const ends = [...places.toSorted((a, b) => a - b), all.length];
  return ends.map((end, index) => all.slice(index === 0 ? 0 : ends[index - 1], end));
}

describe('a work queue that is fed by event headers', () => {
  it('is the same as one that is fed with every event, wherever the history is cut into pages', async () => {
    const cuts = fc.uniqueArray(fc.nat(history.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const pieces = cut(history, places);
        const open = await feedPieces(new MemoryEventStore(), byHeaders, pieces);
        expect(open).toEqual(await feedPieces(new MemoryEventStore(), byEvents, pieces));
        expect(open.at(-1)).not.toEqual([0]);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same if more events are open than one page reads', async () => {
    const long = Array.from({ length: 60 }, (_, copy) => history.map((event) => copied(event, copy))).flat();
    const open = await feedPieces(new MemoryEventStore(), byHeaders, [long]);
    expect(open).toEqual(await feedPieces(new MemoryEventStore(), byEvents, [long]));
  });

  it('is the same for arbitrary histories of payments, wherever they are cut', async () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, cuts, async (all, places) => {
        const pieces = cut(
          all,
          places.filter((place) => place < all.length),
        );
        expect(await feedPieces(new MemoryEventStore(), byHeaders, pieces)).toEqual(
          await feedPieces(new MemoryEventStore(), byEvents, pieces),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is fed without reading sales that have ended', async () => {
    const store = new WatchedStore();
    await feedPieces(store, byHeaders, [history]);
    const types = (stream: string) =>
      history.filter((event) => event.stream === stream).map(({ type }) => type);
    const ended = history
      .filter(({ type }) => type === 'SaleRequested')
      .map(({ stream }) => stream)
      .filter((stream) => types(stream).join() === 'SaleRequested,TryRequested,Authorized,Captured');
    expect(ended.length).toBeGreaterThan(0);
    expect(store.streamsRead.filter((stream) => ended.includes(stream))).toEqual([]);
    expect(store.streamsRead.length).toBeGreaterThan(0);
  });
});
