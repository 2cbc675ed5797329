import { batchClose } from './batch-close.proof.js';

it('whatever kills the closer and races with it, every operation is in exactly one batch, and totals are the sums', async () => {
  const { complaints, figures } = await batchClose.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
  expect(Number(figures['items'])).toBeGreaterThan(150);
}, 180_000);
