import type Database from 'better-sqlite3';
import type { MasterKey } from './master-key.js';
import type { VaultDatabase } from '../sqlite/vault.database.js';

export interface KeyVersion {
  /** From 1. The highest is the one that new keys are wrapped under. */
  readonly version: number;
  readonly checkValue: Buffer;
  /** RFC 3339. */
  readonly registeredAt: string;
  /** Once nothing hangs on it any more. */
  readonly retiredAt: string | undefined;
}

interface StoredVersion {
  readonly version: number;
  readonly check_value: Buffer;
  readonly registered_at: string;
  readonly retired_at: string | null;
}

/** The register of master keys: check values, never a key. */
export class KeyVersions {
  private readonly everything: Database.Statement<[], StoredVersion>;
  private readonly registration: Database.Statement<[number, Buffer, string]>;
  private readonly retirement: Database.Statement<[string, number]>;
  private readonly highest: Database.Statement<[]>;

  constructor({ sqlite }: VaultDatabase) {
    this.everything = sqlite.prepare('SELECT * FROM master_key ORDER BY version');
    this.registration = sqlite.prepare(
      'INSERT INTO master_key (version, check_value, registered_at) VALUES (?, ?, ?)',
    );
    this.retirement = sqlite.prepare(
      'UPDATE master_key SET retired_at = ? WHERE version < ? AND retired_at IS NULL',
    );
    this.highest = sqlite.prepare('SELECT coalesce(max(version), 0) FROM master_key').pluck();
  }

  all(): readonly KeyVersion[] {
    return this.everything.all().map((row) => ({
      version: row.version,
      checkValue: row.check_value,
      registeredAt: row.registered_at,
      retiredAt: row.retired_at ?? undefined,
    }));
  }

  /** 0: none yet. */
  current(): number {
    return this.highest.get() as number;
  }

  /** As the next version. */
  register(key: MasterKey): number {
    const version = this.current() + 1;
    this.registration.run(version, key.checkValue, new Date().toISOString());
    return version;
  }

  /** All before the current one. */
  retireOlder(): void {
    this.retirement.run(new Date().toISOString(), this.current());
  }
}
