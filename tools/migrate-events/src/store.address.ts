import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { resolveEventsFile, displayAddress } from '@tillstream/platform';

const SQLITE = 'sqlite:';
const ESDB = /^esdb(?:\+discover)?:\/\//;
const ESDB_PORT = 2113;

/** Checks the scheme alone; `open` checks the rest. */
export function isAddress(text: string): boolean {
  return (text.startsWith(SQLITE) && text.length > SQLITE.length) || ESDB.test(text);
}

/** Whether both name the same file, or clusters that share a server. */
export function isSameStore(a: string, b: string): boolean {
  if (a.startsWith(SQLITE) && b.startsWith(SQLITE)) return realFile(a) === realFile(b);
  if (!ESDB.test(a) || !ESDB.test(b)) return false;
  const hosts = new Set(hostsIn(a).map(withPort));
  return hostsIn(b).some((host) => hosts.has(withPort(host)));
}

/**
 * Takes users and passwords out of a text, such as a driver's error that repeats an address.
 *
 * @param args all arguments of the command, also malformed addresses
 */
export function withoutCredentials(text: string, args: readonly string[]): string {
  let clean = text;
  for (const secret of args.flatMap(secretsIn)) clean = clean.replaceAll(secret, '…');
  return clean.replace(/:\/\/\S*@/g, '://…@');
}

/** The longest first. Secrets of one or two characters are left: they would match anywhere in the text. */
function secretsIn(arg: string): string[] {
  const address = arg.replace(/^--[a-z-]+=/, '');
  const at = address.lastIndexOf('@');
  if (address.startsWith(SQLITE) || at < 0) return [];
  const scheme = address.indexOf('://');
  const user = address.slice(scheme < 0 ? 0 : scheme + 3, at);
  const password = user.slice(user.indexOf(':') + 1);
  return [user, password, decoded(password)].filter((secret) => secret.length > 2);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hostsIn(address: string): string[] {
  return displayAddress(address).replace(ESDB, '').toLowerCase().split(',');
}

function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:${ESDB_PORT}`;
}

/** Resolves links in the path. A missing file keeps its name in the resolved folder; a data folder means its events file. */
function realFile(address: string): string {
  const file = resolveEventsFile(resolve(address.slice(SQLITE.length)));
  const folder = dirname(file);
  return real(file) ?? join(real(folder) ?? folder, basename(file));
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
