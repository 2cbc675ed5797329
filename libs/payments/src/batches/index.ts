export type * from './batch-items.port.js';
export { batchIdFor } from './batch.register.js';
export { createBatches, type BatchesDependencies } from './batches.js';
export type * from './batches.types.js';
export { MemoryBatchItems } from './memory-batch-items.js';
