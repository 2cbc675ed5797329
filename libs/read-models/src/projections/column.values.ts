import type { SealedPersonal } from '../read-models.types.js';

/** Absent values of facet columns. */
export const NO_TEXT = '';
export const NO_NUMBER = -1;
/** The `amount` of an operation without one. It sorts below every amount. */
export const NO_AMOUNT = -1;

/** A time that has not come. It sorts above every time. */
export const NOT_YET = 999_999_999_999_999;

/** The `merchant_id` of every row in a list that only operators read. */
export const OPERATORS = 'operators';

/** The column `personal`: sealed, as in the event. */
export function sealedPersonalJson({ keyId, iv, ciphertext }: SealedPersonal): string {
  return JSON.stringify({ keyId, iv, ciphertext });
}
