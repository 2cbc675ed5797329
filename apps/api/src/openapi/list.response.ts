import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiResponse,
  getSchemaPath,
  type ApiResponseOptions,
  type HeadersObject,
} from '@nestjs/swagger';
import type { ListPage } from '@tillstream/contracts';
import type { Column } from '../csv/csv.columns.js';
import { csvParts } from '../csv/csv.format.js';
import { csvHeaders } from './headers.js';
import type { Shape } from './response.schema.js';

interface PageText {
  readonly description: string;
  readonly shape: Shape<unknown>;
  readonly example: ListPage<unknown>;
}

/** A page of a list, as JSON and as CSV. `totals`: whether the list counts its items. */
export function listResponse(
  { description, shape, example }: PageText,
  columns: readonly Column[],
  headers: HeadersObject,
  totals: boolean,
): MethodDecorator {
  const options = {
    status: 200,
    description,
    headers: { ...headers, ...csvHeaders(totals) },
    content: {
      'application/json': { schema: { $ref: getSchemaPath(shape) }, example },
      'text/csv': { schema: CSV, example: [...csvParts(columns, example.data)].join('') },
    },
  };
  return applyDecorators(ApiExtraModels(shape), ApiResponse(options as ApiResponseOptions));
}

const CSV = {
  type: 'string',
  description:
    'With `Accept: text/csv`: the same page. Every page has the header line of the example. A field within another one has ' +
    'a dot in its name, a list is a JSON text, and a field without a value is an empty cell. A text that a spreadsheet ' +
    'would take for a formula begins with an apostrophe.',
};
