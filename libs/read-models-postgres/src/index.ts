export { LISTS_MIGRATIONS } from './control/control.tables.js';
export { openPostgresReadModels, type PostgresReadModelsOptions } from './open-read-models.js';
export { openPostgresOrdered, type OrderedReadModelOptions } from './ordered/ordered.read-model.js';
