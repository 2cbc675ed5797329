import type { Channel, Currency, ResponseCode, ResultCode } from '../shared/codes.js';
import type { HostedForm, OutcomeSource, AttemptOutcome } from '../payment/payment.events.js';
import type {
  Encrypted,
  Event,
  CommandEventData,
  OperationEventData,
  PaymentMethodSnapshot,
} from '../shared/event.shapes.js';

/*
 * Storage: these shapes never change (docs/adr/0014). Stream `token-<root>`: a stored card or bank account, from its
 * verification to its removal. The number itself is in the vault, under the token's id.
 */

export type TokenEvent =
  | Event<'TokenRequested', TokenRequested>
  // The card verification.
  | Event<'VerificationRequested', VerificationRequested>
  | Event<'VerificationNotSent', VerificationNotSent>
  | Event<'VerificationInterrupted', VerificationInterrupted>
  // Its outcomes.
  | Event<'TokenCreated', TokenCreated>
  | Event<'VerificationDeclined', VerificationDeclined>
  | Event<'VerificationCancelled', VerificationCancelled>
  | Event<'VerificationNotExecuted', VerificationNotExecuted>
  // Later changes.
  | Event<'TokenUpdated', TokenUpdated>
  | Event<'TokenRemoved', TokenRemoved>
  | Event<'TokenKeysDestroyed', TokenKeysDestroyed>;

export interface TokenRequested extends CommandEventData {
  readonly referenceId: string;
  readonly merchantId: string;
  readonly tokenId: string;
  readonly channel: Channel;
  readonly currency: Currency;
  /** The terminal or form that takes the card. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly terminalId?: string;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** Present if a customer fills in a hosted form. */
  readonly form?: HostedForm;
}

export interface VerificationRequested extends CommandEventData {
  /** From 1; the processor's key is `<operation id>.<try>`. */
  readonly try: number;
  /** Real time: nothing of the attempt is sent after it. */
  readonly sendBefore: string;
  /** Real time: the sender waits no longer. */
  readonly answerBefore: string;
  readonly processor: string;
  readonly processorAccount: string;
}

export interface VerificationNotSent extends OperationEventData {
  readonly try: number;
  readonly reason: string;
}

export interface VerificationInterrupted extends OperationEventData {
  readonly try: number;
  /** As a payment's `Interrupted`. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  readonly lostLink: boolean;
}

/** The issuer approved, and the vault has the card. */
export interface TokenCreated extends AttemptOutcome {
  /** `id`: the token's; `type`: `Token`; `personal`: expiry and billing contact, sealed under the token's own key. */
  readonly token: PaymentMethodSnapshot;
}

export interface VerificationDeclined extends AttemptOutcome {
  readonly resultCode: ResultCode;
}

export interface VerificationCancelled extends OperationEventData {
  readonly try: number;
  readonly by: 'Terminal' | 'Customer' | 'Merchant';
  readonly source: OutcomeSource;
  readonly resultCode: ResultCode;
  readonly responseCode?: ResponseCode;
  readonly hostText?: string;
  readonly terminalId?: string;
}

export interface VerificationNotExecuted extends OperationEventData {
  readonly try: number;
  readonly source: OutcomeSource;
  readonly reason?: string;
}

export interface TokenUpdated extends CommandEventData {
  readonly referenceId: string;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** The complete personal data after the change. */
  readonly personal?: Encrypted;
}

export interface TokenRemoved extends CommandEventData {
  readonly referenceId: string;
  /** The account holder whose erasure removed the token; absent if the merchant removed it. */
  readonly erasedHolderId?: string;
}

/** From here on the token's sealed data can not be decrypted. */
export type TokenKeysDestroyed = OperationEventData;
