import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseOperationId, paymentStream, tokenStream, type OperationId } from '@tillstream/domain';
import { sha256 } from '../identifiers.js';

/*
 * `ses_` and 32 base62 characters (190 bits): the operation that the form is about (116 bits), so that no table of
 * sessions is needed, and 74 bits of an HMAC, so that the id does not follow from the operation's id alone.
 */

const PREFIX = 'ses_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 32;
const MAC_BITS = 74n;
/** The characters of an operation's root. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ROOT_LENGTH = 23;

/** The secret keys of session ids, the current one first. Forms that an earlier key opened stay open. */
export type SessionKeys = () => readonly Uint8Array[];

export class SessionIds {
  constructor(private readonly keys: SessionKeys) {}

  /** The id of a new session. @throws Error without a key */
  create(operationId: OperationId): string {
    const [key] = this.keys();
    if (!key) throw new Error('no key for session ids is configured');
    return sessionId(operationId, key);
  }

  /** The id of a session that has this hash. Undefined: its key is not configured any more. */
  find(operationId: OperationId, sessionHash: string): string | undefined {
    return this.keys()
      .map((key) => sessionId(operationId, key))
      .find((id) => sha256(id) === sessionHash);
  }
}

/** The stream that a session id names. Undefined: the text is not the form of a session id. Nothing is verified yet. */
export function streamOfSession(id: string): string | undefined {
  const address = decode(id);
  if (!address) return undefined;
  return address.category === 'payment' ? paymentStream(address.root) : tokenStream(address.root);
}

export function isSession(id: string, sessionHash: string): boolean {
  const [given, expected] = [Buffer.from(sha256(id)), Buffer.from(sessionHash)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sessionId(operationId: OperationId, key: Uint8Array): string {
  const address = parseOperationId(operationId);
  if (!address) throw new RangeError(`${operationId} is not an operation's id`);
  const root = [...address.root].reduce((all, letter) => (all << 5n) | BigInt(BASE32.indexOf(letter)), 0n);
  const category = address.category === 'token' ? 1n : 0n;
  const mac = createHmac('sha256', key).update(operationId).digest();
  const secret = mac.readBigUInt64BE(0) | (BigInt(mac.readUInt16BE(8) & 0x3ff) << 64n);
  return PREFIX + base62((((root << 1n) | category) << MAC_BITS) | secret);
}

function base62(value: bigint): string {
  let text = '';
  for (let rest = value; text.length < LENGTH; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}

function decode(id: string): { readonly category: 'payment' | 'token'; readonly root: string } | undefined {
  if (!/^ses_[0-9A-Za-z]{32}$/.test(id)) return undefined;
  const value = [...id.slice(PREFIX.length)].reduce(
    (all, letter) => all * 62n + BigInt(BASE62.indexOf(letter)),
    0n,
  );
  const named = value >> MAC_BITS;
  let rest = named >> 1n;
  let root = '';
  for (let place = 0; place < ROOT_LENGTH; place++, rest >>= 5n)
    root = BASE32.charAt(Number(rest & 31n)) + root;
  if (rest !== 0n) return undefined;
  return { category: (named & 1n) === 1n ? 'token' : 'payment', root };
}
