import { checkEventStoreDbUrl } from '@tillstream/event-store-eventstoredb/address';
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
  readonly secret: boolean;
  /** Undefined if the text is not allowed. */
  parse(given: string): Value | undefined;
  /** Says what is wrong with the text, without its secrets. */
  problem?(given: string): string | undefined;
}

/** A setting without a default value. */
export type OptionalSetting<Value> = Setting<Value> & { readonly byDefault: undefined };

export const text = (name: string, byDefault: string, doc: string): Setting<string> => ({
  name,
  byDefault,
  allowed: 'any text',
  doc,
  secret: false,
  parse: (given) => given,
});

export const choice = <const Value extends string>(
  name: string,
  values: readonly Value[],
  byDefault: Value,
  doc: string,
): Setting<Value> => ({
  name,
  byDefault,
  allowed: values.join(', '),
  doc,
  secret: false,
  parse: (given) => values.find((value) => value === given),
});

export const boundedInteger = (
  name: string,
  min: number,
  max: number,
  byDefault: number,
  doc: string,
): Setting<number> => ({
  name,
  byDefault: String(byDefault),
  allowed: `a whole number from ${min} to ${max}`,
  doc,
  secret: false,
  parse: (given) => integer(given, min, max),
});

/** One year. */
const DURATION_MS_MAX = 31_536_000_000;

export const milliseconds = (name: string, byDefault: number, doc: string): Setting<number> =>
  boundedInteger(name, 1, DURATION_MS_MAX, byDefault, doc);

export const millisecondsList = (
  name: string,
  byDefault: string,
  doc: string,
): Setting<readonly number[]> => ({
  name,
  byDefault,
  allowed: `whole numbers from 1 to ${DURATION_MS_MAX} with commas between them`,
  doc,
  secret: false,
  parse: (given) => {
    const list = given.split(',').map((item) => integer(item.trim(), 1, DURATION_MS_MAX));
    return list.every((value) => value !== undefined) ? list : undefined;
  },
});

const KEY_BYTES = 32;

/** Decodes a key that `openssl rand -base64 32` made; undefined for any other text. */
export function keyFromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  const exact = bytes.length === KEY_BYTES && bytes.toString('base64') === text;
  return exact ? new Uint8Array(bytes) : undefined;
}

export const answerKey = (name: string, doc: string): OptionalSetting<Uint8Array> => ({
  name,
  byDefault: undefined,
  allowed: `${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`,
  doc,
  secret: true,
  parse: keyFromBase64,
});

/** One or several keys, the current one first. */
export const masterKeys = (name: string, doc: string): OptionalSetting<readonly Uint8Array[]> => ({
  name,
  byDefault: undefined,
  allowed: `${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES}), or several such keys with commas between them, the current one first`,
  doc,
  secret: true,
  parse: (given) => {
    const keys = given.split(',').map((item) => keyFromBase64(item.trim()));
    return keys.every((key) => key !== undefined) ? keys : undefined;
  },
});

export const optionalText = (name: string, allowed: string, doc: string): OptionalSetting<string> => ({
  name,
  byDefault: undefined,
  allowed,
  doc,
  secret: false,
  parse: (given) => given,
});

/** The address of another program's HTTP server. It may have a path. */
export const optionalHttpAddress = (name: string, doc: string): OptionalSetting<string> => ({
  name,
  byDefault: undefined,
  allowed: 'http://<host>:<port> or https://<host>:<port>',
  doc,
  // What was given may hold a password by mistake.
  secret: true,
  parse: (given) => (URL.canParse(given) && /^https?:\/\/[^/]/.test(given) ? given : undefined),
});

export const hostNames = (name: string, doc: string): OptionalSetting<readonly string[]> => ({
  name,
  byDefault: undefined,
  allowed: 'names of hosts with commas between them, such as till.shop.example,till2.shop.example',
  doc,
  secret: false,
  parse: (given) => {
    const names = given.split(',').map((item) => item.trim());
    return names.every((host) => /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(host)) ? names : undefined;
  },
});

/** Secret, because it may contain a password. */
export const eventStoreDbUrl = (name: string, doc: string): OptionalSetting<string> => ({
  name,
  byDefault: undefined,
  allowed:
    'esdb://<user>:<password>@<host>:<port> for one node or several (with commas between them), or esdb+discover://<host>:<port> for a cluster by its name; ?tls=false only in a private network',
  doc,
  secret: true,
  parse: (given) => (checkEventStoreDbUrl(given) === undefined ? given : undefined),
  problem: checkEventStoreDbUrl,
});

/** The address of an HTTP server, without a path. */
export const httpAddress = (name: string, byDefault: string, doc: string): Setting<string> => ({
  name,
  byDefault,
  allowed: 'http://<host>:<port> or https://<host>:<port>, without a path, a user or a password',
  doc,
  // What was given may hold a password by mistake.
  secret: true,
  parse: (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
    const isBare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
    return isHttp && isBare && url.hostname !== '' ? url.origin : undefined;
  },
});

/** A secret that two processes of the service share. */
export const sharedSecret = (name: string, doc: string): OptionalSetting<string> => ({
  name,
  byDefault: undefined,
  allowed: '16 to 200 visible ASCII characters (openssl rand -hex 32)',
  doc,
  secret: true,
  parse: (given) => (/^[!-~]{16,200}$/.test(given) ? given : undefined),
});

export interface CrashSetting {
  readonly point: CrashPoint;
  /** The process ends when it reaches the point for the nth time, from 1. */
  readonly nth: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

export const crashPoint = (name: string, doc: string): OptionalSetting<CrashSetting> => ({
  name,
  byDefault: undefined,
  allowed: `<point>:<nth> or <point>:<nth>:stop, with a point of ${CRASH_POINTS.join(', ')}`,
  doc,
  secret: false,
  parse: (given) => {
    const [, named, count = '', stop] = /^([a-z-]+):(\d{1,9})(:stop)?$/.exec(given) ?? [];
    const point = CRASH_POINTS.find((known) => known === named);
    const nth = Number(count);
    return point && nth > 0 ? { point, nth, signal: stop ? 'SIGSTOP' : 'SIGKILL' } : undefined;
  },
});

function integer(given: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
