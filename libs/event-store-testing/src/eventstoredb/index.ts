export { startEventStoreDbCluster, type ClusterOptions, type EventStoreDbDoubleCluster } from './cluster.js';
export { startEventStoreDbDouble } from './double.js';
export type {
  CallKind,
  DoubleOptions,
  EventStoreDbDouble,
  ExpectedVersion,
  ObservedCall,
  StartOptions,
} from './double.options.js';
export type { FaultTarget, ServerFault } from './node/server.faults.js';
