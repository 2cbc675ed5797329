import type { AttemptEventData } from '../attempt/index.js';
import type { Encrypted } from '../shared/event.shapes.js';

/**
 * A customer authorized debits of a bank account: the text that the form showed, and, sealed, who gave the authorization
 * (`docs/spec/bank-payments.md#authorization`). Storage: this shape never changes (docs/adr/0014).
 */
export interface ConsentGiven extends AttemptEventData {
  /** Of the text, as `docs/spec/bank-payments.md#authorization` names it. */
  readonly version: string;
  readonly language: ConsentLanguage;
  /** The whole text, as the customer saw it. It names no customer. */
  readonly text: string;
  /** `ConsentPersonal`. */
  readonly personal: Encrypted;
}

export type ConsentLanguage = 'en' | 'fr';

/** The authorization of a submission, before its attempt has a number. */
export type Consent = Omit<ConsentGiven, keyof AttemptEventData>;
