import { MemoryEventStore } from '@tillstream/event-store';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('MemoryEventStore', {
  durable: false,
  multiProcess: false,
  place: () =>
    Promise.resolve({ open: () => Promise.resolve(new MemoryEventStore()), remove: () => Promise.resolve() }),
});
