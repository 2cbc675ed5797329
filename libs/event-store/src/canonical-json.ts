import { EventStoreError } from './event-store.errors.js';

/** The keys of objects of one shape, sorted once: events of a type have few shapes, and sorting was most of the work. */
interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** What stands before the value of each of the sorted: of the first member of an object, and of a later one. */
  readonly first: Prefixes;
  readonly later: Prefixes;
}

/** With the brace or comma, the key, the colon and a string's opening quote: fewer pieces to put together. */
interface Prefixes {
  readonly value: readonly string[];
  readonly string: readonly string[];
}

/** By first key; the bound guards against data whose keys are values. */
const keyOrders = new Map<string | undefined, KeyOrder[]>();
const KEY_ORDERS_MAX = 1_000;
let keyOrderCount = 0;

function findOrAddKeyOrder(keys: readonly string[]): KeyOrder {
  const known = keyOrders.get(keys[0]);
  const found = known?.find((order) => sameKeys(order.keys, keys));
  if (found) return found;
  const sorted = keys.toSorted();
  const order = { keys, sorted, first: memberPrefixes('{', sorted), later: memberPrefixes(',', sorted) };
  if (keyOrderCount++ >= KEY_ORDERS_MAX) {
    keyOrders.clear();
    keyOrderCount = 1;
  }
  keyOrders.set(keys[0], [...(keyOrders.get(keys[0]) ?? []), order]);
  return order;
}

function memberPrefixes(mark: string, keys: readonly string[]): Prefixes {
  const value = keys.map((key) => `${mark}${jsonString(key)}:`);
  return { value, string: value.map((text) => `${text}"`) };
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

const needsNoEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * The one JSON text of a value, keys sorted by UTF-16 code units and no white space (RFC 8785), so that a hash over
 * it can be computed again from what was read back. Members that are `undefined` are left out. Throws
 * `EventStoreError` `Invalid` for all that JSON would change silently: NaN, bigint, dates, maps, class instances, cycles.
 */
export function canonicalJson(value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalid('a cycle, or objects nested too deeply');
    throw error;
  }
}

/** The JSON text of a string alone, the same as `canonicalJson` gives. */
export function jsonString(value: string): string {
  return needsNoEscape.test(value) ? `"${value}"` : JSON.stringify(value);
}

function write(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      if (!Number.isFinite(value)) throw invalid(`the number ${value}`);
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      throw invalid(`a value of type ${typeof value}`);
  }
}

function writeArray(values: readonly unknown[]): string {
  let text = '[';
  // By index: a hole must not pass as nothing.
  for (let index = 0; index < values.length; index++) text += (index === 0 ? '' : ',') + write(values[index]);
  return text + ']';
}

function writeObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of any realm (jest and worker threads have their own Object.prototype).
  const isPlain =
    prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) throw invalid(`an instance of ${value.constructor.name}`);
  const members = value as Readonly<Record<string, unknown>>;
  const { sorted, first, later } = findOrAddKeyOrder(Object.keys(members));
  let text = '';
  for (let index = 0; index < sorted.length; index++) {
    const member = members[sorted[index] as string];
    if (member === undefined) continue;
    const before = text === '' ? first : later;
    if (typeof member === 'string' && needsNoEscape.test(member)) text += `${before.string[index]}${member}"`;
    else text += `${before.value[index]}${write(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function invalid(found: string): EventStoreError {
  return new EventStoreError('Invalid', `data and metadata must be JSON values; found ${found}`);
}
