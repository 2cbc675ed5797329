import { crashPoints } from './crash-points.proof.js';

it('a service killed at any instant of a payment finishes it after a restart', async () => {
  const { complaints } = await crashPoints.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
