export const BATCH_CATEGORY = 'batch';
const ID_PREFIX = 'bat_';
const ID_FORM = /^bat_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const BYTES = 16;

/** The text whose hash gives the batch's id. So the number of a batch gives its stream without a lookup. */
export function batchHashInput(merchantId: string, currency: string, number: number): string {
  return `batch/${merchantId}/${currency}/${number}`;
}

/** In the form of a ULID: two 0 bits, then the first 128 bits of a hash. @throws RangeError below 16 bytes */
export function formatBatchId(hash: Uint8Array): string {
  if (hash.length < BYTES) throw new RangeError(`${hash.length} bytes are too few for an id`);
  let rest = hash.slice(0, BYTES).reduce((all, byte) => (all << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let index = 0; index < LENGTH; index++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return ID_PREFIX + text;
}

/** Undefined if the text is not a `bat_` id. */
export function streamOfBatch(batchId: string): string | undefined {
  return ID_FORM.test(batchId) ? `${BATCH_CATEGORY}-${batchId.slice(ID_PREFIX.length)}` : undefined;
}

export function batchIdFromStream(stream: string): string {
  return ID_PREFIX + stream.slice(BATCH_CATEGORY.length + 1);
}
