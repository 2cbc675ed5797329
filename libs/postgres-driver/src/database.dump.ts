import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { displayDatabase, isSocketAddress } from './postgres.address.js';
import { clientConfig, type PostgresSettings } from './postgres.settings.js';

/* Copies of a whole database, by the server's own programs: they know every kind of object that is in it. */

/** A program of PostgreSQL is missing, or it failed. The message is for an operator and has no password. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}

export interface DumpOptions {
  /** The folder with `pg_dump` and `pg_restore`. Left out: the PATH, then the folders of Debian's packages. */
  readonly programs?: string | undefined;
  readonly signal?: AbortSignal;
}

const DEBIAN = '/usr/lib/postgresql';
/** Of what a program prints. */
const ERROR_CHARACTERS_MAX = 2_000;

/**
 * Writes the database, as it is at one moment, to a file. Its writers do not wait.
 * @param file does not exist; the caller's umask decides who may read it
 */
export async function dumpDatabase(
  settings: PostgresSettings,
  file: string,
  options: DumpOptions = {},
): Promise<void> {
  await runProgram(
    'pg_dump',
    ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`],
    settings,
    options,
  );
}

/** Makes everything that a dump has, in one transaction. The database has to be empty. */
export async function restoreDatabase(
  settings: PostgresSettings,
  file: string,
  options: DumpOptions = {},
): Promise<void> {
  const flags = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
  await runProgram('pg_restore', [...flags, file], settings, options);
}

/** Whether the database has no table. Rejects with the driver's error if it can't be reached. */
export async function isEmptyDatabase(settings: PostgresSettings): Promise<boolean> {
  const client = new pg.Client(clientConfig(settings));
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
         and n.nspname not like 'pg\\_toast%' limit 1`,
    );
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

async function runProgram(
  name: string,
  args: readonly string[],
  settings: PostgresSettings,
  { programs, signal }: DumpOptions,
): Promise<void> {
  const program = findProgram(name, programs);
  const child = spawn(program, ['--no-password', `--dbname=${libpqAddress(settings)}`, ...args], {
    env: { ...process.env, ...libpqEnvironment(settings) },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let printed = '';
  child.stderr.on(
    'data',
    (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-ERROR_CHARACTERS_MAX)),
  );
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return;
  } catch (error) {
    signal?.throwIfAborted();
    throw new DumpError(`${program} can not be started: ${(error as Error).message}`);
  }
  throw new DumpError(
    `${name} of ${displayDatabase(settings.url)} failed: ${withoutPassword(printed.trim(), settings)}`,
  );
}

/** @throws DumpError */
function findProgram(name: string, folder: string | undefined): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders =
    folder === undefined
      ? [
          ...(process.env['PATH'] ?? '').split(delimiter),
          ...versions.map((version) => join(DEBIAN, version, 'bin')),
        ]
      : [folder];
  const found = folders.map((one) => join(one, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new DumpError(
    `There is no ${name} in ${folder ?? 'the PATH'}: install the programs of PostgreSQL, of the server's version or later.`,
  );
}

/** Without the password, which other users of the machine would see in the list of processes. */
function libpqAddress({ url }: PostgresSettings): string {
  if (isSocketAddress(url)) return url.replace(/^([a-z]+:\/\/[^/?#@:]*):[^/?#@]*@/i, '$1@');
  const address = new URL(url);
  address.password = '';
  return address.href;
}

function libpqEnvironment({ url, tls, caFile }: PostgresSettings): Record<string, string> {
  const password = /^[a-z]+:\/\/[^/?#@:]*:([^/?#]*)@/i.exec(url)?.[1];
  const isPlain = tls === 'Off' || isSocketAddress(url);
  return {
    PGSSLMODE: isPlain ? 'disable' : 'verify-full',
    // libpq before 16 knows no "system": it needs a file.
    ...(!isPlain && { PGSSLROOTCERT: caFile ?? 'system' }),
    ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }),
    PGAPPNAME: 'tillstream-backup',
  };
}

function withoutPassword(text: string, settings: PostgresSettings): string {
  const { PGPASSWORD: password = '' } = libpqEnvironment(settings);
  return password.length > 2 ? text.replaceAll(password, '…') : text;
}
