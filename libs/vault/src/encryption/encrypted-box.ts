import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;
/** By so many bytes is a box longer than what is in it. */
export const BOX_OVERHEAD_BYTES = IV_BYTES + TAG_BYTES;

/** One that is used again and again is a `KeyObject`: its bytes are checked and taken over once. */
export type BoxKey = Uint8Array | KeyObject;

/**
 * A box: iv, ciphertext, tag. It opens under the same key and the same `name` only, so that nobody who can write to the
 * file can put it in the place of another. Each has an iv of its own by chance: a key must not make more than 2^32.
 */
export function encryptBox(key: BoxKey, plain: Uint8Array, name: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(name, 'utf8'));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What is in a box; undefined where it is not whole, or was made under another key or name. */
export function decryptBox(key: BoxKey, box: Uint8Array, name: string): Buffer | undefined {
  if (box.length < BOX_OVERHEAD_BYTES) return undefined;
  const tagAt = box.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(box.subarray(tagAt));
  const plain = decipher.update(box.subarray(IV_BYTES, tagAt));
  try {
    // Checks the tag. In this mode nothing is left over for it to give.
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}
