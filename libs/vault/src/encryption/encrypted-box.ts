import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;
/** A box is this much longer than its plain text. */
export const BOX_OVERHEAD_BYTES = IV_BYTES + TAG_BYTES;

/** A key for repeated use is a `KeyObject`: Node checks and copies its bytes once. */
export type BoxKey = Uint8Array | KeyObject;

/**
 * Returns a box: iv, ciphertext, tag. It opens only with the same key and the same `context`, so that a writer of the file
 * can't swap two boxes. The iv is random, so one key must not encrypt more than 2^32 boxes.
 */
export function encryptBox(key: BoxKey, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plain text of a box; undefined if the box is damaged, or was made with another key or context. */
export function decryptBox(key: BoxKey, box: Uint8Array, context: string): Buffer | undefined {
  if (box.length < BOX_OVERHEAD_BYTES) return undefined;
  const tagStart = box.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(box.subarray(tagStart));
  const plain = decipher.update(box.subarray(IV_BYTES, tagStart));
  try {
    // Checks the tag. In this mode it returns no further bytes.
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}
