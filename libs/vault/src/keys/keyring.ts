import type { KeyVersions } from './key-versions.js';
import { MasterKeyError, loadMasterKeys, type MasterKey, type MasterKeySource } from './master-key.js';
import { VaultError } from '../vault.port.js';

/**
 * Which of the configured master keys is which version of the vault. A version that it does not know makes it ask for
 * the configured keys anew: another process may have begun a rotation since.
 */
export class Keyring {
  private byVersion: ReadonlyMap<number, MasterKey> = new Map();

  constructor(
    private readonly source: MasterKeySource,
    private readonly versions: KeyVersions,
  ) {}

  /** Undefined where it is not among the configured keys. @throws VaultError `Unavailable` where they can't be read. */
  find(version: number): MasterKey | undefined {
    return this.byVersion.get(version) ?? this.reloaded().get(version);
  }

  /** The one for new keys; call it inside a transaction. @throws VaultError `Unavailable` where it is not configured. */
  current(): { readonly version: number; readonly master: MasterKey } {
    const version = this.versions.current();
    const master = this.find(version);
    if (master === undefined) throw missingKeyError(version);
    return { version, master };
  }

  /**
   * Registers the first configured key if it is new, and gives the current version; inside a write transaction. Of a
   * vault with keys it does so only where the current version's key is given beside it: a wrong key must change nothing.
   * @throws MasterKeyError, or what the source throws.
   */
  registerFirst(): number {
    const [first] = this.reload();
    const current = this.versions.current();
    const isKnown = [...this.byVersion.values()].includes(first);
    if (current > 0 && !this.byVersion.has(current)) {
      const known = [...this.byVersion.keys()].map((version) => `version ${version}`);
      const given = known.length > 0 ? `only ${known.join(', ')}` : 'none of its keys';
      throw new MasterKeyError(
        `The vault needs version ${current} of its master key, and ${given} was given.`,
      );
    }
    if (isKnown) return current;
    return this.versions.register(first);
  }

  private reload(): readonly [MasterKey, ...MasterKey[]] {
    const keys = loadMasterKeys(this.source);
    const found = this.versions.all().flatMap(({ version, checkValue }) => {
      const key = keys.find((one) => one.checkValue.equals(checkValue));
      return key ? [[version, key] as const] : [];
    });
    this.byVersion = new Map(found);
    return keys;
  }

  private reloaded(): ReadonlyMap<number, MasterKey> {
    try {
      this.reload();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new VaultError('Unavailable', `The vault's master keys can not be read again: ${why}`);
    }
    return this.byVersion;
  }
}

export const missingKeyError = (version: number): VaultError =>
  new VaultError(
    'Unavailable',
    `Version ${version} of the vault's master key is not among the keys of this process; give it the current one.`,
  );
