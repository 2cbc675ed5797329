export { findUsedList } from './damage/used-lists.js';
export { openReadModels, type ReadModelsOptions } from './open-read-models.js';
export { SqliteOrderedReadModel, type OrderedReadModelOptions } from './ordered/ordered.read-model.js';
export { serveProjector } from './projector/serve-projector.js';
export type { ProjectorThread } from './projector/projector.thread.js';
