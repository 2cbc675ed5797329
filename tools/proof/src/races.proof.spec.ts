import { races } from './races.proof.js';

it('captures, voids and refunds racing on one payment never take more than there is', async () => {
  const { complaints } = await races.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
