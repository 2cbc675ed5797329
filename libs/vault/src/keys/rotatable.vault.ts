import type { Vault } from '../vault.port.js';
import type { RotationOptions, RotationResult, RotationState } from './rotation.js';

/** A vault whose master key can be exchanged while it is used. */
export interface RotatableVault extends Vault {
  /**
   * Rewraps every data key under the current master key, while this and other processes use the vault, then retires the
   * older versions. After an interruption the next call continues where this one stopped.
   */
  rotate(options?: RotationOptions): Promise<RotationResult>;
  /**
   * Runs `change`, which may configure a new first key, while no process writes to the vault. Then registers the first key
   * if it is new, and returns the new state.
   * @throws MasterKeyError if the current version's key is not configured
   */
  startRotation(change?: (before: RotationState) => void): Promise<RotationState>;
}
