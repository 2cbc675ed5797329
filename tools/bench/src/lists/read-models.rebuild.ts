import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '@tillstream/platform/command-line';
import type { BenchContext, Figure } from '../bench.types.js';
import { reportOf } from '../services/child.report.js';
import { writeHistory } from '../stores/history.file.js';
import { median, ratio, type Rounds } from '../report/rounds.statistics.js';

/** A sale has four events, an authorization three. */
const EVENTS_PER_PAYMENT = 3.5;

export interface HistoryRun {
  readonly events: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly peakBytes: number;
}

type Side = 'read' | 'large' | 'small';

export const REBUILD_METHOD =
  'A rebuild runs in a process of its own on a history of payments at terminals, and is compared with a process that only ' +
  'reads the same events.';

/** Calls `run` with the address of a new place for lists, and removes the place after it. */
export type WithLists = (run: (place: string) => Promise<HistoryRun>) => Promise<HistoryRun>;

/** Each run is a process, with its own start and its own peak of memory. */
export async function rebuildFigures(
  { folder, quick, progress }: BenchContext,
  withLists: WithLists = inDirectory(folder),
): Promise<Figure[]> {
  const [events, fewer, rounds] = quick ? [4_000, 1_000, 1] : [1_000_000, 100_000, 5];
  const large = join(folder, 'large.db');
  const small = join(folder, 'small.db');
  await writeHistory(large, Math.ceil(events / EVENTS_PER_PAYMENT), (done) =>
    progress(`writing payment ${done} of a history`),
  );
  await writeHistory(small, Math.ceil(fewer / EVENTS_PER_PAYMENT), () => undefined);
  const rates: Record<Side, number[]> = { read: [], large: [], small: [] };
  let peakBytes = 0;
  for (let round = 1; round <= rounds; round++) {
    progress(`rebuild, round ${round} of ${rounds}`);
    rates.read.push((await readRun(['payment', 'token'], large)).perSecond);
    const rebuilt = await rebuildRun(['transactions'], large, withLists);
    rates.large.push(rebuilt.perSecond);
    peakBytes = Math.max(peakBytes, rebuilt.peakBytes);
    rates.small.push((await rebuildRun(['transactions'], small, withLists)).perSecond);
  }
  return figures(rates, peakBytes, events, fewer);
}

function figures(rates: Rounds<Side>, peakBytes: number, events: number, fewer: number): Figure[] {
  return [
    {
      name: `rebuild of ${formatCount(events)} events : reading them`,
      ...ratio(rates.large, rates.read),
      detail: `${formatCount(Math.round(median(rates.large)))} events/s`,
      meaning: 'Against a loop that only reads and parses the same events, page by page.',
      target: { kind: 'at least', value: 0.3 },
    },
    {
      name: `rebuild, rate at ${formatCount(events)} events : at ${formatCount(fewer)}`,
      ...ratio(rates.large, rates.small),
      meaning: 'A rebuild takes as long for each event however long the history is.',
      target: { kind: 'at least', value: 0.9 },
    },
    {
      name: `rebuild of ${formatCount(events)} events, MB of memory at most`,
      value: Math.round(peakBytes / 1e6),
      unit: '',
      meaning: 'Resident, of the whole process, both of its threads; the most of all rounds.',
      target: { kind: 'at most', value: 300 },
    },
  ];
}

/** @param names the categories that are read */
export function readRun(names: readonly string[], file: string): Promise<HistoryRun> {
  return reportOf<HistoryRun>('lists/read-models.worker.js', 'read', file, '', names.join());
}

/** @param names the lists that are rebuilt */
export function rebuildRun(
  names: readonly string[],
  file: string,
  withLists: WithLists,
): Promise<HistoryRun> {
  return withLists((place) =>
    reportOf<HistoryRun>('lists/read-models.worker.js', 'rebuild', file, place, names.join()),
  );
}

export function inDirectory(folder: string): WithLists {
  const directory = join(folder, 'rebuilt');
  return async (run) => {
    mkdirSync(directory, { recursive: true });
    try {
      return await run(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
}
