import type { SealedPersonal } from '../read-models.types.js';

/** The column `personal`: sealed, as in the event. */
export function sealedPersonalJson({ keyId, iv, ciphertext }: SealedPersonal): string {
  return JSON.stringify({ keyId, iv, ciphertext });
}
