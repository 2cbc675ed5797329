import type { CardCredential } from '@tillstream/processors';

/* The text of a stored card that the vault keeps. A number has digits alone, so the prefix tells a processor's token. */

const PREFIX = 'token:';
const TOKEN = /^[\x21-\x7e]{1,200}$/;

/** Whether it can be kept: an adapter that brings anything else has nothing to store. */
export function isStorableCard(credential: CardCredential): boolean {
  return !('token' in credential) || TOKEN.test(credential.token);
}

export function encodeVaultCard(credential: CardCredential): string {
  return 'token' in credential ? PREFIX + credential.token : credential.number;
}

/** @param expDate MMYY, sealed beside what was kept */
export function decodeVaultCard(kept: string, expDate: string): CardCredential {
  return kept.startsWith(PREFIX) ? { token: kept.slice(PREFIX.length), expDate } : { number: kept, expDate };
}
