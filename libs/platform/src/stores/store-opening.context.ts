import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';

/**
 * `serve`: the service, which creates missing files and waits for a server. `write`: a command that writes beside the
 * service. `read`: a command that only reads. Commands create no files.
 */
export type Access = 'serve' | 'write' | 'read';

/**
 * `Read`: most commands. `Checked`, `Rebuilt`: commands about the lists, which need only the events. Only a rebuild and the
 * service move damaged lists away.
 */
export type ReadModelUse = 'Read' | 'Checked' | 'Rebuilt';

export type StoresConfig = Pick<
  Config,
  | 'mode'
  | 'dataDir'
  | 'eventStore'
  | 'eventStoreDb'
  | 'sharedStore'
  | 'database'
  | 'sandbox'
  | 'moreSandboxes'
  | 'answerKey'
  | 'vaultMasterKey'
  | 'vaultMasterKeyFile'
>;

interface Closable {
  close(): Promise<void> | void;
}

/** The store that a command should open does not exist, or the service uses another one. The message is one sentence. */
export class StoreNotFound extends Error {
  override readonly name = 'StoreNotFound';
}

/** The settings of an opening, and the stores that it has opened. */
export class StoreOpeningContext {
  private readonly opened: Closable[] = [];

  constructor(
    readonly config: StoresConfig,
    readonly access: Access,
    readonly readModelUse: ReadModelUse,
    readonly log: Log,
  ) {}

  readonly report = (reason: string): void => this.log.warn('event-store-trouble', { reason });

  /** Returns its argument. `close` closes it. */
  closeLater<Store extends Closable>(store: Store): Store {
    this.opened.push(store);
    return store;
  }

  /** Closes the stores in reverse order, because later ones use earlier ones. */
  async close(): Promise<void> {
    for (const store of this.opened.splice(0).reverse()) await store.close();
  }
}

export function once<Store>(open: () => Promise<Store>): () => Promise<Store> {
  let opening: Promise<Store> | undefined;
  return () => (opening ??= open());
}
