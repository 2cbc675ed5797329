import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { MemoryEventStore } from '@tillstream/event-store';
import { formatCount } from '@tillstream/platform/command-line';
import { openReadModels } from '@tillstream/read-models-sqlite';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { reportOf } from '../services/child.report.js';
import { PAGES_METHOD, pagesBySize } from './list-pages.measure.js';

/** Filled at the same time, one process each. */
const FILLS = [
  ['transactions', 'settlements'],
  ['settled_transactions', 'fee_charges'],
] as const;

export const listPagesBench: Bench = {
  name: 'list-pages',
  title: 'Pages of lists with 10,000,000 rows',
  method:
    'Each list has 10,000 rows in one directory and 10,000,000 in another, made by SQL alone: rows of one merchant, with the ' +
    `indexes that the service makes, and short bodies. ${PAGES_METHOD}`,
  run,
};

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [few, many, rounds] = quick ? [10_000, 20_000, 5] : [10_000, 10_000_000, 61];
  progress(`making ${formatCount(many)} rows of each list`);
  const directories = { small: join(folder, 'few'), large: join(folder, 'many') };
  for (const directory of Object.values(directories)) mkdirSync(directory, { recursive: true });
  const fill = (directory: string, count: number) =>
    Promise.all(
      FILLS.map((names) => reportOf('lists/list-rows.worker.js', directory, String(count), names.join())),
    );
  await fill(directories.small, few);
  await fill(directories.large, many);
  const open = (directory: string) => openReadModels({ directory, store: new MemoryEventStore() });
  const sides = { small: await open(directories.small), large: await open(directories.large) };
  const figures = await pagesBySize(sides, { few, many, rounds }, progress);
  await Promise.all(Object.values(sides).map((side) => side.stop()));
  return figures;
}
