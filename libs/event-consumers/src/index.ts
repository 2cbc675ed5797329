export * from './consumer.port.js';
export * from './consumer.group.js';
export * from './leases.port.js';
export * from './memory-leases.js';
export { LeadingTask, type LeadingTaskOptions } from './leading.task.js';
export type { LeaderLog, RoundResult } from './leader.loop.js';
