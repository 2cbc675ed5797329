import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import fc from 'fast-check';
import { MemoryOpenWork } from '../memory-open-work.js';
import type { WorkKind } from '../open-work.port.js';
import { idOf, PaymentsStage } from '../testing/payments.stage.js';
import { feedOpenWork } from './work.feed.js';

const KINDS: readonly WorkKind[] = [
  'Outcome',
  'Expiry',
  'LateCheck',
  'Reversal',
  'RefundLimit',
  'KeyDestruction',
  'Erasure',
];

let stage: PaymentsStage;
let history: readonly RecordedEvent[];
beforeAll(async () => {
  stage = await PaymentsStage.open();
  history = await aLittleOfEverything();
});
afterAll(() => stage.close());

async function aLittleOfEverything(): Promise<readonly RecordedEvent[]> {
  const { payments } = stage.module;
  const refund = (originalTransactionId: string, amount: number) =>
    payments.refund(stage.context(), { originalTransactionId, amount } as never);
  const sale = idOf(await stage.sale(1_000));
  const auth = idOf(await stage.auth(2_000));
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

/** The stores differ in one thing: whether they give heads. */
class HeadedStore extends MemoryEventStore {
  streamsRead: string[] = [];

  override async readHeads(options: Parameters<EventStore['readAll']>[0] = {}) {
    const { events, ...place } = await this.readAll(options);
    const heads = events.map(({ stream, revision, type, position }) => ({
      stream,
      revision,
      type,
      position,
    }));
    return { heads, ...place };
  }

  override readStream(stream: string, options?: Parameters<EventStore['readStream']>[1]) {
    this.streamsRead.push(stream);
    return super.readStream(stream, options);
  }
}

async function openWork(table: MemoryOpenWork): Promise<unknown> {
  const lists = await Promise.all(KINDS.map((kind) => table.list(kind, undefined, 1_000)));
  return lists.flat();
}

/** The same happening to others. */
function copied(event: RecordedEvent, copy: number): RecordedEvent {
  const data = {
    ...event.data,
    ...(event.data['operationId'] && { operationId: `${String(event.data['operationId'])}.${copy}` }),
  };
  return { ...event, id: newEventId(), stream: `${event.stream}.${copy}`, data };
}

/** The history, appended in pieces, each fed before the next; what was open after each. */
async function fed(
  store: MemoryEventStore,
  pieces: readonly (readonly RecordedEvent[])[],
): Promise<unknown[]> {
  const table = new MemoryOpenWork();
  const open: unknown[] = [];
  for (const piece of pieces) {
    for (const { stream, revision, id, type, data, metadata } of piece) {
      const expected = revision === 0 ? 'none' : revision - 1;
      await store.append({ stream, expected, events: [{ id, type, data, metadata }] });
    }
    await feedOpenWork(store, table, stage.timings);
    open.push(await openWork(table));
    const last = piece.findLast(({ stream }) => /^(payment|token|holder)-/.test(stream));
    if (last) expect(await table.landmark()).toMatchObject({ stream: last.stream, revision: last.revision });
  }
  return open;
}

describe('What is open', () => {
  it('is the same whether or not the store gives heads, wherever the history was cut', async () => {
    const cuts = fc.uniqueArray(fc.nat(history.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.toSorted((a, b) => a - b), history.length];
        const pieces = ends.map((end, index) => history.slice(index === 0 ? 0 : ends[index - 1], end));
        const withHeads = await fed(new HeadedStore(), pieces);
        expect(withHeads).toEqual(await fed(new MemoryEventStore(), pieces));
        expect(withHeads.at(-1)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same where more is open than one page reads', async () => {
    const long = Array.from({ length: 60 }, (_, copy) => history.map((event) => copied(event, copy))).flat();
    const withHeads = await fed(new HeadedStore(), [long]);
    expect(withHeads).toEqual(await fed(new MemoryEventStore(), [long]));
  });

  it('is found without reading a sale that is over', async () => {
    const store = new HeadedStore();
    await fed(store, [history]);
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
