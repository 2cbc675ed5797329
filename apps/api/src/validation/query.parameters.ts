import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import type { ApiRequest } from '../http/api.request.js';
import { shownName } from './received.text.js';

export const QUERY_NONE: readonly string[] = [];

/**
 * The parameters by name, each with its values; unknown ones are errors like unknown fields
 * (`docs/spec/README.md#values`).
 */
export function queryParameters(
  request: ApiRequest,
  allowed: readonly string[],
): { readonly values: ReadonlyMap<string, readonly string[]>; readonly errors: ErrorDetail[] } {
  const values = new Map<string, string[]>();
  const errors: ErrorDetail[] = [];
  const mark = request.originalUrl.indexOf('?');
  if (mark < 0) return { values, errors };
  for (const [name, value] of new URLSearchParams(request.originalUrl.slice(mark + 1))) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  for (const name of values.keys()) {
    if (!allowed.includes(name)) errors.push(unknownParameter(shownName(name), allowed));
  }
  return { values, errors };
}

function unknownParameter(field: string, allowed: readonly string[]): ErrorDetail {
  return {
    code: ErrorCode.RequestValidationGenericError,
    field,
    message: `${field} is not a query parameter of this path.`,
    details: allowed.length === 0 ? 'none is allowed' : `allowed ${allowed.join(', ')}`,
  };
}
