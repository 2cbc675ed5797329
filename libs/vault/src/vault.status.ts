import type { KeyVersion } from './keys/key-versions.js';

export interface VaultStatus {
  /** In the order of their registration; the last is the current one. */
  readonly versions: readonly VersionStatus[];
  /** Subjects that were destroyed. */
  readonly destroyed: number;
}

interface VersionStatus extends Omit<KeyVersion, 'checkValue'> {
  /** Subjects whose data keys it wraps. */
  readonly subjects: number;
}
