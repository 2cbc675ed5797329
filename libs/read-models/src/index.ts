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
export * from './projector/generation.version.js';
export * from './projector/history.load.js';
export * from './projector/list.comparison.js';
export * from './projector/list.consumer.js';
export * from './projector/list.progress.js';
export * from './projector/list.status.js';
export * from './projector/list.table.js';
export { projectToEnd, projectPage } from './projector/page.projection.js';
export { RunningRebuilds } from './projector/running.rebuilds.js';
export { StateCache } from './projections/state.cache.js';
export * from './projections/table.shape.js';
export * from './settlement.bodies.js';
export * from './projections/write-through.js';
