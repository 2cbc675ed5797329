import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';

/** Peaks of resident memory, bytes. */
export interface CatchUpMemory {
  readonly first: number;
  readonly last: number;
}

/* A process that only catches up from the first event, and reports its peak of memory after two counts of events. */

const [url = '', firstCount, lastCount] = process.argv.slice(2);
const peak = (): number => process.resourceUsage().maxRSS * 1024;

const store = openEventStoreDb({ url });
let count = 0;
let first = 0;
store.subscribeToAll(
  {},
  {
    onEvent: () => {
      count += 1;
      if (count === Number(firstCount)) first = peak();
      if (count !== Number(lastCount)) return;
      const memory: CatchUpMemory = { first, last: peak() };
      process.send?.(memory, () => process.exit(0));
    },
    onFailure: (error) => {
      throw error;
    },
  },
);
