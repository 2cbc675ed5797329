import { ErrorCode } from '@tillstream/contracts';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';

/** Takes everything after the scheme: a malformed key is invalid, not missing. */
const BEARER = /^Bearer(?:[ \t]+(.*))?$/i;

/** A key of a given form, in `x-api-key` or as a bearer token (`docs/spec/authentication.md#merchant-keys`). */
export abstract class SentKey {
  constructor(private readonly form: RegExp) {}

  /** Undefined: no key of this form was sent, or two different ones. */
  sentIn(request: ApiRequest): string | undefined {
    const keys = sentKeys(request);
    const [key] = keys;
    return key !== undefined && keys.size === 1 && this.form.test(key) ? key : undefined;
  }

  /** 401, 1000: the key is missing, two were sent, or it is not valid. */
  invalid(request: ApiRequest): ApiError {
    const keys = sentKeys(request);
    const [key] = keys;
    if (key === undefined || key === '')
      return unauthenticated('An API key is missing: send it as x-api-key.');
    if (keys.size > 1) return unauthenticated('Two different API keys were sent.');
    return unauthenticated('The API key is not valid here.');
  }
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
