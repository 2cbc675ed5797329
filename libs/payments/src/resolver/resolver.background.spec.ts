import type { Position } from '@tillstream/event-store';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentsUseCases } from '../create-payments.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

let stage: PaymentsTestSetup;
const others: PaymentsUseCases[] = [];
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
});
afterEach(async () => {
  await stage.store.thaw();
  await Promise.all(others.splice(0).map(({ resolver }) => resolver.stop()));
  await stage.close();
});

/** As a process of its own, with a resolver that runs. */
function started(): PaymentsUseCases {
  const module = stage.start();
  others.push(module);
  module.resolver.start();
  return module;
}

/** An authorization whose time is over. */
async function expired(): Promise<string> {
  const id = requireOperationId(await stage.auth(1_000));
  stage.clock.ahead += stage.timings.authorizationLifetime;
  return id;
}

async function until(condition: () => Promise<boolean> | boolean, withinMs = 5_000): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms`);
    await sleep(2);
  }
}

const isReversed = (id: string) => async (): Promise<boolean> =>
  (await stage.eventTypes(id)).at(-1) === 'Reversed';

describe('The resolver in the background', () => {
  it('feeds its table and does what is due, of events of before and after its start', async () => {
    const before = await expired();
    started();
    await until(isReversed(before));
    await until(isReversed(await expired()));
  });

  it('does in one process what is due, and in another after the first has stopped', async () => {
    const first = started();
    await until(isReversed(await expired()));
    const second = started();
    await until(isReversed(await expired()));
    await first.resolver.stop();
    await until(isReversed(await expired()));
    await second.resolver.stop();
    const left = await expired();
    await sleep(600);
    expect(await isReversed(left)()).toBe(false);
  });

  it('stops only after the piece of work in hand', async () => {
    const id = await expired();
    stage.processor.inject('reverse', { delayMs: 30 });
    const { resolver } = started();
    await until(async () => (await stage.eventTypes(id)).at(-1) === 'TryRequested');
    await resolver.stop();
    expect(await isReversed(id)()).toBe(true);
  });

  it('says once that the store is away, and goes on when it is back', async () => {
    started();
    await until(isReversed(await expired()));
    const id = await expired();
    stage.store.freeze();
    await until(() => stage.logged.some((line) => line.startsWith('resolver-failed')));
    await sleep(700);
    expect(stage.logged.filter((line) => line.startsWith('resolver-failed'))).toHaveLength(1);
    await stage.store.thaw();
    await until(isReversed(id));
    await until(() => stage.logged.some((line) => line.startsWith('resolver-recovered')));
  });

  it('feeds its table anew if an older copy of the events was restored', async () => {
    const position = '900' as Position;
    const lost = { id: 'Outcome:trx_1', kind: 'Outcome', subject: 'trx_1' } as const;
    const work = { ...lost, clock: 'Real', dueAt: 0, step: 0, since: 0 } as const;
    await stage.workQueue.advance([{ kind: 'Put', work }], undefined, {
      ...{ stream: 'payment-lost', revision: 0, position },
    });
    const id = await expired();
    started();
    await until(isReversed(id));
    expect(await stage.workQueue.find(work.id)).toBeUndefined();
    expect(stage.logged.some((line) => line.startsWith('resolver-fed-anew'))).toBe(true);
  });
});
