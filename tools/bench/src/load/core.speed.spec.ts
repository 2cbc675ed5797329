import { setTimeout } from 'node:timers/promises';
import { sampleCoreSpeed, shareOfBestSpeed } from './core.speed.js';
import { now } from './pace.js';

it('compares the typical sample of each span with the best of all', () => {
  const samples = [0.2, 0.1, 0.2, 5, 0.4, 0.4, 0.2].map((ms, index) => ({ at: index * 10, ms }));
  expect(
    shareOfBestSpeed(samples, [
      [0, 40],
      [40, 60],
    ]),
  ).toEqual([0.5, 0.25]);
});

it('samples a core until it is stopped', async () => {
  const from = now();
  const core = sampleCoreSpeed();
  await setTimeout(500);
  const samples = await core.stop();
  expect(samples.length).toBeGreaterThan(3);
  const [share = 0] = shareOfBestSpeed(samples, [[from, now()]]);
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThanOrEqual(1);
});
