import { statSync } from 'node:fs';
import { join } from 'node:path';
import { capture, voidOperation } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Bench, Figure, BenchContext } from '../bench.types.js';
import { FIRST_PAYMENT_AT, writeHistory } from './history.file.js';
import { cachedBytes, dropFromPageCache, readIntoPageCache } from './page.cache.js';
import { interleaved, median, ratio, type Rounds } from '../report/rounds.statistics.js';
import { eventsOf, iso, numberedSample, stateOf, attemptPlan } from './sample.payment.js';

const SMALL = 1_000;
const LARGE = 1_000_000;
const LARGE_QUICK = 3_000;

export const historyBench: Bench = {
  name: 'history',
  title: 'A decision in a large file',
  method:
    `A random payment is read by its stream, folded, and a void (of a sale) or a capture (of an authorization) decided ` +
    `on it, as a request does before it appends; the time is the median of 500 such payments a round. Both files are ` +
    `read once before, and lie in the operating system's page cache as far as the report says. SQLite's own cache (20 MB ` +
    `a connection) holds all of the small file; of the large one it has what is above the leaves of its trees.`,
  run,
};

interface History {
  readonly file: string;
  readonly payments: number;
}

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const small = { file: join(folder, 'small.db'), payments: SMALL };
  const large = { file: join(folder, 'large.db'), payments: quick ? LARGE_QUICK : LARGE };
  const [loads, rounds] = quick ? [50, 1] : [500, 41];
  for (const { file, payments } of [small, large]) {
    await writeHistory(file, payments, (done) =>
      progress(`writing payment ${done} of ${payments} of a history`),
    );
  }
  progress('reading both files once');
  for (const { file } of [small, large]) readIntoPageCache(file);
  const stores = [await openToRead(small), await openToRead(large)] as const;
  const times = await interleaved(
    rounds,
    { small: () => medianTime(stores[0], small, loads), large: () => medianTime(stores[1], large, loads) },
    progress,
  );
  await Promise.all(stores.map((store) => store.close()));
  return [...figures(large, times), ...(await coldFigures(large, loads))];
}

function figures(large: History, times: Rounds<'small' | 'large'>): Figure[] {
  const { size } = statSync(large.file);
  const cached = cachedBytes(large.file);
  const inCache = cached === undefined ? '' : `, ${percent(cached / size)} in the page cache`;
  const count = large.payments.toLocaleString('en');
  return [
    {
      name: `load and decide, ${count} payments : 1,000 payments`,
      ...ratio(times.large, times.small),
      meaning: 'A decision costs the same however long the history is.',
      target: { kind: 'at most', value: 1.3 },
    },
    {
      name: `load and decide, ${count} payments`,
      value: median(times.large),
      unit: 'µs',
      detail: `${gigabytes(size)}${inCache}`,
      meaning: "Most of its pages come out of the page cache, not SQLite's own.",
    },
    { name: 'load and decide, 1,000 payments', value: median(times.small), unit: 'µs', meaning: 'The same.' },
  ];
}

/** Has no target: it measures a few reads of the disk. */
async function coldFigures(large: History, loads: number): Promise<Figure[]> {
  if (!dropFromPageCache(large.file)) return [];
  const cached = cachedBytes(large.file);
  const store = await openToRead(large);
  const value = await medianTime(store, large, loads);
  await store.close();
  const left = cached === undefined ? '' : ` (${gigabytes(cached)} of it were left)`;
  const meaning = `After the file was dropped from the page cache${left}: mostly reads of the disk.`;
  return [{ name: 'the same, from disk', value, unit: 'µs', meaning }];
}

function openToRead({ file }: History): Promise<SqliteEventStore> {
  return openSqliteEventStore({ file, readOnly: true });
}

async function medianTime(store: SqliteEventStore, { payments }: History, loads: number): Promise<number> {
  const times: number[] = [];
  for (let load = 0; load < loads; load++) {
    times.push(await loadAndDecide(store, Math.floor(Math.random() * payments)));
  }
  return median(times);
}

/** Microseconds. */
async function loadAndDecide(store: SqliteEventStore, number: number): Promise<number> {
  const { kind, stream, operationId, at } = numberedSample(number, FIRST_PAYMENT_AT);
  const command = {
    at: iso(at + 60_000),
    commandId: stream,
    originalOperationId: operationId,
    sendWindow: attemptPlan(at + 60_000, 10_000),
  };
  const decide = kind === 'Sale' ? voidOperation : capture;
  const startedAt = performance.now();
  const decision = decide(stateOf(await readWholeStream(store, stream)), command);
  const time = (performance.now() - startedAt) * 1000;
  if (eventsOf(decision).length !== 2) throw new Error(`payment ${number} is not what was written`);
  return time;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
