import type { Encrypted, TokenPersonal } from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { sealPersonal } from './vault.codec.js';

export interface SecretToStore {
  /** As the vault keeps it. */
  readonly secret: string;
  readonly personal: TokenPersonal;
}

/** The personal data of a stored card or bank account, and how its token's stream has them. */
export interface StoredSecret {
  readonly personal: TokenPersonal;
  readonly sealed: Encrypted;
}

/**
 * Stores a card or bank account in the vault, and seals its personal data. Undefined: the vault has destroyed the keys of this
 * token. After a restore the vault may be newer than the events and know of a removal that they do not.
 * @throws VaultError `Unavailable`
 */
export async function storeSecret(
  vault: Vault,
  tokenId: string,
  { secret, personal }: SecretToStore,
): Promise<StoredSecret | undefined> {
  try {
    await vault.storeCard(tokenId, secret);
    return { personal, sealed: await sealPersonal(vault, tokenId, personal) };
  } catch (error) {
    if (error instanceof VaultError && error.code === 'Destroyed') return undefined;
    throw error;
  }
}
