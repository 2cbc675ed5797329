import type { EventStore } from '@tillstream/event-store';
import type { Clock } from '@tillstream/payments';
import type { ReadModels } from '@tillstream/read-models';
import { makeDirectory, troubleOf } from './adapters.js';
import type { Config } from './config.js';
import { openEvents } from './data-directory/events.opening.js';
import type { Log } from './log.js';
import { openLists } from './read-models.opening.js';
import { movedClock } from './service.clock.js';

/** What settlement needs of the outside: no processor and no vault, so it can neither charge nor read a card. */
export interface SettlementAdapters {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Opened, not started. */
  readonly readModels: ReadModels;
  /** Why nothing can be written now; empty when it can. */
  notReady(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens what lies in the data directory, beside whoever else has it open. */
export async function openSettlementAdapters(config: Config, log: Log): Promise<SettlementAdapters> {
  makeDirectory(config.dataDir);
  const opened: { close(): Promise<void> | void }[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  try {
    const report = (reason: string): void => log.warn('event-store-trouble', { reason });
    const { store, clockOffset } = await openEvents(config, report, (one) => void opened.push(one));
    const readModels = await openLists(config, store, log);
    opened.push({ close: () => readModels.stop() });
    return {
      store,
      clock: movedClock(clockOffset),
      readModels,
      notReady: () => troubleOf(store),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
