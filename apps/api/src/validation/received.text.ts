const LONGEST_SHOWN = 40;
const MOST_DIGITS_SHOWN = 11;

/** What was received, for `details`: never a whole card number, a key or a long text, in any field. */
export function received(value: unknown): string {
  if (value === undefined) return 'received nothing';
  if (value === null) return 'received null';
  if (value === Infinity || value === -Infinity) return 'received a number with more digits than can be kept';
  if (typeof value === 'string') return `received ${shownText(value)}`;
  if (typeof value === 'number')
    return `received ${digitsIn(String(value)) > MOST_DIGITS_SHOWN ? 'a long number' : value}`;
  if (typeof value === 'boolean') return `received ${value}`;
  return Array.isArray(value) ? `received ${shownList(value)}` : 'received an object';
}

/** The name of a field is the client's too. */
export function shownName(name: string): string {
  if (name === '') return '""';
  const text = [...name].slice(0, 100).join('');
  return digitsIn(text) > MOST_DIGITS_SHOWN ? text.replace(/\d/g, '*') : text;
}

/** Without digits that could be a part of a card number, or its verification value. */
export function hiddenName(name: string): string {
  return shownName(name).replace(/\d{3,}/g, '***');
}

function shownList(values: readonly unknown[]): string {
  if (values.length === 0) return 'an empty array';
  // Nested values are not written out: their text could be of any length.
  const isPlain = values.every((value) => typeof value === 'string' || typeof value === 'number');
  const text = isPlain && values.length <= LONGEST_SHOWN ? JSON.stringify(values) : undefined;
  const isShown = text !== undefined && text.length <= LONGEST_SHOWN && digitsIn(text) <= MOST_DIGITS_SHOWN;
  return isShown ? text : `an array of ${values.length}`;
}

function shownText(text: string): string {
  const length = [...text].length;
  const shown = length <= LONGEST_SHOWN && digitsIn(text) <= MOST_DIGITS_SHOWN;
  return shown ? JSON.stringify(text) : `a text of ${length} characters`;
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length;
}
