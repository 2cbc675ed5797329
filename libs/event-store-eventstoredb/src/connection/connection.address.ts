import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { EventStoreError } from '@tillstream/event-store';

export type Address = ReturnType<typeof parseConnectionString>;

/** The settings that the driver reads, with the least value of numbers. Its warning about any other holds the password. */
const SETTINGS: Readonly<Record<string, { readonly min?: number }>> = {
  connectionName: {},
  defaultDeadline: { min: 1 },
  discoveryInterval: { min: 1 },
  gossipTimeout: { min: 1 },
  keepAliveInterval: { min: 10_000 },
  keepAliveTimeout: { min: 1 },
  maxDiscoverAttempts: { min: 1 },
  nodePreference: {},
  throwOnAppendFailure: {},
  tls: {},
  tlsCAFile: {},
  userCertFile: {},
  userKeyFile: {},
};
const ADDRESS_FORM = 'esdb://[user:password@]host:port[,host:port][?setting=value&…]';

/** The parts of a connection string. Throws `Invalid` with one sentence that holds neither user nor password. */
export function parseAddress(url: string): Address {
  const [, scheme, rest] = /^(esdb|esdb\+discover):\/\/(.*)$/s.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw unusableAddress(`it begins with esdb:// or esdb+discover://, as in ${ADDRESS_FORM}`);
  }
  const question = rest.indexOf('?');
  const before = question < 0 ? rest : rest.slice(0, question);
  const at = before.lastIndexOf('@');
  if (at >= 0) checkUser(before.slice(0, at));
  checkHosts(before.slice(at + 1).replace(/\/+$/, ''));
  if (question >= 0) checkSettings(rest.slice(question + 1).replace(/\/+$/, ''));
  return parseWithDriver(url);
}

/** The driver silently cuts a password off at a colon, and reads the last @ of a setting as the end of a password. */
function checkUser(userAndPassword: string): void {
  const parts = userAndPassword.split(':');
  if (userAndPassword.includes('@') || parts.length !== 2 || parts.includes('')) {
    throw unusableAddress(
      'before the @ stand user:password; in them : is written %3A, @ is %40, / is %2F and ? is %3F',
    );
  }
  if (!isEncoded(userAndPassword)) throw unusableAddress('a % in user or password is written %25');
}

function checkHosts(hosts: string): void {
  for (const host of hosts.split(',')) {
    const [, name, port] = /^([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(host) ?? [];
    if (name === undefined)
      throw unusableAddress(`after user and password it names hosts, as in ${ADDRESS_FORM}`);
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
      throw unusableAddress(`the port of ${name} must be from 1 to 65535`);
    }
  }
}

function checkSettings(settings: string): void {
  for (const setting of settings.split('&')) {
    const equals = setting.indexOf('=');
    const name = setting.slice(0, equals);
    if (equals < 1 || equals === setting.length - 1)
      throw unusableAddress('settings after ? have the form name=value');
    if (normalizedName(name) === 'tlsverifycert') {
      throw unusableAddress(
        'tlsVerifyCert has no effect: name the certificate that signed the server’s with tlsCAFile',
      );
    }
    const known = Object.entries(SETTINGS).find(([other]) => normalizedName(other) === normalizedName(name));
    if (known === undefined) {
      const names = Object.keys(SETTINGS).join(', ');
      throw unusableAddress(`there is no setting '${nameForMessage(name)}'; there are ${names}`);
    }
    checkNumber(name, setting.slice(equals + 1), known[1].min);
    if (setting.includes('@')) throw unusableAddress(`in the setting ${name} an @ is written %40`);
    if (!isEncoded(setting)) throw unusableAddress(`in the setting ${name} a % is written %25`);
  }
}

/**
 * The driver reads `10s` as 10, and prints a warning about each connection with a ping interval below 10 s. For -1 it
 * should send no pings, but sends one each ms.
 */
function checkNumber(name: string, value: string, min: number | undefined): void {
  if (min === undefined || (/^[0-9]{1,9}$/.test(value) && Number(value) >= min)) return;
  throw unusableAddress(`the setting ${name} is a whole number from ${min}`);
}

function parseWithDriver(url: string): Address {
  try {
    return parseConnectionString(url);
  } catch (error) {
    // The error's message quotes the address; only `expected` is free of secrets.
    const { expected } = error as { readonly expected?: unknown };
    throw unusableAddress(
      typeof expected === 'string' ? `${expected} was expected` : `it has the form ${ADDRESS_FORM}`,
    );
  }
}

/** The form in which the driver compares names. */
function normalizedName(name: string): string {
  return name.trim().toLowerCase().replace(/[_-]/g, '');
}

/** The text in the place of a name may be part of a password whose @ or ? was not encoded. */
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

/** `Invalid`, in one sentence; `what` must hold no secret. */
export function unusableAddress(what: string): EventStoreError {
  return new EventStoreError('Invalid', `The address of EventStoreDB can't be used: ${what}.`);
}
