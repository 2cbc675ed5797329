import { errorMessage } from '@tillstream/runtime';
import type { KeyVersionRegister } from './key-versions.js';
import { loadMasterKeys, MasterKeyError, type MasterKey, type MasterKeySource } from './master-key.js';
import { VaultError } from '../vault.port.js';

export interface CurrentMasterKey {
  readonly version: number;
  readonly master: MasterKey;
}

/**
 * Finds the configured master key of a version of the vault. For an unknown version it loads the configured keys again:
 * another process may have started a rotation.
 */
export class Keyring {
  private byVersion: ReadonlyMap<number, MasterKey> = new Map();

  constructor(
    private readonly source: MasterKeySource,
    private readonly versions: Pick<KeyVersionRegister, 'all' | 'current' | 'register'>,
  ) {}

  /** Undefined if the key is not configured. @throws VaultError `Unavailable` if the configured keys can't be read */
  find(version: number): MasterKey | undefined {
    return this.byVersion.get(version) ?? this.reloadKeys().get(version);
  }

  /** The key that wraps new data keys. Call it inside a transaction. @throws VaultError `Unavailable` if it is not configured */
  current(): CurrentMasterKey {
    const version = this.versions.current();
    const master = this.find(version);
    if (master === undefined) throw missingKeyError(version);
    return { version, master };
  }

  /**
   * Registers the first configured key if it is new, and returns the current version. Call it inside a write transaction.
   * If the vault has versions, the current one must be configured too, so that a wrong key changes nothing.
   * @throws MasterKeyError, or the error of the source
   */
  registerFirst(): number {
    const [first] = this.loadKeys();
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

  private loadKeys(): readonly [MasterKey, ...MasterKey[]] {
    const keys = loadMasterKeys(this.source);
    const found = this.versions.all().flatMap(({ version, checkValue }) => {
      const key = keys.find((candidate) => candidate.checkValue.equals(checkValue));
      return key ? [[version, key] as const] : [];
    });
    this.byVersion = new Map(found);
    return keys;
  }

  private reloadKeys(): ReadonlyMap<number, MasterKey> {
    try {
      this.loadKeys();
    } catch (error) {
      const reason = errorMessage(error);
      throw new VaultError('Unavailable', `The vault's master keys can not be read again: ${reason}`);
    }
    return this.byVersion;
  }
}

export const missingKeyError = (version: number): VaultError =>
  new VaultError(
    'Unavailable',
    `Version ${version} of the vault's master key is not among the keys of this process; give it the current one.`,
  );
