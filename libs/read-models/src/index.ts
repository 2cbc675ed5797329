export { fedList } from './damage/fed.lists.js';
export { openReadModels } from './open-read-models.js';
export { serveProjector } from './projecting/serve.projector.js';
export * from './read-models.errors.js';
export * from './read-models.types.js';
export type { OrderedProjection, OrderedTables } from './ordered/ordered.projection.js';
export { OrderedReadModel, type OrderedOptions } from './ordered/ordered.read-model.js';
