import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { EventStoreError } from '@tillstream/event-store';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Address = ReturnType<typeof parseConnectionString>;

/** What the driver reads from the part after `?`; it warns about any other with the whole address, password included. */
const SETTINGS = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
];
const FORM = 'esdb://[user:password@]host:port[,host:port][?setting=value&…]';

/**
 * What is wrong with the address of an EventStoreDB, in one sentence without user and password; undefined: nothing.
 * Looks at the files that it names, not at the server.
 */
export function checkEventStoreDbUrl(url: string): string | undefined {
  try {
    addressOf(url);
    return undefined;
  } catch (error) {
    if (error instanceof EventStoreError) return error.message;
    throw error;
  }
}

/** The parts of a connection string. Throws `Invalid` with one sentence that holds neither user nor password. */
export function addressOf(url: string): Address {
  const [, scheme, rest] = /^(esdb|esdb\+discover):\/\/(.*)$/s.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw wrong(`it begins with esdb:// or esdb+discover://, as in ${FORM}`);
  }
  const question = rest.indexOf('?');
  const before = question < 0 ? rest : rest.slice(0, question);
  const at = before.lastIndexOf('@');
  if (at >= 0) checkUser(before.slice(0, at));
  checkHosts(before.slice(at + 1).replace(/\/+$/, ''));
  if (question >= 0) checkSettings(rest.slice(question + 1).replace(/\/+$/, ''));
  const address = parse(url);
  checkFiles(address);
  return address;
}

/** The driver would cut a password off at a colon without a word, and take the last @ of a setting for the end of one. */
function checkUser(userAndPassword: string): void {
  const parts = userAndPassword.split(':');
  if (userAndPassword.includes('@') || parts.length !== 2 || parts.includes('')) {
    throw wrong('before the @ stand user:password; in them : is written %3A, @ is %40, / is %2F and ? is %3F');
  }
  if (!isEncoded(userAndPassword)) throw wrong('a % in user or password is written %25');
}

function checkHosts(hosts: string): void {
  for (const host of hosts.split(',')) {
    const [, name, port] = /^([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(host) ?? [];
    if (name === undefined) throw wrong(`after user and password it names hosts, as in ${FORM}`);
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
      throw wrong(`the port of ${name} must be from 1 to 65535`);
    }
  }
}

function checkSettings(settings: string): void {
  for (const setting of settings.split('&')) {
    const equals = setting.indexOf('=');
    const name = setting.slice(0, equals);
    if (equals < 1 || equals === setting.length - 1) throw wrong('settings after ? have the form name=value');
    if (flat(name) === 'tlsverifycert') {
      throw wrong('tlsVerifyCert has no effect: name the certificate that signed the server’s with tlsCAFile');
    }
    if (!SETTINGS.some((known) => flat(known) === flat(name))) {
      throw wrong(`there is no setting '${nameForMessage(name)}'; there are ${SETTINGS.join(', ')}`);
    }
    if (setting.includes('@')) throw wrong(`in the setting ${name} an @ is written %40`);
    if (!isEncoded(setting)) throw wrong(`in the setting ${name} a % is written %25`);
  }
}

function parse(url: string): Address {
  try {
    return parseConnectionString(url);
  } catch (error) {
    // Its message quotes the address; only what it expected is free of secrets.
    const { expected } = error as { readonly expected?: unknown };
    throw wrong(typeof expected === 'string' ? `${expected} was expected` : `it has the form ${FORM}`);
  }
}

function checkFiles({ tls, tlsCAFile, userCertFile, userKeyFile }: Address): void {
  if (tls === false) return;
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw wrong('userCertFile and userKeyFile go together');
  }
  for (const [name, file] of Object.entries({ tlsCAFile, userCertFile, userKeyFile })) {
    if (file !== undefined && !existsSync(resolve(file))) throw wrong(`${name} names no file: ${file}`);
  }
}

/** The bytes of a file named in the address. Throws `Invalid` when it can't be read. */
export function fileOf(name: string, file: string): Buffer {
  try {
    return readFileSync(resolve(file));
  } catch {
    throw wrong(`${name} can't be read: ${file}`);
  }
}

/** The hosts, for messages. */
export function hostsOf({ hosts }: Address): string {
  return hosts.map(({ address, port }) => `${address}:${port}`).join(', ');
}

/** As the driver compares names. */
function flat(name: string): string {
  return name.trim().toLowerCase().replace(/[_-]/g, '');
}

/** What stands where a name is due may be part of a password whose @ or ? was not encoded. */
function nameForMessage(name: string): string {
  return /^[A-Za-z_-]{1,30}$/.test(name) ? name : '…';
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function wrong(what: string): EventStoreError {
  return new EventStoreError('Invalid', `The address of EventStoreDB can't be used: ${what}.`);
}
