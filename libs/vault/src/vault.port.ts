/**
 * Where card numbers, bank numbers and the keys of personal data are, and nowhere else. A subject is a stored card
 * (`pmt_tkn_…`) or an account holder (`acc_…`). Each has at most two data keys of its own, made when they are first
 * needed: one for card data, one for personal data. Destroying a subject ends both for good.
 */
export interface Vault {
  /**
   * Keeps a card or bank number under the subject's card key, in place of what was kept before. Durable when it resolves.
   * @throws VaultError `Destroyed` where the subject was destroyed, `Unavailable` where nothing was kept. RangeError for
   * a card above 254 bytes of UTF-8, or a subject that is not 1 to 200 printable ASCII characters.
   */
  storeCard(subject: string, card: string): Promise<void>;
  /** Undefined: never kept, or destroyed. */
  openCard(subject: string): Promise<string | undefined>;
  /** What `openCard` and `open` give of one subject, in one look: for a payment, which needs both. */
  openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText>;
  /** Encrypts personal data under the subject's key, for an event or a row. @throws VaultError as `storeCard`. */
  seal(subject: string, text: string): Promise<Sealed>;
  /** In the order asked; undefined where the key was destroyed, or what was sealed is not whole. */
  open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]>;
  /**
   * Destroys both keys and what was kept. When it resolves no file of the vault holds their bytes any more, and the
   * subject can't be used again. Repeating it is harmless.
   */
  destroy(subject: string): Promise<void>;
  close(): Promise<void>;
}

/** Each undefined where it can't be opened any more, or never could. */
export interface CardAndText {
  readonly card: string | undefined;
  readonly text: string | undefined;
}

/** What an event may say of a person: ciphertext, and whose key opens it. */
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
