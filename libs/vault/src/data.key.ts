import { randomBytes } from 'node:crypto';
import { BOX_OVERHEAD, boxed, KEY_BYTES, unboxed } from './envelope.js';
import type { MasterKey } from './master.key.js';

export type KeyClass = 'Card' | 'Personal';

export const WRAPPED_KEY_BYTES = KEY_BYTES + BOX_OVERHEAD;

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);

/** The subject stands last in every name: whatever is in it, no two names are the same. */
const nameOfKey = (version: number, keyClass: KeyClass, subject: string): string =>
  `key\0${version}\0${keyClass}\0${subject}`;

/** What a data key encrypts is bound to its class and subject by this. */
export const nameOfData = (keyClass: KeyClass, subject: string): string => `data\0${keyClass}\0${subject}`;

export function wrapped(
  dataKey: Uint8Array,
  master: MasterKey,
  version: number,
  keyClass: KeyClass,
  subject: string,
): Buffer {
  return boxed(master.wrapping, dataKey, nameOfKey(version, keyClass, subject));
}

/** Undefined where the wrapped key is not whole, or is another's. */
export function unwrapped(
  box: Uint8Array,
  master: MasterKey,
  version: number,
  keyClass: KeyClass,
  subject: string,
): Buffer | undefined {
  return unboxed(master.wrapping, box, nameOfKey(version, keyClass, subject));
}
