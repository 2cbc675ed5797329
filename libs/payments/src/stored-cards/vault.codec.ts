import type { CardCredential } from '@tillstream/processors';

import type { ConsentPersonal, Encrypted, HolderPersonal, Token, TokenPersonal } from '@tillstream/domain';
import type { Vault } from '@tillstream/vault';

/* Personal data in events: JSON, sealed with the key of the token or holder. */

/** @throws VaultError */
export function sealPersonal(
  vault: Vault,
  subject: string,
  personal: TokenPersonal | HolderPersonal | ConsentPersonal,
): Promise<Encrypted> {
  return vault.seal(subject, JSON.stringify(personal));
}

/**
 * The subject of what a customer entered in one attempt of a form. Each attempt has its own, so that the data of a declined
 * card can be destroyed while the form goes on.
 */
export function attemptSubject(tokenId: string, number: number): string {
  return `${tokenId}.${number}`;
}

/** Undefined if the key is destroyed, or nothing was sealed. @throws VaultError */
export async function openTokenPersonal(
  vault: Vault,
  sealed: Encrypted | undefined,
): Promise<TokenPersonal | undefined> {
  return (await openSealed(vault, sealed)) as TokenPersonal | undefined;
}

/** `kept`: the text that the vault keeps for the card or bank account. @throws VaultError */
export async function openStoredToken(
  vault: Vault,
  { id, paymentMethod }: Token,
): Promise<{ readonly kept: string | undefined; readonly personal: TokenPersonal | undefined }> {
  const { card: kept, text } = await vault.openCardAndText(id, paymentMethod.personal);
  return { kept, personal: parseText(text) as TokenPersonal | undefined };
}

/** As `openTokenPersonal`. @throws VaultError */
export async function openHolderPersonal(
  vault: Vault,
  sealed: Encrypted | undefined,
): Promise<HolderPersonal | undefined> {
  return (await openSealed(vault, sealed)) as HolderPersonal | undefined;
}

async function openSealed(vault: Vault, sealed: Encrypted | undefined): Promise<unknown> {
  if (!sealed) return undefined;
  const [text] = await vault.open([sealed]);
  return parseText(text);
}

function parseText(text: string | undefined): unknown {
  return text === undefined ? undefined : parseSecretJson(text);
}

/** Replaces the parser's error, whose message would quote the secret. @throws TypeError */
export function parseSecretJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError('the text from the vault is not JSON');
  }
}

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
