import type { SealedPersonal } from '../read-models.types.js';

/** Personal data as a row has it: sealed, as the event has it. */
export function sealedPersonalJson({ keyId, iv, ciphertext }: SealedPersonal): string {
  return JSON.stringify({ keyId, iv, ciphertext });
}
