import { rebuild } from './rebuild.proof.js';

it('lists are rebuilt under load without a gap, and whoever is killed in it leaves nothing behind', async () => {
  const { complaints } = await rebuild.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
