import { encryptedDataContext } from '../encryption/data-key.js';
import { decryptBox, encryptBox } from '../encryption/encrypted-box.js';
import { decodeCardBlock, encodeCardBlock } from '../encryption/text.encoding.js';
import { damagedError, type SubjectKeys } from './subject.keys.js';
import type { SubjectRow, SubjectTable } from './subject.row.js';

/** Encrypts a card under its subject's card key, and makes a missing key. @throws VaultError `Destroyed` */
export function storeCardIn(rows: SubjectTable, keys: SubjectKeys, subject: string, block: Uint8Array): void {
  const { row, key } = keys.findOrMake(subject, 'Card');
  rows.overwrite({ ...row, card: encryptBox(key, block, encryptedDataContext('Card', subject)) });
  key.fill(0);
}

/** Runs `store` with the card as a block of fixed size, which is zeroed afterwards. @throws RangeError for a long card */
export async function withCardBlock(
  card: string,
  store: (block: Uint8Array) => Promise<void>,
): Promise<void> {
  const block = encodeCardBlock(card);
  await store(block).finally(() => block.fill(0));
}

/** Zeroes the key. @throws VaultError if the card is damaged */
export function decryptCard(row: SubjectRow, key: Buffer): string | undefined {
  const block = row.card && decryptBox(key, row.card, encryptedDataContext('Card', row.name));
  key.fill(0);
  if (row.card === undefined) return undefined;
  if (block === undefined) throw damagedError(row);
  const card = decodeCardBlock(block);
  block.fill(0);
  return card;
}
