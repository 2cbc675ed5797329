import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from '../encryption/encrypted-box.js';

export const MASTER_KEY_BYTES = 32;

/** The master keys that were given do not fit the vault. One sentence for an operator; nothing was written. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** Gives the master keys as they are configured now, the current one first. Asked again when they may have changed. */
export type MasterKeySource = () => readonly Uint8Array[];

/** One configured master key; what it is used for is derived from it, so that no use can tell of another. */
export class MasterKey {
  /** Wraps data keys. */
  readonly wrappingKey: KeyObject;
  /** By this the vault's file knows the key again. It tells nothing of it. */
  readonly checkValue: Buffer;

  constructor(bytes: Uint8Array) {
    if (bytes.length !== MASTER_KEY_BYTES) {
      throw new MasterKeyError(`A master key has ${bytes.length} bytes, and ${MASTER_KEY_BYTES} are needed.`);
    }
    this.wrappingKey = createSecretKey(deriveKey(bytes, 'tillstream vault: wrapping data keys'));
    this.checkValue = Buffer.from(deriveKey(bytes, 'tillstream vault: check value'));
  }
}

/** All that the source gives. @throws MasterKeyError for none, for one of a wrong size, for one given twice. */
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
