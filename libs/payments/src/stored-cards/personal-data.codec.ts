import type { Encrypted, HolderPersonal, Token, TokenPersonal } from '@tillstream/domain';
import type { Vault } from '@tillstream/vault';

/* Personal data as events have it: JSON, sealed under the key of the token or holder that it is of. */

/** @throws VaultError */
export function sealPersonal(
  vault: Vault,
  subject: string,
  personal: TokenPersonal | HolderPersonal,
): Promise<Encrypted> {
  return vault.seal(subject, JSON.stringify(personal));
}

/** Undefined where nobody can read it any more, or nothing was ever sealed. @throws VaultError */
export async function openTokenPersonal(
  vault: Vault,
  sealed: Encrypted | undefined,
): Promise<TokenPersonal | undefined> {
  return (await openSealed(vault, sealed)) as TokenPersonal | undefined;
}

/** The card or bank number of a token as it was kept, and its personal data. @throws VaultError */
export async function openStoredToken(
  vault: Vault,
  { id, paymentMethod }: Token,
): Promise<{ readonly kept: string | undefined; readonly personal: TokenPersonal | undefined }> {
  const { card: kept, text } = await vault.openCardAndText(id, paymentMethod.personal);
  return { kept, personal: parsed(text) as TokenPersonal | undefined };
}

/** As `openTokenPersonal`. */
export async function openHolderPersonal(
  vault: Vault,
  sealed: Encrypted | undefined,
): Promise<HolderPersonal | undefined> {
  return (await openSealed(vault, sealed)) as HolderPersonal | undefined;
}

async function openSealed(vault: Vault, sealed: Encrypted | undefined): Promise<unknown> {
  if (!sealed) return undefined;
  const [text] = await vault.open([sealed]);
  return parsed(text);
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : parseSecretJson(text);
}

/** A parser's own message would quote what it could not read. */
export function parseSecretJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError('what the vault opened is no JSON');
  }
}
