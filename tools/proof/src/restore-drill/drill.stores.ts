import { mkdirSync, rmSync } from 'node:fs';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { StoreProcess } from '../processes/store.process.js';
import type { Environment } from '../support/deployment.js';

/** The stores of a drill, which can be lost as a whole. */
export interface DrillStores {
  readonly name: string;
  /** The settings that name the stores; others after a loss. */
  environment(): Environment;
  /** Destroys everything that the service has stored, and leaves empty stores. */
  lose(dataDir: string): Promise<void>;
  stop(): Promise<void>;
}

export function embeddedStores(): DrillStores {
  return {
    name: 'SQLite',
    environment: () => ({}),
    lose: async (dataDir) => loseDirectory(dataDir),
    stop: async () => undefined,
  };
}

/** EventStoreDB's double, and a real PostgreSQL. After a loss both have other addresses, as new machines have. */
export async function serverStores(): Promise<DrillStores> {
  const postgres = await PostgresServer.start();
  let events = await StoreProcess.start();
  let { url } = await postgres.newDatabase();
  return {
    name: 'EventStoreDB and PostgreSQL',
    environment: () => ({
      ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: events.url, EVENTSTOREDB_DEADLINE_MS: '5000' },
      ...{ SHARED_STORE: 'postgres', DATABASE_URL: url, DATABASE_TLS: 'off' },
      ...{ DATABASE_CONNECT_MS: '30000', DATABASE_STATEMENT_MS: '30000' },
    }),
    async lose(dataDir) {
      loseDirectory(dataDir);
      await events.stop();
      events = await StoreProcess.start();
      await postgres.admin(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
      ({ url } = await postgres.newDatabase());
    },
    async stop() {
      await events.stop();
      await postgres.stop();
    },
  };
}

function loseDirectory(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { mode: 0o700 });
}
