import { inParallel } from './support/concurrency.js';
import type { Findings } from './proof.types.js';
import { PROOFS } from './proofs.table.js';

/** Proofs mostly wait for processes. */
const AT_ONCE = 2;
const TIMEOUT_MS = 400_000;

/** Figures below which a proof has not tested its claim. */
const LEAST: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'batch-close': { items: 151 },
  'key-rotation': { 'cards in the end': 11 },
  'read-your-writes': { swaps: 1 },
  secrets: { 'destroyed secrets': 11, erased: 2, submissions: 6 },
  'store-faults': { 'faults met': 1 },
};

describe('The short version of', () => {
  let all: Promise<Findings[]>;
  beforeAll(() => {
    const broken = (error: unknown): Findings => ({ complaints: [String(error)], figures: {} });
    all = inParallel(PROOFS, AT_ONCE, (proof) =>
      proof.run({ quick: true, say: () => undefined }).catch(broken),
    );
  });

  it.each(PROOFS.map(({ name, claim }, index) => ({ name, claim, index })))(
    '$name: $claim',
    async ({ name, index }) => {
      const { complaints, figures } = (await all)[index] as Findings;
      expect(complaints).toEqual([]);
      for (const [figure, least] of Object.entries(LEAST[name] ?? {}))
        expect(Number(figures[figure])).toBeGreaterThanOrEqual(least);
    },
    TIMEOUT_MS,
  );
});
