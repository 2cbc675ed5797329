import { randomBytes } from 'node:crypto';
import { WebhookSetupError } from '../webhook.errors.js';

const MANAGED_PREFIX = 'whsec_';
/** Random bytes of a new secret; as many as SHA-256 gives. */
const NEW_KEY_BYTES = 32;
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
const LEGACY_CHARACTERS_MIN = 16;
const LEGACY_CHARACTERS_MAX = 128;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** `whsec_` and the base64 of 32 random bytes. */
export function newManagedSecret(): string {
  return MANAGED_PREFIX + randomBytes(NEW_KEY_BYTES).toString('base64');
}

/** 64 characters of lower-case hex. */
export function newLegacySecret(): string {
  return randomBytes(NEW_KEY_BYTES).toString('hex');
}

/** True for `whsec_` and the canonical base64 of 24 to 64 bytes. */
export function isManagedSecret(secret: string): boolean {
  return keyBytes(secret) !== undefined;
}

/** True for 16 to 128 characters (code points) that have one UTF-8 form. */
export function isLegacySecret(secret: string): boolean {
  const { length } = [...secret];
  // A lone surrogate has no UTF-8 form: all of them would become the same key.
  return length >= LEGACY_CHARACTERS_MIN && length <= LEGACY_CHARACTERS_MAX && !/\p{Surrogate}/u.test(secret);
}

/** Throws `WebhookSetupError`, without the secret in its text. */
export function managedKey(secret: string): Uint8Array {
  const key = keyBytes(secret);
  if (key !== undefined) return key;
  throw new WebhookSetupError('A managed secret is whsec_ and the base64 of 24 to 64 bytes.');
}

/** Throws `WebhookSetupError`, without the secret in its text. */
export function legacyKey(secret: string): Uint8Array {
  if (isLegacySecret(secret)) return Buffer.from(secret, 'utf8');
  throw new WebhookSetupError('A legacy secret has 16 to 128 characters.');
}

function keyBytes(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(MANAGED_PREFIX)) return undefined;
  const encoded = secret.slice(MANAGED_PREFIX.length);
  if (!BASE64.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  if (key.toString('base64') !== encoded) return undefined;
  return key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? key : undefined;
}
