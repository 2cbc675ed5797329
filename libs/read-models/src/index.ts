export * from './batch.queries.types.js';
export * from './read-models.errors.js';
export * from './read-models.types.js';
export { rebuildPace, type RebuildPace } from './rebuild.pace.js';
export * from './rebuild.types.js';
export * from './settlement-list.types.js';

/* For adapters. */
export { NOT_YET, OPERATORS } from './projections/column.values.js';
export * from './projections/ordered.projection.js';
export * from './projections/projection.registry.js';
export { operationIdRange, touchedRows, type TouchedRows } from './projections/row.projection.js';
export * from './projections/rows.page.js';
export type { Advance, ListProgress } from './projector/list.progress.js';
export { StateCache } from './projections/state.cache.js';
export * from './projections/table.shape.js';
export * from './settlement.bodies.js';
export * from './projections/write-through.js';
export { BatchRowQueries } from './queries/batch.queries.js';
export * from './queries/list.plan.js';
export * from './queries/live.generation.js';
export { createQueries } from './queries/read-model.queries.js';
