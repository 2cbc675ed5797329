import { bytesOfText, textOfBytes } from './text.bytes.js';

/** Every card fills one, so that its ciphertext does not tell how long the number is. */
export const CARD_BLOCK_BYTES = 256;
const LENGTH_BYTES = 2;
export const LONGEST_CARD_BYTES = CARD_BLOCK_BYTES - LENGTH_BYTES;

/** Its length, the text, zeros. @throws RangeError above 254 bytes. */
export function cardBlock(card: string): Buffer {
  const bytes = bytesOfText(card);
  if (bytes.length > LONGEST_CARD_BYTES) {
    throw new RangeError(
      `A card has ${bytes.length} bytes; at most ${LONGEST_CARD_BYTES} fit into the vault's block.`,
    );
  }
  const block = Buffer.alloc(CARD_BLOCK_BYTES);
  block.writeUInt16BE(bytes.length);
  bytes.copy(block, LENGTH_BYTES);
  bytes.fill(0);
  return block;
}

export function cardOfBlock(block: Buffer): string {
  return textOfBytes(block.subarray(LENGTH_BYTES, LENGTH_BYTES + block.readUInt16BE()));
}
