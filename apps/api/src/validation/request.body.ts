import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { parseBody, readBody } from '../http/body.reader.js';
import { idempotencyKey } from './idempotency.key.js';
import { QUERY_NONE, queryParameters } from './query.parameters.js';
import { fieldsOf, validBody, type Dto } from './valid.body.js';

export interface RequestBody<Body> {
  readonly body: Body;
  readonly bytes: Uint8Array;
  readonly key: string | undefined;
}

export interface BodyRules<Body> {
  /** Empty counts as `{}`. */
  readonly mayBeEmpty?: boolean;
  /**
   * What else is wrong by the body alone. Asked of any body: of a field that its DTO refuses the DTO's error counts.
   * `respondWithResult`: what the DTO refused.
   */
  readonly wrong?: (body: Body, found: readonly ErrorDetail[]) => readonly ErrorDetail[];
}

/**
 * What a writing request brings, found good as far as it can be told without looking anywhere else: 2900, then all
 * wrong fields and parameters, then the form of its `Idempotency-Key` (`docs/spec/errors.md#which-answer-wins`).
 */
export async function requestBody<Body extends object>(
  request: ApiRequest,
  dto: Dto<Body>,
  { mayBeEmpty = false, wrong: wrongBesides }: BodyRules<Body> = {},
): Promise<RequestBody<Body>> {
  const bytes = await readBody(request);
  const { body, errors } = validBody(dto, parseBody(request, bytes, mayBeEmpty));
  const reported = new Set(errors.map(({ field }) => field));
  const besides = (wrongBesides?.(body, errors) ?? []).filter(({ field }) => !reported.has(field));
  const wrong: ErrorDetail[] = [...errors, ...besides, ...queryParameters(request, QUERY_NONE).errors];
  if (wrong.length > 0) throw invalidFields(wrong);
  const { key, error } = idempotencyKey(request);
  if (error) throw invalidFields([error]);
  return { body, bytes, key };
}

/** For a request that may leave out each of its fields, but not all (field `body`). */
export function atLeastOneField(dto: Dto<object>): Required<BodyRules<object>>['wrong'] {
  return (body, found) => {
    if (found.length > 0 || Object.keys(body).length > 0) return [];
    const allowed = `at least one of ${[...fieldsOf(dto)].join(', ')}`;
    return [invalidField('body', `The body must have ${allowed}.`, `received none, allowed ${allowed}`)];
  };
}

/** One wrong field found by something other than a DTO. */
export function invalidField(field: string, message: string, details?: string): ErrorDetail {
  const code = ErrorCode.RequestValidationGenericError;
  return { code, field, message, ...(details !== undefined && { details }) };
}
