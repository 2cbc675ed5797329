import type { Clock, ClockOffset, IdempotencyStore, WorkQueue } from '@tillstream/payments';
import type { Leases } from '@tillstream/event-consumers';
import type { ReadModels } from '@tillstream/read-models';
import type { VaultStatus } from '@tillstream/vault';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { noLog, type Log } from '../logging/log.js';
import { EVENTS_PROFILES } from './events.profiles.js';
import { postgresProfile } from './postgres.profile.js';
import { storesBesideEvents } from './sqlite.stores.js';
import {
  StoreOpeningContext,
  type Access,
  type ReadModelUse,
  type StoresConfig,
} from './store-opening.context.js';
import type { HealthyEventStore } from './store.address.js';
import type { OpenedVault } from './vault.opener.js';

/**
 * All stores. Each method opens its store, and the stores that it needs, at the first call; later calls return the same one.
 * The data directory is checked for lost files before a store is created.
 *
 * A method rejects with a `ConfigError` if a file is lost or damaged, or if a setting does not match the files; in a command
 * with `StoreNotFound` if the service has not created the store yet.
 */
export interface Stores {
  /** The name of the event store for operators, without user and password. */
  readonly name: string;
  events(): Promise<HealthyEventStore>;
  idempotency(): Promise<IdempotencyStore>;
  workQueue(): Promise<WorkQueue>;
  clock(): Promise<Clock>;
  /** Moves the clock. Rejects in live mode. */
  clockOffset(): Promise<ClockOffset>;
  vault(): Promise<OpenedVault>;
  /** Opened, not started. */
  readModels(): Promise<ReadModels>;
  /** Of webhooks. */
  deliveries(): Promise<DeliveryStore>;
  /** The place of the vault for operators, and its status; no status: the service has not made it yet. Needs no key. */
  vaultStatus(): Promise<VaultPlace>;
  /** Shared by all processes of the service. */
  leases(): Promise<Leases>;
  /** Why the stores can't be written now; empty if they can. */
  trouble(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface StoresOptions {
  readonly access: Access;
  /** Default: `Read`. */
  readonly lists?: ReadModelUse;
  readonly log?: Log;
}

/** Opens nothing yet. */
export function createStores(config: StoresConfig, options: StoresOptions): Stores {
  const { access, lists = 'Read', log = noLog } = options;
  const opening = new StoreOpeningContext(config, access, lists, log);
  if (config.sharedStore === 'files') {
    return storesBesideEvents(opening, EVENTS_PROFILES[config.eventStore](opening));
  }
  return postgresProfile(opening);
}

export interface VaultPlace {
  readonly place: string;
  readonly status: VaultStatus | undefined;
}

/** Runs `work` with the stores, and closes them afterwards. */
export async function withStores<Result>(
  config: StoresConfig,
  options: StoresOptions,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = createStores(config, options);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}
