import { readYourWrites } from './read-your-writes.proof.js';

it('what one process answered for is in every list of another at once, also while all lists are rebuilt', async () => {
  const { complaints, figures } = await readYourWrites.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
  expect(Number(figures['swaps'])).toBeGreaterThan(0);
}, 240_000);
