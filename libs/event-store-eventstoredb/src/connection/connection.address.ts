import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { EventStoreError } from '@tillstream/event-store';

export type Address = ReturnType<typeof parseConnectionString>;

/** What the driver reads from the part after `?`; it warns about any other with the whole address, password included. */
const SETTING_NAMES = [
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
const NUMBER_MIN: Readonly<Record<string, number>> = {
  defaultdeadline: 1,
  discoveryinterval: 1,
  gossiptimeout: 1,
  keepaliveinterval: 10_000,
  keepalivetimeout: 1,
  maxdiscoverattempts: 1,
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

/** The driver would cut a password off at a colon without a word, and take the last @ of a setting for the end of one. */
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
    if (!SETTING_NAMES.some((known) => normalizedName(known) === normalizedName(name))) {
      throw unusableAddress(
        `there is no setting '${nameForMessage(name)}'; there are ${SETTING_NAMES.join(', ')}`,
      );
    }
    checkNumber(name, setting.slice(equals + 1));
    if (setting.includes('@')) throw unusableAddress(`in the setting ${name} an @ is written %40`);
    if (!isEncoded(setting)) throw unusableAddress(`in the setting ${name} a % is written %25`);
  }
}

/**
 * The driver takes `10s` for 10, prints a warning about each connection whose pings come too often, and means to send
 * none for -1, but then sends one each ms.
 */
function checkNumber(name: string, value: string): void {
  const least = NUMBER_MIN[normalizedName(name)];
  if (least === undefined || (/^[0-9]{1,9}$/.test(value) && Number(value) >= least)) return;
  throw unusableAddress(`the setting ${name} is a whole number from ${least}`);
}

function parseWithDriver(url: string): Address {
  try {
    return parseConnectionString(url);
  } catch (error) {
    // Its message quotes the address; only what it expected is free of secrets.
    const { expected } = error as { readonly expected?: unknown };
    throw unusableAddress(
      typeof expected === 'string' ? `${expected} was expected` : `it has the form ${ADDRESS_FORM}`,
    );
  }
}

/** The hosts, for messages. */
export function hostList({ hosts }: Address): string {
  return hosts.map(({ address, port }) => `${address}:${port}`).join(', ');
}

/** As the driver compares names. */
function normalizedName(name: string): string {
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
export function unusableAddress(what: string): EventStoreError {
  return new EventStoreError('Invalid', `The address of EventStoreDB can't be used: ${what}.`);
}
