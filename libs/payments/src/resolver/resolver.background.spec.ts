import type { Position } from '@tillstream/event-store';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentsUseCases } from '../create-payments.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
const others: PaymentsUseCases[] = [];
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(async () => {
  await setup.store.thaw();
  await Promise.all(others.splice(0).map(({ resolver }) => resolver.stop()));
  await setup.close();
});

/** Starts another process with a running resolver. */
function started(): PaymentsUseCases {
  const module = setup.start();
  others.push(module);
  module.resolver.start();
  return module;
}

/** An authorization that has expired. */
async function expired(): Promise<string> {
  const id = requireOperationId(await setup.auth(1_000));
  setup.clock.ahead += setup.timings.authorizationLifetime;
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
  (await setup.eventTypes(id)).at(-1) === 'Reversed';

describe('the resolver in the background', () => {
  it('feeds the work queue and runs due items, for events before and after its start', async () => {
    const before = await expired();
    started();
    await until(isReversed(before));
    await until(isReversed(await expired()));
  });

  it('runs in one process, and in another one after the first has stopped', async () => {
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

  it('stops after the work item that runs', async () => {
    const id = await expired();
    setup.processor.inject('reverse', { delayMs: 30 });
    const { resolver } = started();
    await until(async () => (await setup.eventTypes(id)).at(-1) === 'TryRequested');
    await resolver.stop();
    expect(await isReversed(id)()).toBe(true);
  });

  it('logs once that the store is unavailable, and continues when the store is back', async () => {
    started();
    await until(isReversed(await expired()));
    const id = await expired();
    setup.store.freeze();
    await until(() => setup.logged.some((line) => line.startsWith('resolver-failed')));
    await sleep(700);
    expect(setup.logged.filter((line) => line.startsWith('resolver-failed'))).toHaveLength(1);
    await setup.store.thaw();
    await until(isReversed(id));
    await until(() => setup.logged.some((line) => line.startsWith('resolver-recovered')));
  });

  it('rebuilds the work queue if an older copy of the events was restored', async () => {
    const position = '900' as Position;
    const lost = { id: 'Outcome:trx_1', kind: 'Outcome', subject: 'trx_1' } as const;
    const work = { ...lost, clock: 'Real', dueAt: 0, step: 0, since: 0 } as const;
    await setup.workQueue.advance([{ kind: 'Put', work }], undefined, {
      ...{ stream: 'payment-lost', revision: 0, position },
    });
    const id = await expired();
    started();
    await until(isReversed(id));
    expect(await setup.workQueue.find(work.id)).toBeUndefined();
    expect(setup.logged.some((line) => line.startsWith('resolver-fed-anew'))).toBe(true);
  });
});
