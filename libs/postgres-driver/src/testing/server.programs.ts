import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The programs of the PostgreSQL server on this machine, and the account that they run as. */
export interface ServerPrograms {
  /** Has `initdb` and `postgres`. */
  readonly folder: string;
  /** Undefined: that of this process. */
  readonly account: Account | undefined;
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Of the highest version that Debian has, else those in PATH.
 *
 * @throws Error where the machine has no PostgreSQL: these tests must not be skipped silently
 */
export function serverPrograms(): ServerPrograms {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const isComplete = (folder: string) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
  const folder = folders.find(isComplete);
  if (folder !== undefined) return { folder, account: accountOfServer() };
  throw new Error(
    'These tests need PostgreSQL 15 or later: install it, on Debian by apt-get install postgresql.',
  );
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
