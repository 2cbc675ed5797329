import { disk } from './disk.proof.js';

it('on a full or read-only disk nothing is charged unwritten or acknowledged, and all is resolved later', async () => {
  const { complaints } = await disk.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
