import type { Clock, ClockOffset, IdempotencyStore, OpenWorkStore } from '@tillstream/payments';
import type { Leases } from '@tillstream/event-consumers';
import type { ReadModels } from '@tillstream/read-models';
import type { Config } from '../config.js';
import { noLog, type Log } from '../log.js';
import { embeddedStores } from './embedded.profile.js';
import { eventStoreDbStores } from './eventstoredb.profile.js';
import { Opening, type Access, type ListsUse, type StoresConfig } from './opening.js';
import type { HealthyEventStore } from './store.address.js';
import { findVault, type ChosenVault, type VaultKeyPlace } from './vault.choice.js';

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
  openWork(): Promise<OpenWorkStore>;
  clock(): Promise<Clock>;
  /** What moves the clock. Rejects in live mode: nothing does. */
  clockOffset(): Promise<ClockOffset>;
  vault(): Promise<ChosenVault>;
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
export type Profile = (opening: Opening) => Stores;

const PROFILES: Readonly<Record<Config['eventStore'], Profile>> = {
  sqlite: embeddedStores,
  eventstoredb: eventStoreDbStores,
};

export interface StoresOptions {
  readonly access: Access;
  /** Left out: `Read`. */
  readonly lists?: ListsUse;
  readonly log?: Log;
}

/** Opens nothing yet. */
export function storesOf(config: StoresConfig, options: StoresOptions): Stores {
  const { access, lists = 'Read', log = noLog } = options;
  return PROFILES[config.eventStore](new Opening(config, access, lists, log));
}

/** For a command that needs no key: where the vault is. Rejects as `Stores.vault` does where there is none. */
export function findVaultOf(config: StoresConfig): Promise<VaultKeyPlace> {
  return withStores(config, { access: 'read' }, (stores) => findVault(config, () => stores.events()));
}

/** Runs with the stores, and closes whatever was opened, however that ended. */
export async function withStores<Result>(
  config: StoresConfig,
  options: StoresOptions,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = storesOf(config, options);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}
