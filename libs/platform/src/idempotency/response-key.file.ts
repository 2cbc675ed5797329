import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from '../files/private-file.js';
import { ConfigError } from '../configuration/setting.kinds.js';

const FILE = 'answers.key';

/** The configured key, else the key in the data directory, which the first start creates (sandbox mode only). */
export function loadResponseKey(configured: Uint8Array | undefined, dataDir: string): Uint8Array {
  if (configured) return configured;
  const file = join(dataDir, FILE);
  createPrivateFile(file, `${randomBytes(32).toString('base64')}\n`);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32) {
    throw new ConfigError(
      `${file} does not hold 32 bytes in base64; restore it, or remove it to have a new one made.`,
    );
  }
  return new Uint8Array(key);
}
