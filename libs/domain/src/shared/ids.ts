/**
 * Ids are a prefix and 26 characters of the ULID alphabet (`docs/spec/README.md#ids`). A `trx_` id gives its stream
 * without a lookup: the operations of a payment share the first 23 characters (10 of time, 13 random), character 24 is
 * the category, and the last two are the operation's number in its stream.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_LENGTH = 26;
const ROOT_LENGTH = 23;
const TIME_LENGTH = 10;

export type OperationId = `trx_${string}`;

export type OperationCategory = 'payment' | 'token';
const CATEGORY_LETTER: Record<OperationCategory, string> = { payment: 'P', token: 'T' };

export interface OperationAddress {
  readonly category: OperationCategory;
  /** 23 characters: the name of the stream within its category. */
  readonly root: string;
  /** 0 is the operation that opened the stream. */
  readonly number: number;
}

/** Limit of operations in a stream. Numbers from `FIRST_SERVICE_OPERATION` are for the service's own (reversals). */
export const MAX_OPERATIONS = 1024;
export const FIRST_SERVICE_OPERATION = 960;

/** 26 characters: 10 of `time` in ms since 1970 (48 bits), 16 of at least 16 random bytes. */
export function ulid(time: number, randomBytes: Uint8Array): string {
  return encodeTime(time) + encodeRandomBytes(randomBytes, ULID_LENGTH - TIME_LENGTH);
}

/** The root of a new stream of operations: 10 characters of `time` (ms), 13 of at least 13 random bytes. */
export function operationRoot(time: number, randomBytes: Uint8Array): string {
  return encodeTime(time) + encodeRandomBytes(randomBytes, ROOT_LENGTH - TIME_LENGTH);
}

/** In the form of a ULID: two 0 bits, then the first 128 bits of a hash. @throws RangeError below 16 bytes */
export function ulidOfHash(hash: Uint8Array): string {
  if (hash.length < 16) throw new RangeError(`${hash.length} bytes are too few for an id`);
  let rest = hash.slice(0, 16).reduce((all, byte) => (all << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let place = 0; place < ULID_LENGTH; place++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** @throws RangeError for a number that a stream can not have; deciders check it first */
export function formatOperationId({ category, root, number }: OperationAddress): OperationId {
  if (!Number.isInteger(number) || number < 0 || number >= MAX_OPERATIONS) {
    throw new RangeError(`no operation ${number} in a stream`);
  }
  return `trx_${root}${CATEGORY_LETTER[category]}${ALPHABET[number >> 5]}${ALPHABET[number & 31]}`;
}

/** True if the text is the prefix, such as `trx_`, and 26 characters in the form of a ULID. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text.slice(prefix.length));
}

/** Undefined if the text is not an operation id of this service. */
export function parseOperationId(text: string): OperationAddress | undefined {
  if (!isId('trx_', text)) return undefined;
  const body = text.slice('trx_'.length);
  const letter = body[ROOT_LENGTH];
  const category = letter === 'P' ? 'payment' : letter === 'T' ? 'token' : undefined;
  if (!category) return undefined;
  const number = ALPHABET.indexOf(body[24] ?? '') * 32 + ALPHABET.indexOf(body[25] ?? '');
  return { category, root: body.slice(0, ROOT_LENGTH), number };
}

/** The reference id for an operation without a client's own: it contains the operation's id, so it needs no claim. */
export function generatedReferenceId(operation: OperationId): string {
  return `ref_${operation.slice('trx_'.length)}`;
}

export function isGeneratedReferenceId(text: string): boolean {
  return isId('ref_', text);
}

export function operationIdFromReference(referenceId: string): OperationId {
  return `trx_${referenceId.slice('ref_'.length)}`;
}

/** A stored card's `pmt_tkn_` id contains the root of its stream. */
export function formatTokenId(root: string): string {
  return `pmt_tkn_${formatOperationId({ category: 'token', root, number: 0 }).slice('trx_'.length)}`;
}

/** The root of a stored card's stream; undefined if the text is not a token id of this service. */
export function parseTokenRoot(text: string): string | undefined {
  if (!text.startsWith('pmt_tkn_')) return undefined;
  const address = parseOperationId(`trx_${text.slice('pmt_tkn_'.length)}`);
  return address?.category === 'token' && address.number === 0 ? address.root : undefined;
}

/**
 * A `prt_` id contains the first 23 characters of its merchant's id, which name the stream of the merchant's templates, and
 * the template's version in the last three. @throws RangeError for a version that a template can not have
 */
export function formatPricingTemplateId(merchantRoot: string, version: number): string {
  if (!Number.isInteger(version) || version < 1 || version >= ALPHABET.length ** 3)
    throw new RangeError(`no pricing template has version ${version}`);
  const letters = [version >> 10, version >> 5, version].map((part) => ALPHABET[part & 31]);
  return `prt_${merchantRoot}${letters.join('')}`;
}

/** The root in a `mer_` or `prt_` id; undefined if the text is no such id. */
export function parsePricingRoot(text: string): string | undefined {
  if (!isId('mer_', text) && !isId('prt_', text)) return undefined;
  return text.slice('prt_'.length, 'prt_'.length + ROOT_LENGTH);
}

function encodeTime(time: number): string {
  let rest = time;
  let text = '';
  for (let place = 0; place < TIME_LENGTH; place++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Uses five bits of each byte. */
function encodeRandomBytes(randomBytes: Uint8Array, length: number): string {
  if (randomBytes.length < length) throw new RangeError(`${length} random bytes are needed`);
  let text = '';
  for (let place = 0; place < length; place++) text += ALPHABET[(randomBytes[place] ?? 0) & 31];
  return text;
}
