export const BATCH_CATEGORY = 'batch';
const ID_PREFIX = 'bat_';
const ID_FORM = /^bat_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const BYTES = 16;

/** What the id of a batch is the hash of: a batch's number gives its stream without a look-up. */
export function batchHashInput(merchantId: string, currency: string, number: number): string {
  return `batch/${merchantId}/${currency}/${number}`;
}

/** As a ULID has it: the first 128 bits of a hash, behind two that are 0. */
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

/** Undefined where the text is no `bat_` id. */
export function streamOfBatch(batchId: string): string | undefined {
  return ID_FORM.test(batchId) ? `${BATCH_CATEGORY}-${batchId.slice(ID_PREFIX.length)}` : undefined;
}

export function batchIdFromStream(stream: string): string {
  return ID_PREFIX + stream.slice(BATCH_CATEGORY.length + 1);
}
