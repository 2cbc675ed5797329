import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { EventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';

/** Given by the jest project: all HTTP specs run once on each event store, and once with what machines share in PostgreSQL. */
declare global {
  var EVENT_STORE: 'sqlite' | 'eventstoredb' | undefined;
  /** `postgres` needs `EVENT_STORE` `eventstoredb` and `SANDBOX` `network`. */
  var SHARED_STORE: 'files' | 'postgres' | undefined;
}

/** A server for each data directory: what is stopped and started again finds its events. */
const servers = new Map<string, EventStoreDbDouble>();

/** One server for all databases of a spec file. */
let postgres: Promise<PostgresServer> | undefined;
afterAll(async () => (await postgres)?.stop());
/** A database for each data directory. */
const databases = new Map<string, Record<string, string>>();

/** The settings that put a test's events, and what machines share, where the run wants them. */
export async function storeSettings(dataDir: string): Promise<Record<string, string>> {
  if (globalThis.EVENT_STORE !== 'eventstoredb') return {};
  const server = servers.get(dataDir) ?? (await startEventStoreDb());
  servers.set(dataDir, server);
  const shared = globalThis.SHARED_STORE === 'postgres' ? await databaseSettings(dataDir) : {};
  return { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: server.url, ...shared };
}

// Most runs need neither server, and what the two are made of takes long to load.
async function startEventStoreDb(): Promise<EventStoreDbDouble> {
  return (await import('@tillstream/event-store-testing/eventstoredb')).startEventStoreDbDouble();
}

async function startPostgres(): Promise<PostgresServer> {
  return (await import('@tillstream/postgres-driver/testing')).PostgresServer.start();
}

/** The settings of a new database, with the keys of its machines. */
export async function newDatabaseSettings(): Promise<Record<string, string>> {
  postgres ??= startPostgres();
  const { url } = await (await postgres).newDatabase();
  return {
    ...{ SHARED_STORE: 'postgres', DATABASE_URL: url, DATABASE_TLS: 'off' },
    // The machine that runs the tests may be busy.
    ...{ DATABASE_CONNECT_MS: '10000', DATABASE_STATEMENT_MS: '10000' },
    ...{ IDEMPOTENCY_ANSWER_KEY: newKey(), VAULT_MASTER_KEY: newKey() },
  };
}

/** Runs `work` while the server of all databases of this file is away, as after a power cut. */
export async function whileDatabaseIsAway(work: () => Promise<void>): Promise<void> {
  const server = await postgres;
  await server?.kill();
  try {
    await work();
  } finally {
    await server?.restart();
  }
}

async function databaseSettings(dataDir: string): Promise<Record<string, string>> {
  const settings = databases.get(dataDir) ?? (await newDatabaseSettings());
  databases.set(dataDir, settings);
  return settings;
}

const newKey = (): string => randomBytes(32).toString('base64');

/** What the store of idempotency records holds of responses, as text. */
export async function storedResponses(dataDir: string): Promise<string> {
  const url = databases.get(dataDir)?.['DATABASE_URL'];
  if (url === undefined || !postgres) return readFileSync(join(dataDir, 'events.db-wal')).toString('latin1');
  const responses = `select encode(answer, 'escape') as text from idempotency_keys where answer is not null`;
  const rows = await (await postgres).admin<{ text: string }>(responses, new URL(url).pathname.slice(1));
  return rows.map(({ text }) => text).join('\n');
}

export async function removeStore(dataDir: string): Promise<void> {
  await servers.get(dataDir)?.close();
  servers.delete(dataDir);
  databases.delete(dataDir);
}

/** The next reads of its whole history are refused, as by a server that is overloaded; a file is never. */
export function refuseReadsOfAll(dataDir: string, times: number): void {
  servers.get(dataDir)?.inject({ kind: 'NotReady' }, { call: ['read', 'subscribe'], stream: '$all', times });
}

/** By the server of this data directory; 0 where the events lie in a file. */
export function appendsSeen(dataDir: string): number {
  return servers.get(dataDir)?.calls.filter(({ call }) => call === 'batchAppend').length ?? 0;
}
