import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createOtherBatches,
  loadBatch,
  closeBatches,
  closeBatchesSetup,
  delayedItems,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
} from '../testing/batches.setup.js';
import type { Batches } from './batches.js';
import { MemoryBatchItems } from '../testing/memory-batch-items.js';

const started: Batches[] = [];
beforeEach(openBatchesSetup);
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
  await closeBatchesSetup();
});

/** A leader, and a process that only runs commands. */
async function twoProcesses(items = new MemoryBatchItems(setup.memory)) {
  const leases = new MemoryLeases();
  const leader = createOtherBatches(items, leases);
  const other = createOtherBatches(items, leases.otherHolder());
  started.push(leader, other);
  leader.start();
  while (!(await leases.isHeld('settlement-projector'))) await sleep(1);
  // The leader's first round has ended, and the next one is almost a second away.
  await sleep(150);
  return { leader, other };
}

/** Rows that never show a batch in the status `Closing`. */
function blindItems(): MemoryBatchItems {
  const items = new MemoryBatchItems(setup.memory);
  items.closingBatchIds = async () => [];
  return items;
}

async function msUntilClosed(number: number): Promise<number> {
  const began = performance.now();
  while ((await loadBatch(number))?.status !== 'Closed') {
    if (performance.now() - began > 5_000) throw new Error(`batch ${number} is not closed`);
    await sleep(1);
  }
  return performance.now() - began;
}

describe('BatchClosingScheduler', () => {
  it('closes at once a batch that another process started to close', async () => {
    await saleOf(100);
    const { other } = await twoProcesses(blindItems());
    void closeBatches('USD', other);
    expect(await msUntilClosed(1)).toBeLessThan(800);
  });

  it('finds a started closing in the next round if the store did not wake it', async () => {
    setup.store.onAppended = () => () => undefined;
    await saleOf(100);
    const { other } = await twoProcesses();
    void closeBatches('USD', other);
    const ms = await msUntilClosed(1);
    expect(ms).toBeGreaterThan(300);
    expect(ms).toBeLessThan(2_500);
  });

  it('stops in the middle of a closing, and the next leader completes it', async () => {
    await saleOf(100);
    const leases = new MemoryLeases();
    const leader = createOtherBatches(delayedItems(60_000), leases);
    leader.start();
    while (!(await leases.isHeld('settlement-projector'))) await sleep(1);
    setup.clock.pass(1);
    await leader.close({ actor: operator, merchantId: setup.merchant.id, currency: 'USD', waitMs: 0 });
    while ((await loadBatch(1))?.status !== 'Closing') await sleep(1);
    await sleep(100);
    await leader.stop();
    expect((await loadBatch(1))?.status).toBe('Closing');
    expect(await leases.isHeld('settlement-projector')).toBe(false);
    const next = createOtherBatches(new MemoryBatchItems(setup.memory), leases.otherHolder());
    started.push(next);
    next.start();
    await msUntilClosed(1);
  });
});
