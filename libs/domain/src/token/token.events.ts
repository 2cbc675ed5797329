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
 * Storage: these shapes never change (docs/adr/0014). Stream `token-<root>`: a stored card or bank account, from the
 * check with its issuer to its removal. The number itself is in the vault, under the token's id.
 */

export type TokenEvent =
  | Event<'TokenRequested', TokenRequested>
  // The check with the issuer, for 0.00, on its way to the processor.
  | Event<'VerificationRequested', VerificationRequested>
  | Event<'VerificationNotSent', VerificationNotSent>
  | Event<'VerificationInterrupted', VerificationInterrupted>
  // How it ended.
  | Event<'TokenCreated', TokenCreated>
  | Event<'VerificationDeclined', VerificationDeclined>
  | Event<'VerificationCancelled', VerificationCancelled>
  | Event<'VerificationNotExecuted', VerificationNotExecuted>
  // What was done with the token.
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
  /** Present where a customer fills in a hosted form. */
  readonly form?: HostedForm;
}

export interface VerificationRequested extends CommandEventData {
  /** From 1; the processor's key is `<operation id>.<try>`. */
  readonly try: number;
  /** Real time: nothing of this try leaves after it. */
  readonly sendBefore: string;
  /** Real time: whoever sent it has given up by then. */
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

/** The issuer approved and the vault holds the card. */
export interface TokenCreated extends AttemptOutcome {
  /** `id` is the token's, `type` is `Token`, `personal` its expiry (and billing contact), sealed under its own key. */
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
  /** All personal data as it is from now on. */
  readonly personal?: Encrypted;
}

export interface TokenRemoved extends CommandEventData {
  readonly referenceId: string;
  /** The erasure that removed it, where a merchant did not ask for this token itself. */
  readonly erasedHolderId?: string;
}

/** Nobody can open what was sealed under its keys any more. */
export type TokenKeysDestroyed = OperationEventData;
