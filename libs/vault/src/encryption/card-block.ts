import { encodeText, decodeText } from './text.encoding.js';

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
