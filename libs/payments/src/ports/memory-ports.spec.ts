import { MemoryEventStore } from '@tillstream/event-store';
import { MemoryIdempotency } from '../testing/memory-idempotency.js';
import { MemoryWorkQueue } from '../work-queue/memory-work-queue.js';
import { portsContract } from '../testing/ports.contract.js';

portsContract('memory', async () => {
  const store = new MemoryEventStore();
  return {
    store,
    idempotency: new MemoryIdempotency(store),
    workQueue: new MemoryWorkQueue(),
    close: () => store.close(),
  };
});
