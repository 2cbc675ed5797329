import { migrate, type PostgresSettings } from '@tillstream/postgres-driver';
import { MigratedDatabase, type PostgresServer } from '@tillstream/postgres-driver/testing';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { DELIVERY_MIGRATIONS } from './deliveries.tables.js';
import { openPostgresDeliveryStore } from './postgres-delivery-store.js';

/** A new database with the tables of deliveries, opened as one process or several. */
export class DeliveriesDatabase {
  private constructor(
    private readonly server: PostgresServer,
    readonly place: MigratedDatabase,
  ) {}

  static async create(server: PostgresServer): Promise<DeliveriesDatabase> {
    return new DeliveriesDatabase(server, await MigratedDatabase.create(server, [DELIVERY_MIGRATIONS]));
  }

  open(changes: Partial<PostgresSettings> = {}, source = 'test'): Promise<DeliveryStore> {
    return openPostgresDeliveryStore({ database: this.place.open(changes), source });
  }

  /** Through a proxy, as over a network that fails. */
  openAt(port: number): Promise<DeliveryStore> {
    return this.open({ url: this.server.url(this.place.name, port), connectionsMax: 1 });
  }

  /** Runs a statement as the superuser. */
  run<Row>(statement: string): Promise<Row[]> {
    return this.server.admin(statement, this.place.name);
  }

  /** As an operator who has no backup, and makes the database anew. */
  async lose(): Promise<void> {
    await this.run('drop schema public cascade; create schema public');
    await migrate(this.place.settings, [DELIVERY_MIGRATIONS]);
  }

  close(): Promise<void> {
    return this.place.close();
  }
}
