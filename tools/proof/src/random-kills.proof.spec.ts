import { randomKills } from './random-kills.proof.js';

it('a service killed at random moments loses nothing and charges nobody twice', async () => {
  const { complaints } = await randomKills.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
