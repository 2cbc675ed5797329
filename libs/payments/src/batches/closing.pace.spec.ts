import { jest } from '@jest/globals';
import { ClosingPace } from './closing.pace.js';

afterEach(() => jest.restoreAllMocks());

it('The closing of a large batch rests three times as long as it works, at most a second', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const rests: number[] = [];
  const pace = new ClosingPace(async (ms) => void rests.push(ms));
  const work = async (items: number, ms: number): Promise<void> => {
    now += ms;
    await pace.worked(items);
  };
  await work(1_000, 400);
  await work(1_000, 400);
  expect(rests).toEqual([]);
  await work(100, 50);
  await work(100, 70);
  await work(100, 5_000);
  expect(rests).toEqual([150, 210, 1_000]);
});
