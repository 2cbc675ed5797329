import type { EventStore } from '@tillstream/event-store';
import type { Clock, CrashPoints, IdempotencyStore, SessionKeys, WorkQueue } from '@tillstream/payments';
import type { ProcessorNoticeSource, ThreeDsServer } from '@tillstream/processors';
import type { ChallengeControls, TerminalSimulatorControls } from '@tillstream/sandbox';
import type { ReadModels } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { loadResponseKey, ResponseSealer } from './idempotency/response.sealer.js';
import { ProcessorGuards } from './processors/processor.guards.js';
import type { Config } from './configuration/config.js';
import { crashPoints } from './sandbox/crash-points.js';
import { watchDisk, type DiskSpace } from './data-directory/disk-space.js';
import type { Log } from './logging/log.js';
import { openObservability, processInfo, type Observability } from './observability/observability.js';
import { openConfiguredProcessors, type ConfiguredProcessors } from './processors/configured-processors.js';
import { PROCESSOR_FACTORIES, type ProcessorFactory } from './processors/processor.factories.js';
import { movableClock, REAL_TIME, type MovableClock } from './stores/service.clock.js';
import { createStores } from './stores/stores.js';
import { deliverySealer, type DeliverySealer } from './webhooks/delivery.seals.js';

export interface Adapters {
  readonly store: EventStore;
  readonly idempotency: IdempotencyStore;
  readonly workQueue: WorkQueue;
  readonly processors: ProcessorGuards;
  readonly threeDsServer: ThreeDsServer;
  readonly disk: DiskSpace;
  readonly observability: Observability;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly responseSealer: ResponseSealer;
  readonly vault: Vault;
  readonly sessionKeys: SessionKeys;
  /** Opened, not started: the API starts and stops its projector. */
  readonly readModels: ReadModels;
  readonly leases: ReadModels['leases'];
  /** Deliveries of webhooks, which the dispatcher makes and sends. */
  readonly deliveries: DeliveryStore;
  readonly deliverySealer: DeliverySealer;
  /** The file with the vault's master key, if this start created it. Without it every stored card is lost. */
  readonly createdMasterKeyFile?: string;
  /** Absent in live mode. */
  readonly sandbox?: SandboxControls;
  /** The notices of all processors. The API calls `listen` after the start of its use cases. */
  readonly notices: ProcessorNoticeSource;
  /** One reason for each processor that can't be reached. A warning only: payments of the other processors go on. */
  processorTrouble(): Promise<readonly string[]>;
  /** Why the API can't take payments now; empty if it can. */
  notReady(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** An operator's controls of the sandbox. */
export interface SandboxControls extends TerminalSimulatorControls {
  readonly challenges: ChallengeControls;
  readonly clock: MovableClock;
  /** Further host names under which the terminals' pages are served. */
  readonly pageHosts: readonly string[];
}

/** The adapters of settlement. Without a processor and a vault it can neither charge nor read a card. */
export type SettlementAdapters = Pick<
  Adapters,
  'store' | 'clock' | 'readModels' | 'leases' | 'notReady' | 'close'
>;

/** Opens the files of the data directory. Other processes may have them open too. */
export async function openSettlementAdapters(config: Config, log: Log): Promise<SettlementAdapters> {
  const stores = createStores(config, { access: 'serve', log });
  try {
    const store = await stores.events();
    return {
      store,
      clock: await stores.clock(),
      readModels: await stores.readModels(),
      leases: await stores.leases(),
      notReady: () => stores.trouble(),
      close: () => stores.close(),
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** The adapters of the delivery of webhooks. It can't charge. */
export interface DispatcherAdapters extends Pick<
  Adapters,
  'store' | 'clock' | 'leases' | 'vault' | 'deliveries' | 'deliverySealer' | 'notReady' | 'close'
> {
  /** Of the service, for the deliveries' `user-agent`. */
  readonly version: string;
}

/** Opens the files of the data directory. Other processes may have them open too. */
export async function openDispatcherAdapters(config: Config, log: Log): Promise<DispatcherAdapters> {
  const stores = createStores(config, { access: 'serve', log });
  try {
    const store = await stores.events();
    const { vault } = await stores.vault();
    return {
      ...{ store, vault },
      deliverySealer: deliverySealer(loadResponseKey(config.answerKey, config.dataDir)),
      clock: await stores.clock(),
      leases: await stores.leases(),
      deliveries: await stores.deliveries(),
      version: processInfo('webhook-dispatcher', config.mode).version,
      notReady: () => stores.trouble(),
      close: () => stores.close(),
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Creates the data directory if it is missing, and opens its files. Two processes may have the same directory open. */
export async function openAdapters(
  config: Config,
  plainLog: Log,
  factories: readonly ProcessorFactory[] = PROCESSOR_FACTORIES,
): Promise<Adapters> {
  const observability = await openObservability(config, processInfo('api', config.mode));
  const log = observability.log(plainLog);
  const stores = createStores(config, { access: 'serve', log });
  const { dataDir, breaker } = config;
  let openedProcessors: ConfiguredProcessors | undefined;
  const close = async (): Promise<void> => {
    openedProcessors?.close();
    await stores.close();
    await observability.close();
  };
  try {
    const store = await stores.events();
    const idempotency = await stores.idempotency();
    const responseKey = loadResponseKey(config.answerKey, dataDir);
    const { vault, sessionKeys, createdKeyFile } = await stores.vault();
    const readModels = await stores.readModels();
    const offset = config.mode === 'sandbox' ? await stores.clockOffset() : undefined;
    const clock = await stores.clock();
    const processors = await openConfiguredProcessors(config, offset ?? REAL_TIME, log, factories);
    openedProcessors = processors;
    const { terminals, customers, challenges, notices } = processors;
    const guardParts = { store, clock, log, breaker, observe: (name: string) => observability.calls(name) };
    return {
      store: observability.store(store),
      idempotency: observability.idempotency(idempotency),
      workQueue: await stores.workQueue(),
      processors: new ProcessorGuards(guardParts, processors.processors, config.processorRoutes),
      threeDsServer: processors.threeDs,
      disk: watchDisk(dataDir, config.minFreeDisk),
      observability,
      clock,
      crashPoints: crashPoints(config.sandboxCrashPoint),
      responseSealer: new ResponseSealer(responseKey),
      vault,
      sessionKeys,
      deliverySealer: deliverySealer(responseKey),
      deliveries: await stores.deliveries(),
      readModels,
      leases: await stores.leases(),
      ...(createdKeyFile !== undefined && { createdMasterKeyFile: createdKeyFile }),
      ...(offset && {
        sandbox: {
          terminals,
          customers,
          challenges,
          clock: movableClock(offset, () => processors.clockMoved()),
          pageHosts: config.sandboxPageHosts ?? [],
        },
      }),
      notices,
      processorTrouble: () => processors.trouble(),
      notReady: async () => (await Promise.all([stores.trouble(), processors.wrongSettings()])).flat(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
