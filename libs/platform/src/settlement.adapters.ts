import type { EventStore } from '@tillstream/event-store';
import type { Clock } from '@tillstream/payments';
import type { ReadModels } from '@tillstream/read-models';
import type { Config } from './configuration/config.js';
import type { Log } from './logging/log.js';
import { storeTrouble } from './stores/sqlite.stores.js';
import { createStores } from './stores/stores.js';

/** What settlement needs of the outside: no processor and no vault, so it can neither charge nor read a card. */
export interface SettlementAdapters {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Opened, not started. */
  readonly readModels: ReadModels;
  readonly leases: ReadModels['leases'];
  /** Why nothing can be written now; empty when it can. */
  notReady(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens what lies in the data directory, beside whoever else has it open. */
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
