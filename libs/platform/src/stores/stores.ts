import type { Clock, ClockOffset, IdempotencyStore, WorkQueue } from '@tillstream/payments';
import type { Leases } from '@tillstream/event-consumers';
import type { ReadModels } from '@tillstream/read-models';
import type { Config } from '../configuration/config.js';
import { noLog, type Log } from '../logging/log.js';
import { embeddedStores } from './embedded.profile.js';
import { eventStoreDbStores } from './eventstoredb.profile.js';
import {
  StoreOpeningContext,
  type Access,
  type ReadModelUse,
  type StoresConfig,
} from './store-opening.context.js';
import type { HealthyEventStore } from './store.address.js';
import { findVault, type OpenedVault, type VaultLocation } from './vault.opener.js';

/**
 * Ports to all that is stored. Each is opened when it is first asked for, with what it stands on and nothing else; asked
 * again, the same one is given. Before any of them is made, the data directory is looked at for files that are lost.
 *
 * An opener rejects with a `ConfigError` where a file that can't be made again is lost or damaged, or a setting does not fit
 * what is there; in a command with `StoreNotFound` where the service did not make the store yet.
 */
export interface Stores {
  /** Of the events' store, as an operator knows it: without user and password. */
  readonly name: string;
  events(): Promise<HealthyEventStore>;
  idempotency(): Promise<IdempotencyStore>;
  workQueue(): Promise<WorkQueue>;
  clock(): Promise<Clock>;
  /** What moves the clock. Rejects in live mode: nothing does. */
  clockOffset(): Promise<ClockOffset>;
  vault(): Promise<OpenedVault>;
  /** Opened, not started. */
  readModels(): Promise<ReadModels>;
  /** For all processes on the data directory. */
  leases(): Promise<Leases>;
  /** Why what was opened can't be written now; empty where it can. */
  trouble(): Promise<readonly string[]>;
  /** Closes what was opened, the last first. */
  close(): Promise<void>;
}

/** How the stores are opened where the events are in one kind of store. */
export type Profile = (opening: StoreOpeningContext) => Stores;

const PROFILES: Readonly<Record<Config['eventStore'], Profile>> = {
  sqlite: embeddedStores,
  eventstoredb: eventStoreDbStores,
};

export interface StoresOptions {
  readonly access: Access;
  /** Left out: `Read`. */
  readonly lists?: ReadModelUse;
  readonly log?: Log;
}

/** Opens nothing yet. */
export function createStores(config: StoresConfig, options: StoresOptions): Stores {
  const { access, lists = 'Read', log = noLog } = options;
  return PROFILES[config.eventStore](new StoreOpeningContext(config, access, lists, log));
}

/** For a command that needs no key: where the vault is. Rejects as `Stores.vault` does where there is none. */
export function locateVault(config: StoresConfig): Promise<VaultLocation> {
  return withStores(config, { access: 'read' }, (stores) => findVault(config, () => stores.events()));
}

/** Runs with the stores, and closes whatever was opened, however that ended. */
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
