import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresSettings } from '../postgres.settings.js';

const DEBIAN = '/usr/lib/postgresql';
const READY_WITHIN_MS = 120_000;
const STARTS_MAX = 5;
const USER = 'tester';
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
  readonly #password = randomUUID();
  #server: ChildProcess | undefined;
  #databases = 0;
  #port = 0;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly account: Account | undefined,
    private readonly settings: readonly string[],
  ) {}

  /** @throws Error where the machine has no PostgreSQL: these tests must not be skipped silently */
  static async start({ tls, settings = [] }: PostgresServerOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-pg-'));
    const server = new PostgresServer(postgresPrograms(), folder, accountOfServer(), settings);
    server.#initialize();
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
    return `postgres://${USER}:${this.#password}@127.0.0.1:${port}/${database}`;
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

  #initialize(): void {
    const { account, folder } = this;
    if (account) chownSync(folder, account.uid, account.gid);
    const passwordFile = join(folder, 'password');
    this.#write(passwordFile, this.#password);
    const options = [
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ];
    this.#execute('initdb', ['-D', join(folder, 'data'), ...options, '--no-sync']);
  }

  #useTls({ certificate, key }: { readonly certificate: string; readonly key: string }): void {
    const data = join(this.folder, 'data');
    this.#write(join(data, 'server.crt'), certificate);
    this.#write(join(data, 'server.key'), key);
    writeFileSync(join(data, 'postgresql.auto.conf'), 'ssl = on\n');
  }

  #write(file: string, content: string): void {
    writeFileSync(file, content, { mode: 0o600 });
    if (this.account) chownSync(file, this.account.uid, this.account.gid);
  }

  #execute(program: string, parameters: readonly string[]): void {
    const { account, folder, programs } = this;
    execFileSync(join(programs, program), parameters, { ...account, cwd: folder, stdio: 'pipe' });
  }

  async #isStarted(port: number): Promise<boolean> {
    const data = join(this.folder, 'data');
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const sizes = ['shared_buffers=16MB', 'max_connections=60', 'fsync=on', 'deadlock_timeout=100ms'];
    const server = spawn(
      join(this.programs, 'postgres'),
      ['-D', data, ...[...settings, ...sizes, ...this.settings].flatMap((setting) => ['-c', setting])],
      { ...this.account, cwd: this.folder, stdio: 'ignore' },
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

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The folder with `initdb` and `postgres`, of the highest version that Debian has. */
function postgresPrograms(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const isComplete = (folder: string) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
  const found = folders.find(isComplete);
  if (found !== undefined) return found;
  throw new Error(
    'These tests need PostgreSQL 15 or later: install it, on Debian by apt-get install postgresql.',
  );
}

/** The last line of this file is the state of the server. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith('ready');
}

/** PostgreSQL does not run as root: root runs it as the owner that the package made, or as nobody. */
function accountOfServer(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (of: string) => Number(execFileSync('id', [of, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
