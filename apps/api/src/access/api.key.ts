import { ErrorCode } from '@tillstream/contracts';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';

/** A service in sandbox mode takes test keys only, a live one live keys only (`decisions.md` 1). */
const MERCHANT_KEY = {
  sandbox: /^sk_test_[A-Za-z0-9]{32}$/,
  live: /^sk_live_[A-Za-z0-9]{32}$/,
} as const;
const ADMIN_KEY = /^ak_[A-Za-z0-9]{32}$/;

/** Whatever follows the scheme: a malformed one is a bad key, and not none. */
const BEARER = /^Bearer(?:[ \t]+(.*))?$/i;

/** The key that was sent, in either header. Two different ones are none; other schemes are not looked at. */
export function sentKey(request: ApiRequest): string {
  const bearers = (request.headersDistinct.authorization ?? []).flatMap((value) => {
    const match = BEARER.exec(value);
    return match ? [match[1] ?? ''] : [];
  });
  const keys = new Set([...(request.headersDistinct['x-api-key'] ?? []), ...bearers]);
  const [key] = keys;
  if (key === undefined || key === '') throw unauthenticated('An API key is missing: send it as x-api-key.');
  if (keys.size > 1) throw unauthenticated('Two different API keys were sent.');
  return key;
}

export function isKeyOf(
  audience: 'Merchants' | 'Operators',
  mode: keyof typeof MERCHANT_KEY,
  key: string,
): boolean {
  return (audience === 'Merchants' ? MERCHANT_KEY[mode] : ADMIN_KEY).test(key);
}

export function unauthenticated(message = 'The API key is not valid here.'): ApiError {
  return new ApiError(401, ErrorCode.AuthenticationGenericError, message);
}

export function unauthorized(message: string): ApiError {
  return new ApiError(401, ErrorCode.MerchantNotAuthorizedForResource, message);
}
