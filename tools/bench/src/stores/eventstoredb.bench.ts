import { join } from 'node:path';
import { newEventId, type EventStore, type NewEvent } from '@tillstream/event-store';
import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';
import { openBareClient, type BareClient } from '@tillstream/event-store-eventstoredb/testing';
import type { Bench, Figure, BenchContext } from '../bench.types.js';
import type { CatchUpMemory } from './catch-up.reader.js';
import { reportOf } from '../services/child.report.js';
import { eventServer, type EventServer } from '../services/event-server.js';
import { interleaved, median, ratio, type Rounds } from '../report/rounds.statistics.js';
import { openInProcessSales, type InProcessSales } from './in-process.sales.js';
import { readyPayments, runPayments, writeReady, type ReadyPayment } from './store.clients.js';

const CONCURRENCY = 50;
const EVENTS_IN_AN_APPEND = 100;

export const eventStoreDbBench: Bench = {
  name: 'eventstoredb',
  title: 'Events in EventStoreDB',
  method:
    `A server in a process of its own on this machine: a real one where EVENTSTOREDB_URL names it, else the double that ` +
    `the tests use (the first figure says which). A sale is the whole use case: decided, requested, sent to the ` +
    `simulated acquirer, answered and recorded, 50 at a time, each on a terminal of its own. The bare client is the ` +
    `driver by itself, which makes the same two appends of ready events for each payment, in its fastest way. Catching ` +
    `up is a subscription to everything from the beginning: ours with a subscriber that does nothing, and the driver's ` +
    `own with a loop that counts.`,
  run,
};

type Writing = 'sales' | 'transact' | 'bare';
type Reading = 'ours' | 'bare';

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const server = await eventServer();
  const bare = openBareClient(server.url);
  const store = openEventStoreDb({ url: server.url });
  const sales = await openInProcessSales(join(folder, 'data'), server.url, CONCURRENCY);
  try {
    const clients = { bare, store, sales };
    const writing = await measureWriting(clients, quick, progress);
    const events = quick ? 2_000 : 100_000;
    await writeHistory(bare, events, paymentEvents(), progress);
    const reading = await measureReading(clients, events, quick ? 1 : 7, progress);
    const large = quick ? 10_000 : 1_000_000;
    await writeHistory(bare, large - events, smallEvents(), progress);
    const counts = [String(large / 10), String(large)];
    const memory = await reportOf<CatchUpMemory>('stores/catch-up.reader.js', server.url, ...counts);
    return [...writingFigures(server, writing), ...readingFigures(reading), ...memoryFigures(memory, large)];
  } finally {
    await sales.close();
    await store.close();
    await bare.close();
    await server.stop();
  }
}

interface Clients {
  readonly bare: BareClient;
  readonly store: EventStore;
  readonly sales: InProcessSales;
}

function measureWriting(
  { bare, store, sales }: Clients,
  quick: boolean,
  progress: BenchContext['progress'],
): Promise<Rounds<Writing>> {
  const [payments, rounds] = quick ? [100, 1] : [2_000, 9];
  return interleaved<Writing>(
    rounds,
    {
      sales: async () => (await runPayments(payments, () => sales.sell())).rate / 2,
      transact: async () => (await writeReady(store, readyPayments(payments))).rate / 2,
      bare: async () => {
        const ready = readyPayments(payments);
        const { rate } = await runPayments(payments, async (number) => {
          const { stream, requested, answered } = ready[number] as ReadyPayment;
          await bare.append(stream, requested);
          await bare.append(stream, answered, requested.length - 1);
        });
        return rate / 2;
      },
    },
    (round) => progress(`payments, ${round}`),
  );
}

function measureReading(
  { bare, store }: Clients,
  events: number,
  rounds: number,
  progress: BenchContext['progress'],
): Promise<Rounds<Reading>> {
  const rate = async (read: () => Promise<void>): Promise<number> => {
    const startedAt = performance.now();
    await read();
    return (events * 1000) / (performance.now() - startedAt);
  };
  return interleaved<Reading>(
    rounds,
    { ours: () => rate(() => subscribeTo(store, events)), bare: () => rate(() => bare.catchUp(events)) },
    (round) => progress(`catching up, ${round}`),
  );
}

async function subscribeTo(store: EventStore, events: number): Promise<void> {
  let left = events;
  await new Promise<void>((resolve, reject) => {
    const subscription = store.subscribeToAll(
      {},
      {
        onEvent: () => {
          left -= 1;
          if (left === 0) void subscription.stop().then(resolve);
        },
        onFailure: reject,
      },
    );
  });
}

/** Writes streams of 100 events, which fit into one append. */
async function writeHistory(
  bare: BareClient,
  events: number,
  samples: readonly NewEvent[],
  progress: BenchContext['progress'],
): Promise<void> {
  const withNewIds = (): NewEvent[] => samples.map((event) => ({ ...event, id: newEventId() }));
  for (let written = 0; written < events; written += samples.length) {
    await bare.append(`payment-${newEventId()}`, withNewIds());
    if (written % 10_000 === 0) progress(`writing event ${written} of ${events} of a history`);
  }
}

function paymentEvents(): NewEvent[] {
  const payments = readyPayments(EVENTS_IN_AN_APPEND / 4);
  return payments.flatMap(({ requested, answered }) => [...requested, ...answered]);
}

function smallEvents(): NewEvent[] {
  return Array.from({ length: EVENTS_IN_AN_APPEND }, (_, number) => {
    return { id: newEventId(), type: 'Counted', data: { number }, metadata: {} };
  });
}

function writingFigures({ name: server }: EventServer, rates: Rounds<Writing>): Figure[] {
  const rate = (side: Writing, name: string, meaning: string): Figure => {
    return { name, value: median(rates[side]), unit: '/s', meaning };
  };
  return [
    {
      name: 'sales : bare client',
      ...ratio(rates.sales, rates.bare),
      detail: `on ${server}`,
      meaning:
        'The share that remains with decisions, hash chain, calls and responses, where each append is safe by itself.',
      target: { kind: 'at least', value: 0.5 },
    },
    {
      name: 'transact() : bare client',
      ...ratio(rates.transact, rates.bare),
      meaning: 'The same without deciding and sending.',
    },
    rate('sales', 'sales', 'Payments.'),
    rate('transact', 'transact()', 'Payments of two commands each.'),
    rate('bare', 'bare client', 'Payments of two appends each.'),
  ];
}

function readingFigures(rates: Rounds<Reading>): Figure[] {
  return [
    {
      name: 'catching up : bare client',
      ...ratio(rates.ours, rates.bare),
      meaning: 'What order, checkpoints and one event at a time cost.',
      target: { kind: 'at least', value: 0.7 },
    },
    { name: 'catching up', value: median(rates.ours), unit: '/s', meaning: 'Events.' },
    { name: 'bare client, catching up', value: median(rates.bare), unit: '/s', meaning: 'Events.' },
  ];
}

function memoryFigures({ first, last }: CatchUpMemory, events: number): Figure[] {
  return [
    {
      name: `memory after ${events.toLocaleString('en')} events : after a tenth of them`,
      value: last / first,
      unit: '×',
      detail: `${(last / 1_048_576).toFixed(0)} MiB`,
      meaning: 'The most that a process which only catches up ever had resident.',
      target: { kind: 'at most', value: 1.3 },
    },
  ];
}
