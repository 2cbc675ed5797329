import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup, type Consumer, type ConsumerLog, type Leases } from '@tillstream/event-consumers';
import { workQueueConsumer } from '@tillstream/payments';
import { deliverySealer, loadResponseKey, type Config, type Stores } from '@tillstream/platform';
import { NumberingConsumer } from '@tillstream/webhook-delivery';
import { errorMessage } from '@tillstream/runtime';
import { OPEN_WORK, type ProjectionView } from './projection.views.js';

const LIST_WITHIN_MS = 30_000;
/** A list that is halted at the start is tried at once; after this time it has halted again. */
const HALTS_WITHIN_MS = 3_000;
const CHECK_EVERY_MS = 200;

/**
 * Handles events in this process up to the head of the store, beside the service: checkpoints move by compare-and-swap, so no
 * event is handled twice. Returns why the consumer stopped again, or undefined if it has caught up.
 */
export async function retryProjection(
  config: Config,
  stores: Stores,
  { name, isList }: ProjectionView,
): Promise<string | undefined> {
  if (isList) return retryList(stores, name);
  const store = await stores.events();
  const consumer = name === OPEN_WORK ? await workConsumer(config, stores) : await numbering(config, stores);
  const parts = { store, leases: NO_LEASE, lease: name, log: QUIET };
  const group = new ConsumerGroup({ ...parts, consumers: [consumer] });
  try {
    return (await group.catchUp()) ? undefined : 'it is paused: another program is newer, or rebuilds it';
  } catch (error) {
    return errorMessage(error);
  }
}

/** Starts the lists in this process. They handle events even if the service's process leads them. */
async function retryList(stores: Stores, name: string): Promise<string | undefined> {
  const models = await stores.readModels();
  await models.start();
  const startedAt = performance.now();
  for (;;) {
    const list = (await models.status()).find((one) => one.name === name);
    if (list?.status === 'Live' && list.lagEvents === 0) return undefined;
    const waitedMs = performance.now() - startedAt;
    const hasHalted = list?.status === 'Halted' && waitedMs > HALTS_WITHIN_MS;
    if (hasHalted || waitedMs > LIST_WITHIN_MS)
      return list?.reason ?? `after ${LIST_WITHIN_MS / 1000} s it is still behind`;
    await sleep(CHECK_EVERY_MS);
  }
}

async function workConsumer({ timings }: Config, stores: Stores): Promise<Consumer> {
  const [store, workQueue] = [await stores.events(), await stores.workQueue()];
  return workQueueConsumer({ store, workQueue, timings }, () => undefined);
}

async function numbering({ answerKey, dataDir }: Config, stores: Stores): Promise<Consumer> {
  const clock = await stores.clock();
  return new NumberingConsumer({
    ...{ store: await stores.events(), tables: await stores.deliveries() },
    sealer: deliverySealer(loadResponseKey(answerKey, dataDir)),
    now: () => clock.now(),
    onDeliveries: () => undefined,
  });
}

const nothing = (): void => undefined;
const QUIET: ConsumerLog = { halted: nothing, failing: nothing, recovered: nothing, wasReset: nothing };
/** `catchUp` takes none. */
const NO_LEASE: Leases = {
  hold: () => Promise.resolve(false),
  isHeld: () => Promise.resolve(false),
  release: () => Promise.resolve(),
};
