import { accessSync, constants } from 'node:fs';
import type { EventStore } from '@tillstream/event-store';
import type { Clock, CrashPoints, IdempotencyStore, OpenWorkStore } from '@tillstream/payments';
import type { ProcessorNotices } from '@tillstream/processors';
import type { WorldControls } from '@tillstream/sandbox';
import type { ReadModels } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { answerKeyOf } from './answer.key.js';
import { AnswerSealer } from './answer.sealer.js';
import { ProcessorGuards } from './circuit.guards.js';
import { breakerSettings } from './circuit.settings.js';
import type { Config } from './config.js';
import { crashPoints } from './crash-points.js';
import { openEvents } from './data-directory/events.opening.js';
import { refuseLostAnswerKey } from './data-directory/lost.files.js';
import type { HealthyEventStore } from './event-store.choice.js';
import { watchDisk, type DiskSpace } from './disk.space.js';
import type { Log } from './log.js';
import { aboutThisProcess } from './observability/about.js';
import { openObservability, type Observability } from './observability/observability.js';
import { makePrivateDirectory } from './private.directory.js';
import { chosenProcessors, type MovableClock } from './processor.choice.js';
import { PROCESSOR_OPENINGS, type ProcessorOpening } from './processor.openings.js';
import { openLists } from './read-models.opening.js';
import { sandboxClock } from './service.clock.js';
import { ConfigError } from './setting.kinds.js';
import { openVault } from './vault.choice.js';

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
  /** The file with the vault's master key, where this start made it: its loss is the loss of every stored card. */
  readonly madeMasterKeyFile?: string;
  /** Absent in live mode. */
  readonly sandbox?: SandboxControls;
  /** What all processors say on their own: the API listens once its use cases are there. */
  readonly notices: ProcessorNotices;
  /** Why no instance could send a payment now; empty where one could. */
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

/** Makes the data directory and opens what lies in it. Two processes may have the same one open. */
export async function openAdapters(
  config: Config,
  plainLog: Log,
  openings: readonly ProcessorOpening[] = PROCESSOR_OPENINGS,
  app = 'api',
): Promise<Adapters> {
  const observability = await openObservability(config, aboutThisProcess(app, config.mode));
  const log = observability.log(plainLog);
  const { dataDir } = config;
  makeDirectory(dataDir);
  const opened: { close(): Promise<void> | void }[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  try {
    const report = (reason: string): void => log.warn('event-store-trouble', { reason });
    const events = await openEvents(config, report, (one) => void opened.push(one));
    const { file, store, openWork, idempotency } = events;
    refuseLostAnswerKey(config, file);
    const sealer = new AnswerSealer(answerKeyOf(config.answerKey, dataDir));
    const { vault, madeKeyFile } = await openVault(config, log);
    opened.push(vault);
    const readModels = await openLists(config, store, log);
    opened.push({ close: () => readModels.stop() });
    const sandbox = await chosenProcessors(config, log, openings);
    const clock = sandboxClock(sandbox.clock);
    const guardParts = {
      store,
      clock,
      log,
      breaker: breakerSettings(config),
      observe: (processor: string) => observability.calls(processor),
    };
    const processors = new ProcessorGuards(guardParts, sandbox.processors, config.processorRoutes);
    // The last to be closed: the others may still want its clock.
    opened.unshift(sandbox);
    opened.unshift(observability);
    return {
      store: observability.store(store),
      idempotency: observability.idempotency(idempotency),
      openWork,
      processors,
      disk: watchDisk(dataDir, config.minFreeDisk),
      observability,
      clock,
      crashPoints: crashPoints(config.sandboxCrashPoint),
      sealer,
      vault,
      readModels,
      ...(madeKeyFile !== undefined && { madeMasterKeyFile: madeKeyFile }),
      sandbox: {
        terminals: sandbox.terminals,
        customers: sandbox.customers,
        clock: sandbox.clock,
        pageHosts: config.sandboxPageHosts ?? [],
      },
      notices: sandbox.notices,
      processorTrouble: () => sandbox.trouble(),
      notReady: async () => {
        const troubles = await Promise.all([...[store, file].map(troubleOf), sandbox.wrongSettings()]);
        return [...new Set(troubles.flat())];
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Why it can't be written now; empty when it can. */
export async function troubleOf(store: HealthyEventStore): Promise<readonly string[]> {
  const { writable, reason } = await store.health();
  return writable ? [] : [`the event store can not be written: ${reason ?? 'no reason given'}`];
}

/** @throws ConfigError */
export function makeDirectory(dataDir: string): void {
  try {
    makePrivateDirectory(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(
      `DATA_DIR is "${dataDir}", which is no directory that can be made and written; set another.`,
    );
  }
}
