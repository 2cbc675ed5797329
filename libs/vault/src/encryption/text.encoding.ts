/** Never in UTF-8: after it the text is UTF-16, since half a surrogate pair has no UTF-8. */
const UTF16_FOLLOWS = 0xff;

/** Any string there and back, unit by unit; UTF-8 where that can be. */
export function encodeText(text: string): Buffer {
  const utf8 = Buffer.from(text, 'utf8');
  if (utf8.toString('utf8') === text) return utf8;
  return Buffer.concat([Buffer.of(UTF16_FOLLOWS), Buffer.from(text, 'utf16le')]);
}

export function decodeText(bytes: Buffer): string {
  return bytes[0] === UTF16_FOLLOWS ? bytes.toString('utf16le', 1) : bytes.toString('utf8');
}
