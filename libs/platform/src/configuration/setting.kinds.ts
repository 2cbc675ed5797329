import { isIP } from 'node:net';
import { checkEventStoreDbUrl } from '@tillstream/event-store-eventstoredb/address';
import { checkDatabaseUrl } from '@tillstream/postgres-driver/configuration';
import { CRASH_POINTS, type CrashPoint } from '@tillstream/payments';

/** A wrong setting. The message is one sentence for an operator: the setting, its value, and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface Setting<Value> {
  /** The environment variable. */
  readonly name: string;
  /** The default as text; undefined: there is none. */
  readonly byDefault: string | undefined;
  /** The allowed values in words: `0 to 65535`. */
  readonly allowed: string;
  readonly doc: string;
  /** The value must not be shown. */
  readonly secret?: true;
  /** Undefined if the text is not allowed. */
  parse(given: string): Value | undefined;
  /** Why the text is not allowed, without its secrets. */
  problem?(given: string): string | undefined;
}

/** Settings by the names of their fields, some of them in groups. */
export interface SettingsTable {
  readonly [field: string]: Setting<unknown> | SettingsTable;
}

/* Each kind makes a setting in two steps: `text('HOST', '127.0.0.1').describe('Address that …')`. */

export const kind = <Of extends Omit<Setting<unknown>, 'doc'>>(
  undescribed: Of,
): { describe(doc: string): Of & Pick<Setting<unknown>, 'doc'> } => ({
  describe: (doc) => ({ ...undescribed, doc }),
});

export const text = (name: string, byDefault: string) =>
  kind({ name, byDefault, allowed: 'any text', parse: (given) => given });

export const optionalText = (name: string, allowed: string) =>
  kind({ name, byDefault: undefined, allowed, parse: (given) => given });

export const choice = <const Value extends string>(
  name: string,
  values: readonly Value[],
  byDefault: Value,
) =>
  kind({
    name,
    byDefault: String(byDefault),
    allowed: values.join(', '),
    parse: (given) => values.find((value) => value === given),
  });

export const boundedInteger = (name: string, min: number, max: number, byDefault: number) =>
  kind({
    name,
    byDefault: String(byDefault),
    allowed: `a whole number from ${min} to ${max}`,
    parse: (given) => integer(given, min, max),
  });

/** One year. */
const DURATION_MS_MAX = 31_536_000_000;

export const milliseconds = (name: string, byDefault: number) =>
  boundedInteger(name, 1, DURATION_MS_MAX, byDefault);

export const millisecondsList = (name: string, byDefault: readonly number[]) =>
  kind({
    name,
    byDefault: byDefault.join(','),
    allowed: `whole numbers from 1 to ${DURATION_MS_MAX} with commas between them`,
    parse: (given) => parseList(given, (item) => integer(item, 1, DURATION_MS_MAX)),
  });

const KEY_BYTES = 32;
const RANDOM_KEY = `${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`;

/** Decodes a key that `openssl rand -base64 32` made; undefined for any other text. */
export function keyFromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  const exact = bytes.length === KEY_BYTES && bytes.toString('base64') === text;
  return exact ? new Uint8Array(bytes) : undefined;
}

export const answerKey = (name: string) =>
  kind({ name, byDefault: undefined, allowed: RANDOM_KEY, secret: true, parse: keyFromBase64 });

/** One or several keys, the current one first. */
export const masterKeys = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: `${RANDOM_KEY}, or several such keys with commas between them, the current one first`,
    secret: true,
    parse: (given) => parseList(given, keyFromBase64),
  });

/** The address of another program's HTTP server. It may have a path. Secret, because it may contain a password by mistake. */
export const optionalHttpAddress = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: 'http://<host>:<port> or https://<host>:<port>',
    secret: true,
    parse: (given) => (URL.canParse(given) && /^https?:\/\/[^/]/.test(given) ? given : undefined),
  });

const originOf = (given: string): string | undefined => {
  const url = httpUrl(given);
  return url?.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
};

/** The origin of an HTTP server, without a path, a user or a password. */
export const optionalOrigin = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: 'http://<host>:<port> or https://<host>:<port>, without a path',
    parse: originOf,
  });

/** The address of an HTTP server, without a path. Secret, because it may contain a password by mistake. */
export const httpAddress = (name: string, byDefault: string) =>
  kind({
    name,
    byDefault,
    allowed: 'http://<host>:<port> or https://<host>:<port>, without a path, a user or a password',
    secret: true,
    parse: originOf,
  });

export const hostNames = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: 'names of hosts with commas between them, such as till.shop.example,till2.shop.example',
    parse: (given) =>
      parseList(given, (host) => (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(host) ? host : undefined)),
  });

/** Addresses, and networks of addresses such as `10.0.0.0/8`. Not all addresses: a network of 0 bits. */
export const networks = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: 'IP addresses and networks with commas between them, such as 10.0.0.0/8,2001:db8::7',
    parse: (given) =>
      parseList(given, (network) => {
        const [address = '', bits, ...rest] = network.split('/');
        const bitsMax = { 4: 32, 6: 128 }[isIP(address)];
        if (bitsMax === undefined || rest.length > 0) return undefined;
        return bits === undefined || integer(bits, 1, bitsMax) !== undefined ? network : undefined;
      }),
  });

/** Secret, because it may contain a password. */
export const eventStoreDbUrl = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed:
      'esdb://<user>:<password>@<host>:<port> for one node or several (with commas between them), or esdb+discover://<host>:<port> for a cluster by its name; ?tls=false only in a private network',
    secret: true,
    parse: (given) => (checkEventStoreDbUrl(given) === undefined ? given : undefined),
    problem: checkEventStoreDbUrl,
  });

/** Secret, because it may contain a password. */
export const databaseUrl = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed:
      'postgres://<user>:<password>@<host>:<port>/<database>, or postgres://<user>@/<database>?host=<folder of a socket>',
    secret: true,
    parse: (given) => (checkDatabaseUrl(given) === undefined ? given : undefined),
    problem: checkDatabaseUrl,
  });

/** A secret that two processes of the service share. */
export const sharedSecret = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: '16 to 200 visible ASCII characters (openssl rand -hex 32)',
    secret: true,
    parse: (given) => (/^[!-~]{16,200}$/.test(given) ? given : undefined),
  });

export interface CrashSetting {
  readonly point: CrashPoint;
  /** The process ends when it reaches the point for the nth time, from 1. */
  readonly nth: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

export const crashPoint = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed: `<point>:<nth> or <point>:<nth>:stop, with a point of ${CRASH_POINTS.join(', ')}`,
    parse: (given): CrashSetting | undefined => {
      const [, named, count = '', stop] = /^([a-z-]+):(\d{1,9})(:stop)?$/.exec(given) ?? [];
      const point = CRASH_POINTS.find((known) => known === named);
      const nth = Number(count);
      return point && nth > 0 ? { point, nth, signal: stop ? 'SIGSTOP' : 'SIGKILL' } : undefined;
    },
  });

/** Parses items with commas between them; undefined if one is not allowed. */
export function parseList<Item>(
  given: string,
  parse: (item: string) => Item | undefined,
): readonly Item[] | undefined {
  const items = given.split(',').map((item) => parse(item.trim()));
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Undefined for an address that is not http or https, or that has a user or password. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

function integer(given: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
