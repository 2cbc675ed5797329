import { randomBytes } from 'node:crypto';
import { BOX_OVERHEAD_BYTES, encryptBox, KEY_BYTES, decryptBox } from './encrypted-box.js';
import type { MasterKey } from '../keys/master-key.js';

export type KeyClass = 'Card' | 'Personal';

export const WRAPPED_KEY_BYTES = KEY_BYTES + BOX_OVERHEAD_BYTES;

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);

/** A wrapped key opens only with the version, class and subject that it was wrapped with. */
interface KeyContext {
  readonly version: number;
  readonly keyClass: KeyClass;
  readonly subject: string;
}

/** The subject comes last, so that two different contexts are never the same text. */
const wrappedKeyContext = ({ version, keyClass, subject }: KeyContext): string =>
  `key\0${version}\0${keyClass}\0${subject}`;

/** Binds encrypted data to the class and subject of its data key. */
export const encryptedDataContext = (keyClass: KeyClass, subject: string): string =>
  `data\0${keyClass}\0${subject}`;

export function wrapDataKey(dataKey: Uint8Array, master: MasterKey, context: KeyContext): Buffer {
  return encryptBox(master.wrappingKey, dataKey, wrappedKeyContext(context));
}

/** Undefined if the wrapped key is damaged or has another context. */
export function unwrapDataKey(box: Uint8Array, master: MasterKey, context: KeyContext): Buffer | undefined {
  return decryptBox(master.wrappingKey, box, wrappedKeyContext(context));
}
