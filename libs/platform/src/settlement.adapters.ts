import type { EventStore } from '@tillstream/event-store';
import type { Clock } from '@tillstream/payments';
import type { ReadModels } from '@tillstream/read-models';
import type { Config } from './configuration/config.js';
import type { Log } from './logging/log.js';
import { storeTrouble } from './stores/sqlite.stores.js';
import { createStores } from './stores/stores.js';

/** The adapters of settlement. Without a processor and a vault it can neither charge nor read a card. */
export interface SettlementAdapters {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Opened, not started. */
  readonly readModels: ReadModels;
  readonly leases: ReadModels['leases'];
  /** Why events can't be written now; empty if they can. */
  notReady(): Promise<readonly string[]>;
  close(): Promise<void>;
}

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
      notReady: () => storeTrouble(store),
      close: () => stores.close(),
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
