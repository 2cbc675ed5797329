import type { FormSession } from '@tillstream/contracts';
import { parseUrl } from '../page/parse.url.js';

/** The page of the issuer's access control server, and when the challenge is over. */
export interface Challenge {
  readonly url: URL;
  /** RFC 3339, by the service's clock. */
  readonly expiresAt: string | undefined;
}

/** Undefined if none is open. The address comes from the 3-D Secure server: it must not run a script. */
export function challengeOf({ status, threeDsChallenge }: FormSession): Challenge | undefined {
  if (status !== 'Pending' || !threeDsChallenge) return undefined;
  const url = parseUrl(threeDsChallenge.redirectUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return { url, expiresAt: threeDsChallenge.expiresAt };
}

/** What the page of the access control server posts to this one when the customer is done there. */
export function isDone(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { source, type } = data as { readonly source?: unknown; readonly type?: unknown };
  return source === 'three-ds' && type === 'done';
}
