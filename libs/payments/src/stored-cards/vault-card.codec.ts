import type { CardCredential } from '@tillstream/processors';

/* The text that the vault keeps for a card. A card number has only digits, so the prefix marks a processor's token. */

const PREFIX = 'token:';
const TOKEN = /^[\x21-\x7e]{1,200}$/;

/** A processor's token must be 1 to 200 printable ASCII characters without spaces. */
export function isStorableCard(credential: CardCredential): boolean {
  return !('token' in credential) || TOKEN.test(credential.token);
}

export function encodeVaultCard(credential: CardCredential): string {
  return 'token' in credential ? PREFIX + credential.token : credential.number;
}

/** @param expDate MMYY, from the sealed personal data */
export function decodeVaultCard(text: string, expDate: string): CardCredential {
  return text.startsWith(PREFIX) ? { token: text.slice(PREFIX.length), expDate } : { number: text, expDate };
}
