/** A byte that UTF-8 never uses. UTF-16 follows it, because half a surrogate pair has no UTF-8. */
const UTF16_FOLLOWS = 0xff;

/** Encodes any string without loss: as UTF-8 where possible, else as UTF-16. */
export function encodeText(text: string): Buffer {
  const utf8 = Buffer.from(text, 'utf8');
  if (utf8.toString('utf8') === text) return utf8;
  return Buffer.concat([Buffer.of(UTF16_FOLLOWS), Buffer.from(text, 'utf16le')]);
}

export function decodeText(bytes: Buffer): string {
  return bytes[0] === UTF16_FOLLOWS ? bytes.toString('utf16le', 1) : bytes.toString('utf8');
}
