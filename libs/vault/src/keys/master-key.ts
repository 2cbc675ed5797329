import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from '../encryption/encrypted-box.js';

export const MASTER_KEY_BYTES = 32;

/** The configured master keys do not match the vault. The message is for an operator. Nothing was written. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** Returns the configured master keys, the current one first. The vault calls it again when they may have changed. */
export type MasterKeySource = () => readonly Uint8Array[];

/** One configured master key. Each use has a derived key of its own, so that none reveals another. */
export class MasterKey {
  /** Wraps data keys. */
  readonly wrappingKey: KeyObject;
  /** Identifies the key in the vault's file, without revealing it. */
  readonly checkValue: Buffer;

  constructor(bytes: Uint8Array) {
    if (bytes.length !== MASTER_KEY_BYTES) {
      throw new MasterKeyError(`A master key has ${bytes.length} bytes, and ${MASTER_KEY_BYTES} are needed.`);
    }
    this.wrappingKey = createSecretKey(deriveKey(bytes, 'tillstream vault: wrapping data keys'));
    this.checkValue = Buffer.from(deriveKey(bytes, 'tillstream vault: check value'));
  }
}

/** Loads all configured keys. @throws MasterKeyError for no key, a wrong size, or the same key twice */
export function loadMasterKeys(source: MasterKeySource): readonly [MasterKey, ...MasterKey[]] {
  const [first, ...others] = source().map((bytes) => new MasterKey(bytes));
  if (first === undefined) throw new MasterKeyError('No master key is given.');
  const keys = [first, ...others] as const;
  if (new Set(keys.map(({ checkValue }) => checkValue.toString('hex'))).size < keys.length)
    throw new MasterKeyError('A master key is given twice.');
  return keys;
}

function deriveKey(bytes: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', use, KEY_BYTES));
}
