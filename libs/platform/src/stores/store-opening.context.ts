import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';

/**
 * `serve`: the service; what is missing is made, and a server that starts is waited for. `transact`: a command that writes
 * beside the service. `read`: a command that looks. Commands make nothing.
 */
export type Access = 'serve' | 'write' | 'read';

/**
 * `Read`: as any command. `Checked`, `Rebuilt`: a command about the lists alone: nothing but the events has to be there.
 * Only a rebuild, and the service, set damaged lists aside.
 */
export type ReadModelUse = 'Read' | 'Checked' | 'Rebuilt';

/** The settings that say where the stores are. */
export type StoresConfig = Pick<
  Config,
  | 'mode'
  | 'dataDir'
  | 'eventStore'
  | 'eventStoreDb'
  | 'sandbox'
  | 'moreSandboxes'
  | 'answerKey'
  | 'vaultMasterKey'
  | 'vaultMasterKeyFile'
>;

interface Closable {
  close(): Promise<void> | void;
}

/** What a profile opens its stores with. */
export class StoreOpeningContext {
  private readonly opened: Closable[] = [];

  constructor(
    readonly config: StoresConfig,
    readonly access: Access,
    readonly readModelUse: ReadModelUse,
    readonly log: Log,
  ) {}

  readonly report = (reason: string): void => this.log.warn('event-store-trouble', { reason });

  /** Gives its argument, which `closeBatches` will close. */
  closeLater<Store extends Closable>(store: Store): Store {
    this.opened.push(store);
    return store;
  }

  /** Closes what was opened, the last first: a store that stands on another is closed before it. */
  async close(): Promise<void> {
    for (const one of this.opened.splice(0).reverse()) await one.close();
  }
}

/** However often a store is asked for, it is opened once. */
export function once<Store>(open: () => Promise<Store>): () => Promise<Store> {
  let opening: Promise<Store> | undefined;
  return () => (opening ??= open());
}
