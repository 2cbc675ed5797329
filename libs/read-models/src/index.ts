export * from './read-models.errors.js';
export * from './read-models.types.js';

/* What an adapter needs: the rows, and how they follow from events. */
export { OPERATORS } from './projections/column.values.js';
export type { OrderedProjection, OrderedReadModel, OrderedTables } from './projections/ordered.projection.js';
export * from './projections/page.rows.js';
export { contributionsOf, partsOf, shapeOf } from './projections/registry.js';
export { operationIds, type Part, type Touched } from './projections/row.projection.js';
export { StateCache } from './projections/state.cache.js';
export { StreamWriter, type RowSink, type RowsByProjection } from './projections/stream.writer.js';
export * from './projections/table.shape.js';
