export * from './consumer.port.js';
export * from './consumer.group.js';
export { LAG_EVENTS_MAX } from './consumer.lane.js';
export * from './leases.port.js';
export { LeadingTask, type LeaderLog, type LeadingTaskOptions, type RoundResult } from './leader.loop.js';
