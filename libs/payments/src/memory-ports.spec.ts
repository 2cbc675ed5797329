import { MemoryEventStore } from '@tillstream/event-store';
import { MemoryIdempotency } from './memory-idempotency.js';
import { MemoryOpenWork } from './memory-open-work.js';
import { portsContract } from './testing/ports.contract.js';

portsContract('memory', async () => {
  const store = new MemoryEventStore();
  return {
    store,
    idempotency: new MemoryIdempotency(store),
    openWork: new MemoryOpenWork(),
    close: () => store.close(),
  };
});
