import { createHmac } from 'node:crypto';
import { WebhookSetupError } from '../webhook.errors.js';
import { legacyKey, managedKey } from './secrets.js';

/** The exact bytes of a body; a string counts as its UTF-8 bytes. */
export type BodyBytes = Uint8Array | string;

/** No dot: it separates the parts of the signed content. */
export const MESSAGE_ID = /^[A-Za-z0-9_-]{1,255}$/;
/** Seconds below 10^12, without a leading zero. */
export const UNIX_SECONDS = /^(0|[1-9]\d{0,11})$/;

export interface ManagedMessage {
  /** `hook-id`; the same on every attempt. */
  readonly id: string;
  /** Unix seconds of the attempt, in real time. */
  readonly timestampSeconds: number;
  readonly body: BodyBytes;
  /** At least one; after a rotation the old secret too. */
  readonly secrets: readonly string[];
}

/** The value of `x-legacy-wh-chksm`. Throws `WebhookSetupError` if the secret is malformed. */
export function signLegacy(body: BodyBytes, secret: string): string {
  return createHmac('sha256', legacyKey(secret)).update(body).digest('hex');
}

/**
 * The whole value of `hook-signature`: `v1,` and the base64 for each secret, separated by spaces. Throws
 * `WebhookSetupError` if a secret, the id or the time is malformed.
 */
export function signManaged({ id, timestampSeconds, body, secrets }: ManagedMessage): string {
  if (secrets.length === 0) throw new WebhookSetupError('A managed delivery needs a secret.');
  if (!MESSAGE_ID.test(id))
    throw new WebhookSetupError('The message id must be 1 to 255 letters, digits, _ or -.');
  const seconds = String(timestampSeconds);
  if (!UNIX_SECONDS.test(seconds)) throw new WebhookSetupError('The timestamp is not in unix seconds.');
  const content = `${id}.${seconds}.`;
  return secrets.map((secret) => managedSignature(content, body, managedKey(secret))).join(' ');
}

/** `v1,` and the base64 HMAC of `{id}.{timestamp}.` and the body. */
export function managedSignature(content: string, body: BodyBytes, key: Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(content).update(body).digest('base64')}`;
}
