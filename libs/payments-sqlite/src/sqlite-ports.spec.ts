import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { portsContract } from '@tillstream/payments/testing';
import { openSqliteIdempotency } from './sqlite-idempotency.js';
import { openSqliteWorkQueue } from './sqlite-work-queue.js';

async function portsIn(events: (file: SqliteEventStore) => EventStore) {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-ports-'));
  const file = await openSqliteEventStore({ file: join(folder, 'events.db') });
  const store = events(file);
  return {
    store,
    idempotency: await openSqliteIdempotency(file, store),
    workQueue: await openSqliteWorkQueue(file),
    async close() {
      await store.close();
      await file.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

portsContract('SQLite', () => portsIn((file) => file));
portsContract('SQLite, the events elsewhere', () => portsIn(() => new MemoryEventStore()));
