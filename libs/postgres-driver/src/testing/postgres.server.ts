import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresSettings } from '../postgres.settings.js';
import { createCluster, SUPERUSER } from './cluster.template.js';
import { serverPrograms, type ServerPrograms } from './server.programs.js';

const READY_WITHIN_MS = 120_000;
const STARTS_MAX = 5;
/** A machine that runs other tests may be slow. */
const PATIENT = { connectWithinMs: 30_000, statementWithinMs: 30_000 };

export interface PostgresServerOptions {
  /** Files in PEM; the server then accepts TLS too. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** `name=value`, in place of those of a small server. */
  readonly settings?: readonly string[];
}

/**
 * A PostgreSQL server of its own in a new folder, on a free port of 127.0.0.1, with a password, and with its writes synced.
 * Each test suite starts one and takes a new database for each test.
 */
export class PostgresServer {
  #server: ChildProcess | undefined;
  #databases = 0;
  #port = 0;

  private constructor(
    private readonly programs: ServerPrograms,
    private readonly folder: string,
    private readonly password: string,
    private readonly settings: readonly string[],
  ) {}

  /** @throws Error where the machine has no PostgreSQL: these tests must not be skipped silently */
  static async start({ tls, settings = [] }: PostgresServerOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-pg-'));
    const programs = serverPrograms();
    const { account } = programs;
    if (account) chownSync(folder, account.uid, account.gid);
    const server = new PostgresServer(programs, folder, createCluster(programs, folder), settings);
    if (tls) server.#useTls(tls);
    await server.restart();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** Of the server's first process; the others are its children. 0 while it does not run. */
  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** The address of a database of this server. */
  url(database: string, port = this.#port): string {
    return `postgres://${SUPERUSER}:${this.password}@127.0.0.1:${port}/${database}`;
  }

  /** Creates an empty database. */
  async newDatabase(): Promise<PostgresSettings> {
    const name = `test_${(this.#databases += 1)}`;
    await this.admin(`create database ${name}`);
    return { url: this.url(name), tls: 'Off', ...PATIENT };
  }

  /** Runs a statement as the superuser. */
  async admin<Row>(statement: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Starts the server again, on the same port after the first time. */
  async restart(): Promise<void> {
    for (let starts = 1; ; starts++) {
      const port = this.#port || (await freePort());
      if (await this.#isStarted(port)) {
        this.#port = port;
        return;
      }
      if (starts === STARTS_MAX) throw new Error(`PostgreSQL did not start; see ${this.folder}/log.`);
    }
  }

  /** Ends it as a power cut does: nothing is written any more. */
  async kill(): Promise<void> {
    // Its children end by themselves when they notice; the next start waits for them.
    await this.#end('SIGQUIT');
  }

  /** Stops it and deletes the folder. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #useTls({ certificate, key }: { readonly certificate: string; readonly key: string }): void {
    const data = join(this.folder, 'data');
    this.#write(join(data, 'server.crt'), certificate);
    this.#write(join(data, 'server.key'), key);
    writeFileSync(join(data, 'postgresql.auto.conf'), 'ssl = on\n');
  }

  #write(file: string, content: string): void {
    writeFileSync(file, content, { mode: 0o600 });
    const { account } = this.programs;
    if (account) chownSync(file, account.uid, account.gid);
  }

  async #isStarted(port: number): Promise<boolean> {
    const data = join(this.folder, 'data');
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const sizes = ['shared_buffers=16MB', 'max_connections=60', 'fsync=on', 'deadlock_timeout=100ms'];
    const server = spawn(
      join(this.programs.folder, 'postgres'),
      ['-D', data, ...[...settings, ...sizes, ...this.settings].flatMap((setting) => ['-c', setting])],
      { ...this.programs.account, cwd: this.folder, stdio: 'ignore' },
    );
    this.#server = server;
    for (const until = Date.now() + READY_WITHIN_MS; !isReady(data);) {
      if (server.exitCode !== null) return false;
      if (Date.now() > until) throw new Error(`PostgreSQL was not ready in ${READY_WITHIN_MS} ms.`);
      await setTimeout(20);
    }
    return true;
  }

  async #end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }
}

/** The last line of this file is the state of the server. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith('ready');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
