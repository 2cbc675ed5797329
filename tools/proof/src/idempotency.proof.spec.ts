import { idempotency } from './idempotency.proof.js';

it('equal requests at once on two processes are one operation and one answer', async () => {
  const { complaints } = await idempotency.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
