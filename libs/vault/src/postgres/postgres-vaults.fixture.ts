import { migrate, openPostgres, type Postgres, type PostgresSettings } from '@tillstream/postgres-driver';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';
import { newMasterKey } from '../sqlite/sqlite-vaults.fixture.js';
import { openPostgresVault } from './open-postgres-vault.js';
import type { PostgresVault } from './postgres.vault.js';
import { VAULT_MIGRATIONS } from './vault.tables.js';

/** A new database for the vault of one test, and its master keys, which the test may replace. */
export class VaultDatabases {
  readonly #opened: Postgres[] = [];
  /** The current one first. */
  masterKeys: readonly Uint8Array[] = [newMasterKey()];

  private constructor(readonly settings: PostgresSettings) {}

  static async create(server: PostgresServer): Promise<VaultDatabases> {
    const settings = await server.newDatabase();
    await migrate(settings, [VAULT_MIGRATIONS]);
    return new VaultDatabases(settings);
  }

  get name(): string {
    return new URL(this.settings.url).pathname.slice(1);
  }

  /** Connects as another process does. */
  database(changes: Partial<PostgresSettings> = {}): Postgres {
    const database = openPostgres({ ...this.settings, connectionsMax: 4, ...changes });
    this.#opened.push(database);
    return database;
  }

  open(): Promise<PostgresVault> {
    return openPostgresVault(this.database(), () => this.masterKeys);
  }

  async close(): Promise<void> {
    for (const database of this.#opened.splice(0)) await database.close();
  }
}
