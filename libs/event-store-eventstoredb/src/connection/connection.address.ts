import type { Credentials, EndPoint, NodePreference } from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';

/** The parts of a connection string, named as the driver names them. */
export interface Address extends AddressSettings {
  readonly dnsDiscover: boolean;
  readonly hosts: EndPoint[];
  readonly defaultCredentials?: Credentials;
}

interface AddressSettings {
  readonly connectionName?: string;
  readonly defaultDeadline?: number;
  readonly discoveryInterval?: number;
  readonly gossipTimeout?: number;
  readonly keepAliveInterval?: number;
  readonly keepAliveTimeout?: number;
  readonly maxDiscoverAttempts?: number;
  readonly nodePreference?: NodePreference;
  readonly throwOnAppendFailure?: boolean;
  readonly tls?: boolean;
  readonly tlsCAFile?: string;
  readonly userCertFile?: string;
  readonly userKeyFile?: string;
}

type SettingKind = 'Text' | 'Flag' | { readonly min: number } | { readonly oneOf: readonly string[] };

/** The settings that the driver reads. Its warning about any other holds the password. */
const SETTINGS: Readonly<Record<keyof AddressSettings, SettingKind>> = {
  connectionName: 'Text',
  defaultDeadline: { min: 1 },
  discoveryInterval: { min: 1 },
  gossipTimeout: { min: 1 },
  keepAliveInterval: { min: 10_000 },
  keepAliveTimeout: { min: 1 },
  maxDiscoverAttempts: { min: 1 },
  nodePreference: { oneOf: ['leader', 'follower', 'read_only_replica', 'random'] },
  throwOnAppendFailure: 'Flag',
  tls: 'Flag',
  tlsCAFile: 'Text',
  userCertFile: 'Text',
  userKeyFile: 'Text',
};
const ADDRESS_FORM = 'esdb://[user:password@]host:port[,host:port][?setting=value&…]';
const DEFAULT_PORT = 2113;

/**
 * The parts of a connection string. Throws `Invalid` with one sentence that holds neither user nor password.
 *
 * The driver has a parser too. Every program reads its settings with this one, and the driver's would load all of the driver.
 */
export function parseAddress(url: string): Address {
  const [, scheme, rest] = /^(esdb|esdb\+discover):\/\/(.*)$/s.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw unusableAddress(`it begins with esdb:// or esdb+discover://, as in ${ADDRESS_FORM}`);
  }
  const question = rest.indexOf('?');
  const before = question < 0 ? rest : rest.slice(0, question);
  const at = before.lastIndexOf('@');
  const user = at < 0 ? {} : { defaultCredentials: credentialsOf(before.slice(0, at)) };
  const hosts = hostsOf(before.slice(at + 1).replace(/\/+$/, ''));
  const settings = question < 0 ? {} : settingsOf(rest.slice(question + 1).replace(/\/+$/, ''));
  return { dnsDiscover: scheme === 'esdb+discover', hosts, ...user, ...settings };
}

/** The driver silently cuts a password off at a colon, and reads the last @ of a setting as the end of a password. */
function credentialsOf(userAndPassword: string): Credentials {
  const [username = '', password = '', ...more] = userAndPassword.split(':');
  if (userAndPassword.includes('@') || username === '' || password === '' || more.length > 0) {
    throw unusableAddress(
      'before the @ stand user:password; in them : is written %3A, @ is %40, / is %2F and ? is %3F',
    );
  }
  if (!isEncoded(userAndPassword)) throw unusableAddress('a % in user or password is written %25');
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function hostsOf(hosts: string): EndPoint[] {
  return hosts.split(',').map((host) => {
    const [, address, portText] = /^([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(host) ?? [];
    if (address === undefined)
      throw unusableAddress(`after user and password it names hosts, as in ${ADDRESS_FORM}`);
    const port = Number(portText ?? DEFAULT_PORT);
    if (port < 1 || port > 65_535) throw unusableAddress(`the port of ${address} must be from 1 to 65535`);
    return { address, port };
  });
}

function settingsOf(settings: string): AddressSettings {
  return Object.fromEntries(settings.split('&').map(settingOf)) as AddressSettings;
}

function settingOf(setting: string): readonly [name: string, value: string | number | boolean] {
  const equals = setting.indexOf('=');
  const given = setting.slice(0, equals);
  if (equals < 1 || equals === setting.length - 1)
    throw unusableAddress('settings after ? have the form name=value');
  if (normalized(given) === 'tlsverifycert') {
    throw unusableAddress(
      'tlsVerifyCert has no effect: name the certificate that signed the server’s with tlsCAFile',
    );
  }
  const known = Object.entries(SETTINGS).find(([name]) => normalized(name) === normalized(given));
  if (known === undefined) {
    const names = Object.keys(SETTINGS).join(', ');
    throw unusableAddress(`there is no setting '${nameForMessage(given)}'; there are ${names}`);
  }
  const [name, kind] = known;
  if (setting.includes('@')) throw unusableAddress(`in the setting ${name} an @ is written %40`);
  if (setting.includes('?')) throw unusableAddress(`in the setting ${name} a ? is written %3F`);
  if (!isEncoded(setting)) throw unusableAddress(`in the setting ${name} a % is written %25`);
  return [name, valueOf(name, kind, setting.slice(equals + 1))];
}

/**
 * The driver reads `10s` as 10, and prints a warning about each connection with a ping interval below 10 s. For -1 it
 * should send no pings, but sends one each ms.
 */
function valueOf(name: string, kind: SettingKind, value: string): string | number | boolean {
  if (kind === 'Text') return decodeURIComponent(value.trim());
  if (kind === 'Flag') {
    if (/^\s*(true|false)\s*$/.test(value)) return value.trim() === 'true';
    throw unusableAddress(`in the setting ${name} true or false was expected`);
  }
  if ('oneOf' in kind) {
    const found = kind.oneOf.find((one) => normalized(one) === normalized(value));
    if (found !== undefined) return found;
    throw unusableAddress(`in the setting ${name} ${kind.oneOf.join(' or ')} was expected`);
  }
  if (/^[0-9]{1,9}$/.test(value) && Number(value) >= kind.min) return Number(value);
  throw unusableAddress(`the setting ${name} is a whole number from ${kind.min}`);
}

/** The form in which the driver compares names. */
function normalized(name: string): string {
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
