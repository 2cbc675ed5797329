import { encryptedDataContext } from './data-key.js';
import { encryptBox, IV_BYTES, TAG_BYTES, decryptBox } from './encrypted-box.js';
import { encodeText, decodeText } from './text.encoding.js';
import type { Sealed } from '../vault.port.js';

export function sealText(key: Uint8Array, subject: string, text: string): Sealed {
  const plain = encodeText(text);
  const box = encryptBox(key, plain, encryptedDataContext('Personal', subject));
  plain.fill(0);
  return {
    keyId: subject,
    iv: box.toString('base64', 0, IV_BYTES),
    ciphertext: box.toString('base64', IV_BYTES),
  };
}

/** Undefined if the sealed text was changed, or was sealed for another subject. */
export function openSealedText(key: Uint8Array, { keyId, iv, ciphertext }: Sealed): string | undefined {
  const [start, rest] = [fromBase64(iv), fromBase64(ciphertext)];
  if (start?.length !== IV_BYTES || rest === undefined || rest.length < TAG_BYTES) return undefined;
  const plain = decryptBox(key, Buffer.concat([start, rest]), encryptedDataContext('Personal', keyId));
  return plain && decodeText(plain);
}

/** Accepts only canonical base64, one text for the same bytes, so that every change is detected. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
