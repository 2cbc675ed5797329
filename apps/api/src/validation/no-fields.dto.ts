import { RequestSchema } from '../openapi/request.schema.js';

/** Of requests that say everything with their path: a body, if there is one, is `{}`. */
@RequestSchema('NoFields', 'No body, or an empty object.')
export class NoFieldsDto {}
