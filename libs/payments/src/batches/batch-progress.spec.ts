import { jest } from '@jest/globals';
import {
  closeBatches,
  closeBatchesSetup,
  createOtherBatches,
  openBatchesSetup,
  saleOf,
} from '../testing/batches.setup.js';

beforeEach(openBatchesSetup);
afterEach(async () => {
  jest.restoreAllMocks();
  await closeBatchesSetup();
});

it('A closing that takes long logs how many items it has examined and settled', async () => {
  for (let amount = 1; amount <= 3; amount++) await saleOf(amount);
  const lines: (readonly [event: string, transactions: unknown])[] = [];
  const info = (event: string, fields?: Readonly<Record<string, unknown>>): void =>
    void lines.push([event, fields?.['transactions']]);
  const log = { info, warn: () => undefined, error: () => undefined };
  const batches = createOtherBatches(undefined, undefined, { log });
  const now = performance.now();
  let calls = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now + 20_000 * calls++);
  await closeBatches('USD', batches);
  await batches.stop();
  expect(lines).toEqual(
    expect.arrayContaining([
      ['batch-progress', 3],
      ['settlement-progress', 3],
    ]),
  );
});
