import { formatCount } from '@tillstream/platform/command-line';
import type { PageKey, ReadModels, TransactionFilters, TransactionSort } from '@tillstream/read-models';
import { FREQUENT, MERCHANT, RARE } from '@tillstream/read-models/testing';
import type { BenchContext, Figure } from '../bench.types.js';
import { percentile } from '../report/rounds.statistics.js';

/* Pages of transactions by each filter, in a small and a large list, and deep in the large one, on any database. */

const SORTS: readonly TransactionSort[] = ['createdAt', 'updatedAt', 'amount'];
const PAGE = 25;
const DEEP_PAGE = 10_000;
/** Rows of the pages that lead to the deep page; they are not measured. */
const STRIDE = 100;

export const TRANSACTION_PAGES_METHOD =
  "Pages of 25 of one merchant's transactions, newest or highest first, are asked for one by one, in a small and in a large " +
  'table in turn; each time is a lower quartile.';

interface Case {
  readonly by: TransactionSort;
  readonly filters: TransactionFilters;
}

interface Quotient {
  readonly value: number;
  readonly name: string;
}

/** @param openFilled opens a list of transactions (`manyTransactionsRow`), which `stop` closes */
export async function transactionPages(
  openFilled: (name: string, rows: number) => Promise<ReadModels>,
  { quick, progress }: Pick<BenchContext, 'quick' | 'progress'>,
): Promise<Figure[]> {
  const [few, many, deep, rounds] = quick ? [1_000, 4_000, 10, 3] : [10_000, 1_000_000, DEEP_PAGE, 61];
  const small = await openFilled('few', few);
  const large = await openFilled('many', many);
  const figures: Figure[] = [];
  for (const by of SORTS) {
    const all = [{}, ...FREQUENT, ...RARE].map((filters) => ({ by, filters }));
    const bySize: Quotient[] = [];
    for (const one of all) {
      progress(`pages by ${by}: ${filterName(one)}`);
      const times = { theirs: () => time(small, one), ours: () => time(large, one) };
      bySize.push({ value: await quotient(rounds, times), name: filterName(one) });
    }
    figures.push(
      worstFigure(
        `page by ${by}, ${formatCount(many)} rows : ${formatCount(few)} rows`,
        bySize,
        `The worst of ${bySize.length}: no filter, and each filter with a value that many rows have and one that few have.`,
      ),
    );
    const byDepth: Quotient[] = [];
    for (const one of [{}, ...FREQUENT].map((filters) => ({ by, filters }))) {
      const after = await keyAfter(large, one, deep * PAGE, (done) =>
        progress(`on the way to page ${deep} by ${by}, ${filterName(one)}: ${Math.round(done * 100)} %`),
      );
      if (!after) continue;
      const times = { theirs: () => time(large, one), ours: () => time(large, one, after) };
      byDepth.push({ value: await quotient(rounds, times), name: filterName(one) });
    }
    const meaning = `The worst of the ${byDepth.length} lists that are so long.`;
    figures.push(worstFigure(`page ${formatCount(deep)} by ${by} : page 1`, byDepth, meaning));
  }
  await Promise.all([small.stop(), large.stop()]);
  return figures;
}

/**
 * Measures both sides in turn and compares lower quartiles: a page is so short that other work on the machine shows.
 */
async function quotient(
  rounds: number,
  { ours, theirs }: Readonly<Record<'ours' | 'theirs', () => Promise<number>>>,
): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await ours(), await theirs()];
    // The first round plans statements and fills caches.
    if (round === 0) continue;
    times[0].push(one);
    times[1].push(other);
  }
  return percentile(times[0], 0.25) / percentile(times[1], 0.25);
}

/** Microseconds. */
async function time(models: ReadModels, one: Case, after?: PageKey): Promise<number> {
  const request = requestOf(one, PAGE);
  const startedAt = performance.now();
  await models.queries.transactions.list({ ...request, ...(after && { after }) });
  return (performance.now() - startedAt) * 1000;
}

/** The key behind `rows` rows; undefined if the list is shorter. */
async function keyAfter(
  models: ReadModels,
  one: Case,
  rows: number,
  progress: (done: number) => void,
): Promise<PageKey | undefined> {
  let after: PageKey | undefined;
  for (let done = 0; done < rows; done += STRIDE) {
    const page = await models.queries.transactions.list({
      ...requestOf(one, STRIDE),
      ...(after && { after }),
    });
    if (!page.next) return undefined;
    after = page.next;
    if (done % (STRIDE * 100) === 0) progress(done / rows);
  }
  return after;
}

function requestOf({ by, filters }: Case, limit: number) {
  return { merchantId: MERCHANT, filters, sort: { by, descending: true }, limit };
}

function filterName({ filters }: Case): string {
  const [filter] = Object.entries(filters) as [string, readonly unknown[]][];
  return filter ? `${filter[0]} ${String(filter[1][0])}` : 'no filter';
}

function worstFigure(name: string, all: readonly Quotient[], meaning: string): Figure {
  return { name, ...worstOf(all), meaning, target: { kind: 'at most', value: 1.5 } };
}

function worstOf(all: readonly Quotient[]) {
  const sorted = all.toSorted((a, b) => b.value - a.value);
  const worst = sorted[0] ?? { value: 0, name: 'none' };
  const least = sorted.at(-1)?.value ?? 0;
  return { value: worst.value, least, most: worst.value, unit: '×' as const, detail: worst.name };
}
