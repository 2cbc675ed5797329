import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { shownName } from '../validation/received.text.js';
import type { ApiRequest } from './api.request.js';

export const QUERY_NONE: readonly string[] = [];

/**
 * The query of a request, which `RequestPipe` turns into the query class of the controller's method: its constructor reads
 * the parameters.
 */
export class ReceivedQuery {
  constructor(
    private readonly request: Pick<ApiRequest, 'originalUrl'>,
    /** Whose objects are read; empty for an operator, who reads those of all merchants. */
    readonly merchantId: string,
    /** Of the path. */
    readonly id: string,
  ) {}

  parameters(allowed: readonly string[]): QueryParameters {
    return queryParameters(this.request, allowed);
  }
}

export interface QueryParameters {
  /** By name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly errors: ErrorDetail[];
}

/** An unknown parameter is an error, as an unknown field is (`docs/spec/README.md#values`). */
export function queryParameters(
  { originalUrl }: Pick<ApiRequest, 'originalUrl'>,
  allowed: readonly string[],
): QueryParameters {
  const values = new Map<string, string[]>();
  const errors: ErrorDetail[] = [];
  const mark = originalUrl.indexOf('?');
  if (mark < 0) return { values, errors };
  for (const [name, value] of new URLSearchParams(originalUrl.slice(mark + 1))) {
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
