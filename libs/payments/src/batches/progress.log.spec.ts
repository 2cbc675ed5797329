import { ProgressLog } from './progress.log.js';

it('The progress of long work is logged every 15 seconds, with what was done since its beginning', () => {
  let now = 500;
  const counts: number[] = [];
  const progress = new ProgressLog(
    (count) => counts.push(count),
    () => now,
  );
  for (let second = 1; second <= 50; second++) {
    now += 1_000;
    progress.add(100);
  }
  expect(counts).toEqual([1_500, 3_000, 4_500]);
});
