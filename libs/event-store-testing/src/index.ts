export {
  eventStoreContract,
  numbered,
  several,
  type StorePlace,
  type StoresUnderTest,
} from './event-store.contract.js';
export { FaultyEventStore, type Fault, type FaultOptions } from './faulty-event-store.js';
export { readAllPages } from './read.contract.js';
export { RecordingSubscriber } from './recording-subscriber.js';
