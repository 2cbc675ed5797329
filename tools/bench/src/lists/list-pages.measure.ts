import { formatCount } from '@tillstream/platform/command-line';
import type { ReadModels } from '@tillstream/read-models';
import type { BenchContext, Figure } from '../bench.types.js';
import { LISTS, type PageCase } from './list-pages.cases.js';
import { median } from '../report/rounds.statistics.js';

/* Pages of a list with many rows compared with those of the same list with few, on any database. */

export const PAGES_METHOD =
  'A page of 25 rows is asked for in both in turn, 61 times; what counts is the quotient of the medians. A deep page begins in ' +
  'the middle of the list, at a cursor. A filter has a value that most rows have, one that 40 rows have, or one that the 5,000 ' +
  'rows of a settlement have.';

/** The same lists with few and with many rows. */
export interface Sides {
  readonly small: ReadModels;
  readonly large: ReadModels;
}

export interface PageSizes {
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
}

interface Quotient {
  readonly value: number;
  readonly name: string;
  /** Median of the large list, microseconds. */
  readonly us: number;
}

export async function pagesBySize(
  sides: Sides,
  { few, many, rounds }: PageSizes,
  progress: BenchContext['progress'],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { path, cases } of LISTS) {
    progress(`pages of ${path}`);
    const [ofFew, ofMany] = [cases(few), cases(many)];
    const measured: (Quotient & { readonly isDeep: boolean })[] = [];
    for (const [index, large] of ofMany.entries()) {
      const quotient = await measure(sides, ofFew[index] as PageCase, large, rounds);
      measured.push({ ...quotient, isDeep: large.isDeep });
    }
    const sizes = `${formatCount(many)} rows : ${formatCount(few)} rows`;
    for (const isDeep of [false, true]) {
      const chosen = measured.filter((one) => one.isDeep === isDeep);
      const name = `${isDeep ? 'deep' : 'first'} page of ${path}, ${sizes}`;
      figures.push(worstFigure(name, chosen));
    }
  }
  return figures;
}

async function measure(
  { small, large }: Sides,
  ofFew: PageCase,
  ofMany: PageCase,
  rounds: number,
): Promise<Quotient> {
  const times: Record<keyof Sides, number[]> = { small: [], large: [] };
  for (let round = 0; round <= rounds; round++) {
    const [few, many] = [await time(small, ofFew), await time(large, ofMany)];
    // The first round plans statements and fills caches.
    if (round === 0) continue;
    times.small.push(few);
    times.large.push(many);
  }
  const us = median(times.large);
  return { value: us / median(times.small), name: ofMany.name, us };
}

/** Microseconds. @throws if the page has no row: then it measures nothing */
async function time(models: ReadModels, { name, read }: PageCase): Promise<number> {
  const startedAt = performance.now();
  const { items } = await read(models);
  const us = (performance.now() - startedAt) * 1_000;
  if (items.length === 0) throw new Error(`the page "${name}" has no row`);
  return us;
}

function worstFigure(name: string, all: readonly Quotient[]): Figure {
  const sorted = all.toSorted((a, b) => b.value - a.value);
  const worst = sorted[0] ?? { value: 0, name: 'none', us: 0 };
  const slowest = Math.max(...all.map(({ us }) => us));
  return {
    ...{ name, value: worst.value, least: sorted.at(-1)?.value ?? 0, most: worst.value, unit: '×' },
    detail: worst.name,
    meaning: `The worst of ${all.length}: each order, without and with each filter. The slowest page takes ${(slowest / 1_000).toFixed(2)} ms.`,
    target: { kind: 'at most', value: 1.5 },
  };
}
