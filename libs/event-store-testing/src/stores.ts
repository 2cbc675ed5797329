/* What tests of callers use, with any test runner: the entry `@tillstream/event-store-testing/stores`. */
export { FaultyEventStore, type AppendFault, type FaultOptions } from './faulty-event-store.js';
export { RecordingSubscriber } from './recording-subscriber.js';
