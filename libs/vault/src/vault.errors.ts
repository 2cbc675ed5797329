import { errorMessage } from '@tillstream/runtime';
import { MasterKeyError } from './keys/master-key.js';
import { VaultError } from './vault.port.js';

/** Makes an error of the vault. A `VaultError` or `MasterKeyError` is returned unchanged. */
export function unavailableError(cause: unknown): VaultError | MasterKeyError {
  if (cause instanceof VaultError || cause instanceof MasterKeyError) return cause;
  const reason = errorMessage(cause);
  return new VaultError('Unavailable', `The vault can not be used: ${reason}.`);
}
