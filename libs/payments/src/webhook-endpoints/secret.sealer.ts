import type { SealedSecret } from '@tillstream/domain';
import type { Vault } from '@tillstream/vault';
import type { SecretSealer } from './webhook-endpoints.ports.js';

const IV_BYTES = 12;

/**
 * Seals each secret under the endpoint's own key in the vault. The vault wraps that key again when its master key is
 * exchanged; a key that is derived from the master key would be lost then, and events can not be sealed again.
 */
export function vaultSecretSealer(vault: Pick<Vault, 'seal' | 'open'>): SecretSealer {
  return {
    async seal(endpointId, secret) {
      const { iv, ciphertext } = await vault.seal(endpointId, secret);
      return Buffer.concat([Buffer.from(iv, 'base64'), Buffer.from(ciphertext, 'base64')]).toString('base64');
    },
    async open(endpointId, sealed: SealedSecret) {
      const bytes = Buffer.from(sealed, 'base64');
      const iv = bytes.toString('base64', 0, IV_BYTES);
      const ciphertext = bytes.toString('base64', IV_BYTES);
      const [secret] = await vault.open([{ keyId: endpointId, iv, ciphertext }]);
      if (secret === undefined) throw new Error(`the secret of ${endpointId} can not be opened`);
      return secret;
    },
  };
}
