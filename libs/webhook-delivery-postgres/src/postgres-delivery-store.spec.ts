import { PostgresServer } from '@tillstream/postgres-driver/testing';
import {
  deliveryStoreContract,
  type DeliveriesUnderTest,
} from '@tillstream/webhook-delivery/testing/contract';
import { DeliveriesDatabase } from './deliveries-database.fixture.js';

/** A run takes some seconds on a server that syncs its writes. */
const RUNS = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 8) / 4);

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

async function newPlace(): Promise<DeliveriesUnderTest> {
  const database = await DeliveriesDatabase.create(server);
  const others: DeliveriesUnderTest[] = [];
  return {
    runs: RUNS,
    open: () => database.open(),
    another: async () => {
      const other = await newPlace();
      others.push(other);
      return other;
    },
    lose: () => database.lose(),
    remove: async () => {
      await database.close();
      for (const other of others) await other.remove();
    },
  };
}

deliveryStoreContract('PostgreSQL', newPlace);
