export { openApiDocument, type Readers } from './document.js';
export type { OpenApiDocument } from './published.document.js';
