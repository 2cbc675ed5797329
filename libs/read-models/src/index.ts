export * from './read-models.errors.js';
export * from './read-models.types.js';

/* For adapters. */
export { OPERATORS } from './projections/column.values.js';
export type { OrderedProjection, OrderedReadModel, OrderedTables } from './projections/ordered.projection.js';
export * from './projections/rows.page.js';
export {
  categoryContributions,
  projectionCategories,
  projectionParts,
  tableShape,
} from './projections/projection.registry.js';
export { operationIdRange, touchedRows, type TouchedRows } from './projections/row.projection.js';
export { StateCache } from './projections/state.cache.js';
export { RowWriteThrough, type RowSink, type RowsByProjection } from './projections/write-through.js';
export * from './projections/table.shape.js';
