import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { noLog, readConfig } from '@tillstream/platform';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { startDispatcher, type RunningDispatcher } from './dispatcher.start.js';

const newKey = (): string => randomBytes(32).toString('base64');

describe('Dispatchers of two machines that share PostgreSQL', () => {
  let postgres: PostgresServer;
  let events: EventStoreDbDouble;
  let folder: string;
  const running: RunningDispatcher[] = [];

  beforeAll(async () => {
    [postgres, events] = await Promise.all([PostgresServer.start(), startEventStoreDbDouble()]);
    folder = mkdtempSync(join(tmpdir(), 'tillstream-dispatchers-'));
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
    await events.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ready = async ({ port }: RunningDispatcher): Promise<{ status: number; text: string }> => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return { status: response.status, text: await response.text() };
  };

  it('run side by side, are not ready while the database is away, and recover by themselves', async () => {
    const { url } = await postgres.newDatabase();
    const shared = {
      ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: events.url },
      ...{ SHARED_STORE: 'postgres', DATABASE_URL: url, DATABASE_TLS: 'off' },
      ...{ DATABASE_CONNECT_MS: '10000', DATABASE_STATEMENT_MS: '10000' },
      ...{ SANDBOX: 'network', SANDBOX_SECRET: 'a-secret-of-the-sandbox', SANDBOX_URL: 'http://127.0.0.1:1' },
      ...{ IDEMPOTENCY_ANSWER_KEY: newKey(), VAULT_MASTER_KEY: newKey() },
    };
    const configs = ['a', 'b'].map((machine) => readConfig({ ...shared, DATA_DIR: join(folder, machine) }));
    running.push(...(await Promise.all(configs.map((config) => startDispatcher(config, noLog)))));
    for (const one of running) expect((await ready(one)).status).toBe(200);
    await postgres.kill();
    for (const one of running) {
      const { status, text } = await ready(one);
      expect([status, text]).toEqual([503, expect.stringContaining('the database can not be written')]);
    }
    await postgres.restart();
    for (const one of running) {
      for (let look = 0; look < 200 && (await ready(one)).status !== 200; look++) await sleep(50);
      expect((await ready(one)).status).toBe(200);
    }
  }, 120_000);
});
