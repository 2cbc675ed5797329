import { migrate, type Migrations } from '../migrations.js';
import { openPostgres, type Postgres } from '../postgres.js';
import type { PostgresSettings } from '../postgres.settings.js';
import type { PostgresServer } from './postgres.server.js';

/** A new database with the tables of some components, opened as one process or several. */
export class MigratedDatabase {
  readonly #opened: Postgres[] = [];

  private constructor(readonly settings: PostgresSettings) {}

  static async create(server: PostgresServer, components: readonly Migrations[]): Promise<MigratedDatabase> {
    const settings = await server.newDatabase();
    await migrate(settings, components);
    return new MigratedDatabase(settings);
  }

  get name(): string {
    return new URL(this.settings.url).pathname.slice(1);
  }

  open(changes: Partial<PostgresSettings> = {}): Postgres {
    const database = openPostgres({ ...this.settings, connectionsMax: 4, ...changes });
    this.#opened.push(database);
    return database;
  }

  async close(): Promise<void> {
    for (const database of this.#opened.splice(0)) await database.close();
  }
}
