import { randomBytes } from 'node:crypto';
import { BOX_OVERHEAD_BYTES, encryptBox, KEY_BYTES, decryptBox } from './encrypted-box.js';
import type { MasterKey } from '../keys/master-key.js';

export type KeyClass = 'Card' | 'Personal';

export const WRAPPED_KEY_BYTES = KEY_BYTES + BOX_OVERHEAD_BYTES;

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);

/** The subject comes last, so that two different contexts are never the same text. */
const wrappedKeyContext = (version: number, keyClass: KeyClass, subject: string): string =>
  `key\0${version}\0${keyClass}\0${subject}`;

/** Binds encrypted data to the class and subject of its data key. */
export const encryptedDataContext = (keyClass: KeyClass, subject: string): string =>
  `data\0${keyClass}\0${subject}`;

export function wrapDataKey(
  dataKey: Uint8Array,
  master: MasterKey,
  version: number,
  keyClass: KeyClass,
  subject: string,
): Buffer {
  return encryptBox(master.wrappingKey, dataKey, wrappedKeyContext(version, keyClass, subject));
}

/** Undefined if the wrapped key is damaged or belongs to another subject. */
export function unwrapDataKey(
  box: Uint8Array,
  master: MasterKey,
  version: number,
  keyClass: KeyClass,
  subject: string,
): Buffer | undefined {
  return decryptBox(master.wrappingKey, box, wrappedKeyContext(version, keyClass, subject));
}
