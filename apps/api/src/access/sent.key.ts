import { ErrorCode } from '@tillstream/contracts';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';

/** All that follows the scheme: a malformed key is an invalid key, and not a missing one. */
const BEARER = /^Bearer(?:[ \t]+(.*))?$/i;

/**
 * The key of either header (`docs/spec/authentication.md#merchant-keys`); undefined where none was sent, an empty one,
 * or two different ones.
 */
export function sentKey(request: ApiRequest): string | undefined {
  const keys = sentKeys(request);
  const [key] = keys;
  return keys.size === 1 && key !== '' ? key : undefined;
}

/** 401, 1000: the key is missing, two were sent, or it is not valid. */
export function invalidKey(request: ApiRequest): ApiError {
  const keys = sentKeys(request);
  const [key] = keys;
  if (key === undefined || key === '') return unauthenticated('An API key is missing: send it as x-api-key.');
  if (keys.size > 1) return unauthenticated('Two different API keys were sent.');
  return unauthenticated('The API key is not valid here.');
}

/** Other schemes of `Authorization` are ignored. */
function sentKeys({ headersDistinct }: ApiRequest): ReadonlySet<string> {
  const bearers = (headersDistinct.authorization ?? []).flatMap((value) => {
    const match = BEARER.exec(value);
    return match ? [match[1] ?? ''] : [];
  });
  return new Set([...(headersDistinct['x-api-key'] ?? []), ...bearers]);
}

export function unauthenticated(message: string): ApiError {
  return new ApiError(401, ErrorCode.AuthenticationGenericError, message);
}
