import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const DEBIAN = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;

/** The folder with `initdb` and `postgres`; undefined if this machine has none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** A cluster of its own in a new folder, reached by a socket in that folder only. */
export class PostgresCluster {
  private constructor(
    /** `host` of a client: the folder of the socket. */
    readonly host: string,
    private readonly server: ChildProcess,
  ) {}

  static async start(programs: string): Promise<PostgresCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-pg-'));
    const account = accountOfServer();
    if (account) chownSync(folder, account.uid, account.gid);
    const data = join(folder, 'data');
    const options = ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    execFileSync(join(programs, 'initdb'), options, { ...account, cwd: folder, stdio: 'pipe' });
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'shared_buffers=16MB'],
      { ...account, cwd: folder, stdio: 'ignore' },
    );
    const cluster = new PostgresCluster(folder, server);
    for (const until = Date.now() + READY_WITHIN_MS; !isReady(data);) {
      if (server.exitCode !== null || Date.now() > until) throw new Error('PostgreSQL did not start.');
      await setTimeout(20);
    }
    return cluster;
  }

  async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    if (this.server.exitCode === null && this.server.kill('SIGINT')) await ended;
    rmSync(this.host, { recursive: true, force: true });
  }
}

/** The last line of this file is the state of the server. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith('ready');
}

/** PostgreSQL does not run as root: root runs it as the owner that the package made, or as nobody. */
function accountOfServer(): { uid: number; gid: number } | undefined {
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
