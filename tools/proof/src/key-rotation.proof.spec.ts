import { keyRotation } from './key-rotation.proof.js';

it('a rotation of the master key, killed at any moment and run again, disturbs no payment and loses no card', async () => {
  const { complaints, figures } = await keyRotation.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
  expect(Number(figures['cards in the end'])).toBeGreaterThan(10);
}, 240_000);
