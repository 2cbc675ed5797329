import { EventStoreError } from './event-store.errors.js';

/** The texts of members' names. Without them an event's text takes twice as long. */
const nameTexts = new Map<string, string>();
/** Data whose names are values must not fill the memory. */
const NAME_TEXTS_MAX = 1_000;

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
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${nameText(key)}${write(member)}`;
  }
  return `{${text}}`;
}

function nameText(name: string): string {
  const known = nameTexts.get(name);
  if (known !== undefined) return known;
  if (nameTexts.size === NAME_TEXTS_MAX) nameTexts.clear();
  const text = `${jsonString(name)}:`;
  nameTexts.set(name, text);
  return text;
}

function invalid(found: string): EventStoreError {
  return new EventStoreError('Invalid', `data and metadata must be JSON values; found ${found}`);
}
