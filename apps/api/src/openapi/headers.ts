import type { HeadersObject, SchemaObject } from '@nestjs/swagger';
import { API_VERSION } from '@tillstream/contracts';
import type { JsonSchema } from '../validation/json.schema.js';
import { componentMark } from './component.js';
import { SAMPLE_TRACE_ID } from './samples.js';

/* Headers of responses (`docs/spec/README.md#headers` and `docs/spec/authentication.md#rate-limit`). */

const header = (
  name: string,
  description: string,
  schema: JsonSchema,
  required = false,
): HeadersObject[string] => ({
  ...componentMark(`headers/${name}`),
  description,
  required,
  schema: schema as SchemaObject,
});

const ALWAYS = {
  'x-trace-id': header(
    'TraceId',
    'The W3C trace id of the request, equal to `traceId` of an error.',
    { type: 'string', pattern: '^[0-9a-f]{32}$', examples: [SAMPLE_TRACE_ID] },
    true,
  ),
  'x-api-version': header(
    'ApiVersion',
    'The version of the interface description that this service implements.',
    { type: 'string', const: API_VERSION },
    true,
  ),
};

const count = (minimum: number, example: number): JsonSchema => ({
  type: 'integer',
  minimum,
  examples: [example],
});

const RATE_LIMIT = {
  'x-ratelimit-limit': header(
    'RateLimitLimit',
    'The most requests at once. Absent if the merchant has no limit.',
    count(1, 1000),
  ),
  'x-ratelimit-remaining': header('RateLimitRemaining', 'The requests that are left.', count(0, 999)),
  'x-ratelimit-reset': header(
    'RateLimitReset',
    'The time when all requests are available again, in seconds since 1970.',
    count(0, 1785765910),
  ),
};

const REPLAYED = {
  'idempotent-replayed': header(
    'IdempotentReplayed',
    'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', const: 'true' },
  ),
};

const RETRY_AFTER = {
  'retry-after': header('RetryAfter', 'Seconds to wait before the next request.', count(1, 1), true),
};

const VARY = {
  vary: header('Vary', 'The response depends on the `Accept` of the request.', { type: 'string' }, true),
};

const NEXT_CURSOR = {
  'x-next-cursor': header('NextCursor', 'Of CSV: `nextCursor`. Absent on the last page.', {
    type: 'string',
    minLength: 1,
  }),
};

const TOTALS = {
  'x-total-count': header('TotalCount', 'Of CSV, with `includeTotal=true`: `total`.', count(0, 3)),
  'x-total-is-at-least': header(
    'TotalIsAtLeast',
    'Of CSV: present if the list has more items than `x-total-count` says.',
    { type: 'string', const: 'true' },
  ),
};

/** What the JSON of a page has beside its items. */
export const csvHeaders = (totals: boolean): HeadersObject => ({
  ...VARY,
  ...NEXT_CURSOR,
  ...(totals && TOTALS),
});

export interface HeaderOptions {
  readonly forMerchants: boolean;
  /** Whether an `Idempotency-Key` can give the response again. */
  readonly replayable?: boolean;
  readonly retryAfter?: boolean;
}

export function responseHeaders({ forMerchants, replayable, retryAfter }: HeaderOptions): HeadersObject {
  return {
    ...ALWAYS,
    ...(forMerchants && RATE_LIMIT),
    ...(replayable === true && REPLAYED),
    ...(retryAfter === true && RETRY_AFTER),
  };
}
