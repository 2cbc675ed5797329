import { EventStoreError } from './event-store.js';

/** A member of an object: its key, and the key as it stands in the text. */
interface Member {
  readonly key: string;
  readonly text: string;
}

/** Objects with the same keys in the same order: events of one type have few such orders. */
interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly Member[];
}

/** By first key. An event's text takes twice as long if its keys are sorted each time. */
const keyOrders = new Map<string | undefined, KeyOrder[]>();
/** Data whose keys are values must not fill the memory. */
const KEY_ORDERS_MAX = 1_000;
let keyOrderCount = 0;

/** Strings that need no escape. */
const needsNoEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * The canonical JSON text of a value (RFC 8785): keys sorted by UTF-16 code units, no white space. A reader can compute
 * a hash over it again from the value that it reads back. Members that are `undefined` are left out. Throws
 * `EventStoreError` `Invalid` for values that JSON changes silently: NaN, bigint, dates, maps, class instances, cycles.
 */
export function canonicalJson(value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalid('a cycle, or objects nested too deeply');
    throw error;
  }
}

/** The JSON text of a string, as `canonicalJson` writes it. */
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
      return String(value);
    case 'object':
      if (value === null) return 'null';
      // `Array.from` visits holes too, as `undefined`, which is invalid.
      if (Array.isArray(value)) return `[${Array.from(value, write).join(',')}]`;
      return writeObject(value as Readonly<Record<string, unknown>>);
    default:
      throw invalid(`a value of type ${typeof value}`);
  }
}

function writeObject(value: Readonly<Record<string, unknown>>): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Jest and worker threads have an `Object.prototype` of their own, so this does not compare with ours.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) throw invalid(`an instance of ${value.constructor.name}`);
  let text = '';
  for (const { key, text: keyText } of sortedMembers(Object.keys(value))) {
    const member = value[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${keyText}${write(member)}`;
  }
  return `{${text}}`;
}

function sortedMembers(keys: readonly string[]): readonly Member[] {
  const known = keyOrders.get(keys[0])?.find((order) => haveSameOrder(order.keys, keys));
  if (known) return known.sorted;
  const sorted = keys.toSorted().map((key) => ({ key, text: `${jsonString(key)}:` }));
  if (keyOrderCount === KEY_ORDERS_MAX) {
    keyOrders.clear();
    keyOrderCount = 0;
  }
  keyOrderCount += 1;
  keyOrders.set(keys[0], [...(keyOrders.get(keys[0]) ?? []), { keys, sorted }]);
  return sorted;
}

function haveSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

function invalid(found: string): EventStoreError {
  return new EventStoreError('Invalid', `data and metadata must be JSON values; found ${found}`);
}
