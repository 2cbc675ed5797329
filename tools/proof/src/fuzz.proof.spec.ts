import { fuzz } from './fuzz.proof.js';

it('malformed and hostile requests are refused, write nothing, tell nothing and hold nothing', async () => {
  const { complaints } = await fuzz.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
