export { fedList } from './damage/fed.lists.js';
export { openReadModels } from './open-read-models.js';
export { SqliteOrderedReadModel, type OrderedOptions } from './ordered/ordered.read-model.js';
export { serveProjector } from './projecting/serve.projector.js';
export type { ProjectorThread, ReadModelsOptions } from './read-models.options.js';
