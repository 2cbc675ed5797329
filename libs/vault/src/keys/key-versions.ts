import type Database from 'better-sqlite3';
import type { MasterKey } from './master-key.js';
import type { VaultDatabase } from '../sqlite/vault.database.js';

export interface KeyVersion {
  /** From 1. The highest version wraps new data keys. */
  readonly version: number;
  readonly checkValue: Buffer;
  /** RFC 3339. */
  readonly registeredAt: string;
  /** RFC 3339. Set when it wraps no data key any more. */
  readonly retiredAt: string | undefined;
}

/** The register of master keys. It stores check values, never a key. */
export interface KeyVersionRegister {
  /** In the order of registration. */
  all(): readonly KeyVersion[];
  /** The highest version; 0 if none is registered. */
  current(): number;
  /** Registers the key as the next version, and returns it. */
  register(key: MasterKey): number;
  /** Retires all versions before the current one. */
  retireOlder(): void;
}

export class KeyVersions implements KeyVersionRegister {
  private readonly selectAll: Database.Statement<[], KeyVersion & { readonly retiredAt: string | null }>;
  private readonly insertVersion: Database.Statement<[number, Buffer, string]>;
  private readonly retireVersions: Database.Statement<[string, number]>;
  private readonly selectHighest: Database.Statement<[]>;

  constructor({ sqlite }: VaultDatabase) {
    this.selectAll = sqlite.prepare(
      `SELECT version, check_value AS checkValue, registered_at AS registeredAt, retired_at AS retiredAt
       FROM master_key ORDER BY version`,
    );
    this.insertVersion = sqlite.prepare(
      'INSERT INTO master_key (version, check_value, registered_at) VALUES (?, ?, ?)',
    );
    this.retireVersions = sqlite.prepare(
      'UPDATE master_key SET retired_at = ? WHERE version < ? AND retired_at IS NULL',
    );
    this.selectHighest = sqlite.prepare('SELECT coalesce(max(version), 0) FROM master_key').pluck();
  }

  all(): readonly KeyVersion[] {
    return this.selectAll.all().map((row) => ({ ...row, retiredAt: row.retiredAt ?? undefined }));
  }

  current(): number {
    return this.selectHighest.get() as number;
  }

  register(key: MasterKey): number {
    const version = this.current() + 1;
    this.insertVersion.run(version, key.checkValue, new Date().toISOString());
    return version;
  }

  retireOlder(): void {
    this.retireVersions.run(new Date().toISOString(), this.current());
  }
}
