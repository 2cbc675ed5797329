export { openApiDocument, type OpenApiDocument, type Readers } from './document.js';
export { DESCRIBED_PATHS } from './described.paths.js';
export { operationsOf, placesOf, type Operation, type OperationPlace } from './operations.of.js';
export type { ControllerClass } from './routes.js';
