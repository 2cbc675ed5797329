export {
  eventStoreContract,
  numberedEvent,
  numberedEvents,
  type StorePlace,
  type StoresUnderTest,
} from './event-store.contract.js';
export { FaultyEventStore, type AppendFault, type FaultOptions } from './faulty-event-store.js';
export { readAllPages } from './read.contract.js';
export { RecordingSubscriber } from './recording-subscriber.js';
