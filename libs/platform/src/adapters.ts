import type { EventStore } from '@tillstream/event-store';
import type { Clock, CrashPoints, IdempotencyStore, OpenWorkStore } from '@tillstream/payments';
import type { ProcessorNotices } from '@tillstream/processors';
import type { WorldControls } from '@tillstream/sandbox';
import type { ReadModels } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { AnswerSealer } from './answer.sealer.js';
import { ProcessorGuards } from './circuit.guards.js';
import { breakerSettings } from './circuit.settings.js';
import type { Config } from './config.js';
import { crashPoints } from './crash-points.js';
import { watchDisk, type DiskSpace } from './disk.space.js';
import type { Log } from './log.js';
import { aboutThisProcess } from './observability/about.js';
import { openObservability, type Observability } from './observability/observability.js';
import { chosenProcessors, type ChosenProcessors } from './processor.choice.js';
import { PROCESSOR_OPENINGS, type ProcessorOpening } from './processor.openings.js';
import { answerKeyOf } from './stores/answer.key.js';
import { movableClock, type MovableClock } from './stores/service.clock.js';
import { storesOf } from './stores/stores.js';

/** Everything outside the process, chosen by the configuration. */
export interface Adapters {
  readonly store: EventStore;
  readonly idempotency: IdempotencyStore;
  readonly openWork: OpenWorkStore;
  readonly processors: ProcessorGuards;
  readonly disk: DiskSpace;
  readonly observability: Observability;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly sealer: AnswerSealer;
  readonly vault: Vault;
  /** Opened, not started: its projector is the API's to start and stop. */
  readonly readModels: ReadModels;
  readonly leases: ReadModels['leases'];
  /** The file with the vault's master key, where this start made it: its loss is the loss of every stored card. */
  readonly madeMasterKeyFile?: string;
  /** Absent in live mode. */
  readonly sandbox?: SandboxControls;
  /** What all processors say on their own: the API listens once its use cases are there. */
  readonly notices: ProcessorNotices;
  /** Of each processor that no instance could reach now: why. A warning: payments of others go on. */
  processorTrouble(): Promise<readonly string[]>;
  /** Why it can't take payments now; empty when it can. */
  notReady(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What an operator may turn in the simulated world. */
export interface SandboxControls extends WorldControls {
  readonly clock: MovableClock;
  /** Names that the terminals' pages answer by, besides those that can only be of this machine or its network. */
  readonly pageHosts: readonly string[];
}

/** In live mode the clock is not moved. */
const REAL_TIME = { offsetMs: () => 0 };

/** Makes the data directory and opens what lies in it. Two processes may have the same one open. */
export async function openAdapters(
  config: Config,
  plainLog: Log,
  openings: readonly ProcessorOpening[] = PROCESSOR_OPENINGS,
  app = 'api',
): Promise<Adapters> {
  const observability = await openObservability(config, aboutThisProcess(app, config.mode));
  const log = observability.log(plainLog);
  const stores = storesOf(config, { access: 'serve', log });
  const { dataDir } = config;
  let sandbox: ChosenProcessors | undefined;
  const close = async (): Promise<void> => {
    sandbox?.close();
    await stores.close();
    await observability.close();
  };
  try {
    const store = await stores.events();
    const idempotency = await stores.idempotency();
    const sealer = new AnswerSealer(answerKeyOf(config.answerKey, dataDir));
    const { vault, madeKeyFile } = await stores.vault();
    const readModels = await stores.readModels();
    const offset = config.mode === 'sandbox' ? await stores.clockOffset() : undefined;
    const clock = await stores.clock();
    const processors = (sandbox = await chosenProcessors(config, offset ?? REAL_TIME, log, openings));
    const guardParts = {
      store,
      clock,
      log,
      breaker: breakerSettings(config),
      observe: (processor: string) => observability.calls(processor),
    };
    return {
      store: observability.store(store),
      idempotency: observability.idempotency(idempotency),
      openWork: await stores.openWork(),
      processors: new ProcessorGuards(guardParts, processors.processors, config.processorRoutes),
      disk: watchDisk(dataDir, config.minFreeDisk),
      observability,
      clock,
      crashPoints: crashPoints(config.sandboxCrashPoint),
      sealer,
      vault,
      readModels,
      leases: await stores.leases(),
      ...(madeKeyFile !== undefined && { madeMasterKeyFile: madeKeyFile }),
      ...(offset && {
        sandbox: {
          terminals: processors.terminals,
          customers: processors.customers,
          clock: movableClock(offset, () => processors.clockMoved()),
          pageHosts: config.sandboxPageHosts ?? [],
        },
      }),
      notices: processors.notices,
      processorTrouble: () => processors.trouble(),
      notReady: async () => (await Promise.all([stores.trouble(), processors.wrongSettings()])).flat(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
