import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { EventStoreError } from '@tillstream/event-store';

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
/** Of settings that are numbers; by the name as the driver compares it. */
const LEAST: Readonly<Record<string, number>> = {
  defaultdeadline: 1,
  discoveryinterval: 1,
  gossiptimeout: 1,
  keepaliveinterval: 10_000,
  keepalivetimeout: 1,
  maxdiscoverattempts: 1,
};
const FORM = 'esdb://[user:password@]host:port[,host:port][?setting=value&…]';

/** The parts of a connection string. Throws `Invalid` with one sentence that holds neither user nor password. */
export function addressOf(url: string): Address {
  const [, scheme, rest] = /^(esdb|esdb\+discover):\/\/(.*)$/s.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw unusable(`it begins with esdb:// or esdb+discover://, as in ${FORM}`);
  }
  const question = rest.indexOf('?');
  const before = question < 0 ? rest : rest.slice(0, question);
  const at = before.lastIndexOf('@');
  if (at >= 0) checkUser(before.slice(0, at));
  checkHosts(before.slice(at + 1).replace(/\/+$/, ''));
  if (question >= 0) checkSettings(rest.slice(question + 1).replace(/\/+$/, ''));
  return parse(url);
}

/** The driver would cut a password off at a colon without a word, and take the last @ of a setting for the end of one. */
function checkUser(userAndPassword: string): void {
  const parts = userAndPassword.split(':');
  if (userAndPassword.includes('@') || parts.length !== 2 || parts.includes('')) {
    throw unusable(
      'before the @ stand user:password; in them : is written %3A, @ is %40, / is %2F and ? is %3F',
    );
  }
  if (!isEncoded(userAndPassword)) throw unusable('a % in user or password is written %25');
}

function checkHosts(hosts: string): void {
  for (const host of hosts.split(',')) {
    const [, name, port] = /^([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(host) ?? [];
    if (name === undefined) throw unusable(`after user and password it names hosts, as in ${FORM}`);
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
      throw unusable(`the port of ${name} must be from 1 to 65535`);
    }
  }
}

function checkSettings(settings: string): void {
  for (const setting of settings.split('&')) {
    const equals = setting.indexOf('=');
    const name = setting.slice(0, equals);
    if (equals < 1 || equals === setting.length - 1)
      throw unusable('settings after ? have the form name=value');
    if (flat(name) === 'tlsverifycert') {
      throw unusable(
        'tlsVerifyCert has no effect: name the certificate that signed the server’s with tlsCAFile',
      );
    }
    if (!SETTINGS.some((known) => flat(known) === flat(name))) {
      throw unusable(`there is no setting '${nameForMessage(name)}'; there are ${SETTINGS.join(', ')}`);
    }
    checkNumber(name, setting.slice(equals + 1));
    if (setting.includes('@')) throw unusable(`in the setting ${name} an @ is written %40`);
    if (!isEncoded(setting)) throw unusable(`in the setting ${name} a % is written %25`);
  }
}

/**
 * The driver takes `10s` for 10, prints a warning about each connection whose pings come too often, and means to send
 * none for -1, but then sends one each ms.
 */
function checkNumber(name: string, value: string): void {
  const least = LEAST[flat(name)];
  if (least === undefined || (/^[0-9]{1,9}$/.test(value) && Number(value) >= least)) return;
  throw unusable(`the setting ${name} is a whole number from ${least}`);
}

function parse(url: string): Address {
  try {
    return parseConnectionString(url);
  } catch (error) {
    // Its message quotes the address; only what it expected is free of secrets.
    const { expected } = error as { readonly expected?: unknown };
    throw unusable(typeof expected === 'string' ? `${expected} was expected` : `it has the form ${FORM}`);
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

/** `Invalid`, in one sentence; `what` must hold no secret. */
export function unusable(what: string): EventStoreError {
  return new EventStoreError('Invalid', `The address of EventStoreDB can't be used: ${what}.`);
}
