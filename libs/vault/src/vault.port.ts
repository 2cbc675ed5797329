/**
 * The only place for card numbers, bank numbers and the keys of personal data and webhook secrets. A subject is a stored
 * card (`pmt_tkn_…`), an account holder (`acc_…`) or a webhook endpoint (`whe_…`, `whl_…`). Each has at most two data keys, made when they are first needed: one for card data, one for
 * personal data. `destroy` ends both.
 */
export interface Vault {
  /**
   * Stores a card or bank number under the subject's card key, and replaces an earlier one. Durable when it resolves.
   * @throws VaultError `Destroyed` if the subject was destroyed, `Unavailable` if nothing was stored. RangeError for a card
   * above 254 bytes of UTF-8, or a subject that is not 1 to 200 printable ASCII characters.
   */
  storeCard(subject: string, card: string): Promise<void>;
  /** Undefined: never stored, or destroyed. */
  openCard(subject: string): Promise<string | undefined>;
  /** The results of `openCard` and `open` for one subject in one read: a payment needs both. */
  openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText>;
  /** Encrypts personal data under the subject's key, for an event or a row. @throws VaultError as `storeCard`. */
  seal(subject: string, text: string): Promise<Sealed>;
  /** One text per item, in order; undefined if its key was destroyed or the item is damaged. */
  open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]>;
  /**
   * Destroys both keys and the stored card. When it resolves, no file of the vault holds their bytes, and the subject can't
   * be used again. A repeat does nothing.
   */
  destroy(subject: string): Promise<void>;
  close(): Promise<void>;
}

/** A member is undefined if it was never stored, or can't be opened any more. */
export interface CardAndText {
  readonly card: string | undefined;
  readonly text: string | undefined;
}

/** Personal data as an event stores it: ciphertext, and the subject whose key opens it. */
export interface Sealed {
  /** The subject. */
  readonly keyId: string;
  /** Base64, 12 bytes. */
  readonly iv: string;
  /** Base64, AES-256-GCM, its tag of 16 bytes at the end. */
  readonly ciphertext: string;
}

export class VaultError extends Error {
  override readonly name = 'VaultError';
  constructor(
    readonly code: 'Destroyed' | 'Unavailable',
    message: string,
  ) {
    super(message);
  }
}
