import { join } from 'node:path';
import { formatCount } from '@tillstream/platform/command-line';
import type { BenchContext, Figure } from '../bench.types.js';
import { inDirectory, readRun, rebuildRun, type HistoryRun } from '../lists/read-models.rebuild.js';
import { median, ratio } from '../report/rounds.statistics.js';
import { writeSettledHistory } from './settled.history.js';

const LISTS = ['settlements', 'settled_transactions', 'fee_charges'] as const;
/** What each of the lists reads. */
const READ_BY_LISTS = [['settlement'], ['settlementpage'], ['settlement', 'settlementpage']] as const;
const ALL_CATEGORIES = ['payment', 'batch', 'settlement', 'settlementpage'];
/** Five of a sale, and a part of its page and batch. */
const EVENTS_PER_SALE = 5.02;

/** Each run is a process, with its own start and its own peak of memory. */
export async function rebuildFigures({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [wanted, rounds] = quick ? [4_000, 1] : [1_000_000, 3];
  const file = join(folder, 'settled.db');
  const payments = Math.ceil(wanted / EVENTS_PER_SALE);
  const events = await writeSettledHistory(file, payments, (done) =>
    progress(`writing sale ${done} of a settled history`),
  );
  const seconds: Record<'all' | 'pages' | 'rebuilt', number[]> = { all: [], pages: [], rebuilt: [] };
  let peakBytes = 0;
  for (let round = 1; round <= rounds; round++) {
    progress(`rebuild of settlements, round ${round} of ${rounds}`);
    seconds.all.push((await readRun(ALL_CATEGORIES, file)).seconds);
    const reads: HistoryRun[] = [];
    for (const categories of READ_BY_LISTS) reads.push(await readRun(categories, file));
    seconds.pages.push(reads.reduce((sum, one) => sum + one.seconds, 0));
    const rebuilt = await rebuildRun(LISTS, file, inDirectory(folder));
    seconds.rebuilt.push(rebuilt.seconds);
    peakBytes = Math.max(peakBytes, rebuilt.peakBytes);
  }
  const rate = `${formatCount(Math.round(events / median(seconds.rebuilt)))} events/s`;
  return [
    {
      name: `rebuild of settlements from ${formatCount(events)} events : reading them`,
      ...ratio(seconds.all, seconds.rebuilt),
      detail: `${rate}, ${formatCount(payments)} settled sales`,
      meaning:
        'The lists of settlements, of settled transactions and of fee charges one after the other, against a loop that only ' +
        'reads and parses all events of the same history. A rebuild passes those of payments and batches by their index.',
      target: { kind: 'at least', value: 0.3 },
    },
    {
      name: 'the same : reading the events of settlements',
      ...ratio(seconds.pages, seconds.rebuilt),
      meaning:
        'Against a loop that only reads and parses what each list needs. One event of a page makes 50 rows in two lists, with ' +
        'their indexes.',
    },
    {
      name: 'rebuild of settlements, MB of memory at most',
      value: Math.round(peakBytes / 1e6),
      unit: '',
      meaning: 'Resident, of the whole process, both of its threads; the most of all rounds.',
      target: { kind: 'at most', value: 300 },
    },
  ];
}
