import { MemoryEventStore } from '@tillstream/event-store';
import { portsContract } from '@tillstream/payments/testing';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresIdempotency } from './postgres-idempotency.js';
import { openPostgresWorkQueue } from './postgres-work-queue.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

portsContract('PostgreSQL', async () => {
  const place = await newPaymentsDatabase(server);
  const database = place.open();
  const store = new MemoryEventStore();
  return {
    store,
    idempotency: openPostgresIdempotency(database, store),
    workQueue: openPostgresWorkQueue(database),
    async close() {
      await store.close();
      await place.close();
    },
  };
});
