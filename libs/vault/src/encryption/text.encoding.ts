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

/** Each card fills one block, so that its ciphertext does not reveal the length of the number. */
export const CARD_BLOCK_BYTES = 256;
const LENGTH_BYTES = 2;
export const CARD_BYTES_MAX = CARD_BLOCK_BYTES - LENGTH_BYTES;

/** The length, the text, then zeros. @throws RangeError above 254 bytes */
export function encodeCardBlock(card: string): Buffer {
  const bytes = encodeText(card);
  if (bytes.length > CARD_BYTES_MAX) {
    throw new RangeError(
      `A card has ${bytes.length} bytes; at most ${CARD_BYTES_MAX} fit into the vault's block.`,
    );
  }
  const block = Buffer.alloc(CARD_BLOCK_BYTES);
  block.writeUInt16BE(bytes.length);
  bytes.copy(block, LENGTH_BYTES);
  bytes.fill(0);
  return block;
}

export function decodeCardBlock(block: Buffer): string {
  return decodeText(block.subarray(LENGTH_BYTES, LENGTH_BYTES + block.readUInt16BE()));
}
