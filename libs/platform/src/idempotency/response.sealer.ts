import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../configuration/setting.kinds.js';
import { createPrivateFile } from '../files/private-files.js';
import { openBytes, sealBytes } from '../sealing/bound.sealing.js';

const KEY_BYTES = 32;

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
    return sealBytes(this.key, Buffer.from(answer, 'utf8'), boundTo);
  }

  /** Undefined if the response was sealed with another key or name, or was changed. */
  open(sealed: Uint8Array, boundTo: string): string | undefined {
    const opened = openBytes(this.key, sealed, boundTo);
    return opened && Buffer.from(opened).toString('utf8');
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
