import { MemoryLeases } from '@tillstream/event-consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  another,
  batch,
  close,
  closeBatchesStage,
  lateItems,
  openBatchesStage,
  operator,
  saleOf,
  stage,
} from '../testing/batches.stage.js';
import type { Batches } from './batches.types.js';
import { MemoryBatchItems } from './memory-batch-items.js';

const started: Batches[] = [];
beforeEach(openBatchesStage);
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
  await closeBatchesStage();
});

/** A process that leads, and one that only takes commands. */
async function twoProcesses(items = new MemoryBatchItems(stage.memory)) {
  const leases = new MemoryLeases();
  const leader = another(items, leases);
  const other = another(items, leases.otherHolder());
  started.push(leader, other);
  leader.start();
  while (!(await leases.isHeld('settlement-projector'))) await sleep(1);
  // Its first look is over, and the next one is far.
  await sleep(150);
  return { leader, other };
}

/** Rows that never show that a closing was begun. */
function blindItems(): MemoryBatchItems {
  const items = new MemoryBatchItems(stage.memory);
  items.closing = async () => [];
  return items;
}

async function msUntilClosed(number: number): Promise<number> {
  const began = performance.now();
  while ((await batch(number))?.status !== 'Closed') {
    if (performance.now() - began > 5_000) throw new Error(`batch ${number} is not closed`);
    await sleep(1);
  }
  return performance.now() - began;
}

describe('The process that leads', () => {
  it('closes at once what another process began to close', async () => {
    await saleOf(100);
    const { other } = await twoProcesses(blindItems());
    void close('USD', other);
    expect(await msUntilClosed(1)).toBeLessThan(500);
  });

  it('finds what was begun when it looks the next time, if the store did not wake it', async () => {
    stage.store.onAppended = () => () => undefined;
    await saleOf(100);
    const { other } = await twoProcesses();
    void close('USD', other);
    const ms = await msUntilClosed(1);
    expect(ms).toBeGreaterThan(300);
    expect(ms).toBeLessThan(2_500);
  });

  it('stops in the middle of a closing, and the process that leads next ends it', async () => {
    await saleOf(100);
    const leases = new MemoryLeases();
    const leader = another(lateItems(60_000), leases);
    leader.start();
    while (!(await leases.isHeld('settlement-projector'))) await sleep(1);
    stage.clock.pass(1);
    await leader.close({ actor: operator, merchantId: stage.merchant.id, currency: 'USD', waitMs: 0 });
    while ((await batch(1))?.status !== 'Closing') await sleep(1);
    await sleep(100);
    await leader.stop();
    expect((await batch(1))?.status).toBe('Closing');
    expect(await leases.isHeld('settlement-projector')).toBe(false);
    const next = another(new MemoryBatchItems(stage.memory), leases.otherHolder());
    started.push(next);
    next.start();
    await msUntilClosed(1);
  });
});
