import { migrate, openPostgres, type Postgres, type PostgresSettings } from '@tillstream/postgres-driver';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';
import { PAYMENTS_MIGRATIONS } from './payments.tables.js';

/** A new database with the tables of payments, opened as one process or several. */
export class PaymentsDatabase {
  readonly #opened: Postgres[] = [];

  private constructor(readonly settings: PostgresSettings) {}

  static async create(server: PostgresServer): Promise<PaymentsDatabase> {
    const settings = await server.newDatabase();
    await migrate(settings, [PAYMENTS_MIGRATIONS]);
    return new PaymentsDatabase(settings);
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
