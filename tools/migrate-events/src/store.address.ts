import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { resolveEventsFile, displayAddress } from '@tillstream/platform';

const SQLITE = 'sqlite:';
const ESDB = /^esdb(?:\+discover)?:\/\//;
const ESDB_PORT = 2113;

/** Whether it begins as an address of a store does; what follows is looked at by whoever opens it. */
export function isAddress(text: string): boolean {
  return (text.startsWith(SQLITE) && text.length > SQLITE.length) || ESDB.test(text);
}

/** Whether both lead to one file, or to servers of which one is the same. */
export function isSameStore(a: string, b: string): boolean {
  if (a.startsWith(SQLITE) && b.startsWith(SQLITE)) return realFile(a) === realFile(b);
  if (!ESDB.test(a) || !ESDB.test(b)) return false;
  const hosts = new Set(hostsIn(a).map(withPort));
  return hostsIn(b).some((host) => hosts.has(withPort(host)));
}

/**
 * Takes user and password out of a text, whoever wrote it: a driver's error may hold all it was given.
 * `words` are all that were given, also those that were only meant as an address.
 */
export function withoutCredentials(text: string, words: readonly string[]): string {
  let clean = text;
  for (const secret of words.flatMap(secretsIn)) clean = clean.replaceAll(secret, '…');
  return clean.replace(/:\/\/\S*@/g, '://…@');
}

/** The longest first. A password of one or two letters can't be told from the text around it. */
function secretsIn(word: string): string[] {
  const address = word.replace(/^--[a-z-]+=/, '');
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

/** Without links in its path; of a file that is not there yet, those of its folder. A data folder stands for its events. */
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
