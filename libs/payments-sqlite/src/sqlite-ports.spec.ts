import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { portsContract } from '@tillstream/payments/testing';
import { openSqliteIdempotency } from './sqlite-idempotency.js';
import { openSqliteOpenWork } from './sqlite-open-work.js';

portsContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-ports-'));
  const store = await openSqliteEventStore({ file: join(folder, 'events.db') });
  return {
    store,
    idempotency: await openSqliteIdempotency(store),
    openWork: await openSqliteOpenWork(store),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
