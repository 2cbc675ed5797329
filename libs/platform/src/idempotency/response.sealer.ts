import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../configuration/setting.kinds.js';
import { createPrivateFile } from '../files/private-files.js';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * Encrypts stored responses, because they contain personal data. Each is bound to a name, so that it can't be moved to
 * another idempotency key.
 */
export class ResponseSealer {
  /** @param key 32 bytes */
  constructor(private readonly key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError('the key that seals answers has 32 bytes');
  }

  seal(answer: string, boundTo: string): Uint8Array {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv);
    cipher.setAAD(Buffer.from(boundTo, 'utf8'));
    const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
  }

  /** Undefined if the response was sealed with another key or name, or was changed. */
  open(sealed: Uint8Array, boundTo: string): string | undefined {
    if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.key, sealed.subarray(1, 1 + IV_BYTES));
    decipher.setAAD(Buffer.from(boundTo, 'utf8'));
    decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, HEADER_BYTES));
    try {
      return decipher.update(sealed.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}

/** The configured key, else the key in the data directory, which the first start creates (sandbox mode only). */
export function loadResponseKey(configured: Uint8Array | undefined, dataDir: string): Uint8Array {
  if (configured) return configured;
  const file = join(dataDir, 'answers.key');
  createPrivateFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new ConfigError(
      `${file} does not hold 32 bytes in base64; restore it, or remove it to have a new one made.`,
    );
  }
  return new Uint8Array(key);
}
