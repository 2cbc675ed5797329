import { EventStoreError } from './event-store.errors.js';

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
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw invalid(`an instance of ${value.constructor.name}`);
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    text += (text === '' ? '' : ',') + jsonString(key) + ':' + write(member);
  }
  return `{${text}}`;
}

function invalid(found: string): EventStoreError {
  return new EventStoreError('Invalid', `data and metadata must be JSON values; found ${found}`);
}
