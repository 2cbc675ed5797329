import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';
import type { CatchUpMemory } from './catch-up.memory.js';

/* A process that catches up from the first event and reports its peak of memory. */

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
