import { MAX_WEBHOOK_URL_LENGTH } from '@tillstream/domain';
import { WebhookEndpointRejected } from './webhook-endpoint.types.js';
import type { UrlRules } from './webhook-endpoints.ports.js';

/** What is wrong, for an error's details. It never repeats the URL, which may have a secret in it. */
export interface UrlProblem {
  readonly received: string;
  readonly allowed: string;
}

/** White space and control characters, which `URL` would remove without an error. */
const UNWANTED = /[\p{Cc}\p{Cs}\s]/u;

/** `docs/spec/webhooks.md#addresses`. Undefined: the URL can be the address of a webhook endpoint. */
export function webhookUrlProblem(text: string, { mode, addresses }: UrlRules): UrlProblem | undefined {
  const schemes = mode === 'live' ? 'https:' : 'https: or http:';
  const allowed = `an absolute address with ${schemes}, of at most ${MAX_WEBHOOK_URL_LENGTH} characters`;
  if ([...text].length > MAX_WEBHOOK_URL_LENGTH) return { received: 'a longer one', allowed };
  if (UNWANTED.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return { received: 'something else', allowed };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { received: 'one with a user or a password', allowed: 'an address without user and password' };
  if (mode === 'live' && url.protocol !== 'https:') return { received: 'http:', allowed: 'https:' };
  const special = addresses.refusalOfUrl(url);
  return special === undefined
    ? undefined
    : { received: `a special address (${special})`, allowed: 'a public address' };
}

/** @throws WebhookEndpointRejected */
export function requireUrl(url: string, rules: UrlRules): void {
  const problem = webhookUrlProblem(url, rules);
  if (!problem) return;
  throw new WebhookEndpointRejected({
    code: 'UrlNotAllowed',
    message: `url must be ${problem.allowed}.`,
    details: `received ${problem.received}, allowed ${problem.allowed}`,
  });
}
