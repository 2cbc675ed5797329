import type { AttemptResponse, Cents, Channel, Currency, ThreeDsFacts } from '@tillstream/domain';

/**
 * The port to a processor. No call rejects because of the processor or the network: each resolves with a result. The same
 * key never executes twice; a repeated key gets the first response.
 */
export interface Processor {
  /** Every attempt stores it: later inquiries go to the processor of this name. It never changes. */
  readonly name: string;
  capabilities(channel: Channel): ProcessorCapabilities;

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  /** Gives back an amount: what is left of an expired authorization, or a late execution. */
  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  /**
   * Verifies a card with 0.00, so that it can be stored (`docs/spec/payment-methods.md#create-a-token`). Keys, clocks and
   * deadlines are those of a payment. After an approval, inquiries, annulments and last transactions of the key return the
   * credential again: the process may die before the credential is in the vault.
   */
  verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse>;

  /** Returns the outcome of a key. Never executes anything. */
  inquire(query: Inquiry): Promise<InquiryResult>;
  /** After `Annulled` the processor never executes the key. If it already did, the result has its response. */
  annul(query: Inquiry): Promise<AnnulResult>;
  /** The last transaction of a terminal, for a response that was lost between terminal and service. */
  lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryResult>;
}

export interface ProcessorCapabilities {
  /** False: the resolver never calls `annul`, and inquires through `inFlightWindowMs` instead. */
  readonly annul: boolean;
  /** A repeated key does not execute again. If false, an unknown capture, void or refund waits for an operator. */
  readonly idempotentKeys: boolean;
  /** How long after a call's deadline the processor may still execute it, ms. */
  readonly inFlightWindowMs: number;
  readonly partialApproval: boolean;
}

export interface AttemptCall {
  /** `<trx id>.<try>`. */
  readonly key: string;
  /** Real time, ms since 1970. The adapter calls `mayStillSend` right before the write. */
  readonly sendBefore: number;
  /** `performance.now()` of the decision to send. With `sendWithinMs` it limits sending by the monotonic clock. */
  readonly startedAt: number;
  readonly sendWithinMs: number;
  /** From the write on, ms. Then the response is `NoAnswer`. */
  readonly deadlineMs: number;
  /** Called when the request was written. */
  readonly onSent?: () => void;
  /** Called with a response that came after the deadline, if one comes. */
  readonly onLateResponse?: (response: ProcessorResponse) => void;
}

export interface PaymentRequest {
  readonly merchantId: string;
  /** The merchant's account with the processor. */
  readonly account: string;
  readonly channel: Channel;
  readonly amount: Cents;
  readonly currency: Currency;
  /** Only of terminal payments. */
  readonly terminalId?: string;
  /** Only of merchant-initiated payments. */
  readonly networkTransactionId?: string;
  /** Decrypted for this call only. */
  readonly card?: CardDetails;
  /** Instead of `card`: this processor's token of a stored card, valid under this account. */
  readonly cardToken?: ProcessorToken;
  readonly bankAccount?: BankAccountDetails;
  readonly billing?: BillingDetails;
  /** Of a card whose holder was authenticated before this call. */
  readonly threeDs?: ThreeDsFacts;
}

/** What a processor may check: the address (AVS) and, for its fraud checks, how the customer is reached. */
export interface BillingDetails {
  readonly zipCode?: string;
  readonly address?: string;
  readonly countryCode?: string;
  readonly email?: string;
  readonly phone?: string;
}

/** For a card at a terminal, or a given card. There is no amount. */
export type VerifyRequest = Pick<
  PaymentRequest,
  'merchantId' | 'account' | 'channel' | 'currency' | 'terminalId' | 'card' | 'billing' | 'threeDs'
>;

export interface CardDetails {
  readonly number: string;
  /** MMYY. */
  readonly expDate: string;
  readonly cvv?: string;
}

/** Decrypted for this call only. */
export interface BankAccountDetails {
  /** ACH: 9 digits, the last one a check digit. EFT: `0`, the institution's 3 digits and the transit's 5 digits. */
  readonly routingNumber: string;
  readonly accountNumber: string;
  /** An EFT account has none. */
  readonly accountType?: 'Checking' | 'Savings';
  /** The account's holder, as the customer entered it. */
  readonly name?: string;
}

export interface FollowUpRequest {
  readonly merchantId: string;
  /** The account of its original. */
  readonly account: string;
  readonly channel: Channel;
  readonly amount: Cents;
  readonly currency: Currency;
  /** Key of the original sale, authorization or capture. */
  readonly originalKey: string;
  /** The processor's id of the original. Absent if its response never came. */
  readonly originalGatewayId?: string;
}

/**
 * A later payment with the stored card needs it (`channel: 'Token'`). Only the vault stores it: it is never part of the
 * facts, because facts become events.
 */
export type CardCredential = CardNumber | ProcessorToken;
export type CardNumber = Pick<CardDetails, 'number' | 'expDate'>;

/**
 * A processor's token of a card, instead of the card number. It is valid only with that processor and account: payments
 * with it go there, even if the routes have changed.
 */
export interface ProcessorToken {
  /** 1 to 200 printable ASCII characters without spaces. Never a card number. */
  readonly token: string;
  /** MMYY of the card, for display only. */
  readonly expDate: string;
}

type Approval = Extract<AttemptResponse, { kind: 'Approved' }>;

/**
 * The processor's own statement about a key. It is final, except `Submitted` and `ChallengeRequired`: after these the final
 * response comes by a notice or an inquiry. An approved card verification always has its `credential`; without one there
 * is nothing to store, and no token is made.
 */
export type DefiniteResponse =
  Exclude<AttemptResponse, Approval> | (Approval & { readonly credential?: CardCredential });

export type ProcessorResponse =
  | DefiniteResponse
  /**
   * Nothing was executed, and nothing will be: `sendBefore` had passed, nothing left this process, or the processor says,
   * in a response that names this call, that it did not take the request (docs/adr/0019).
   */
  | { readonly kind: 'NotSent'; readonly reason: string }
  /** The outcome is unknown. `lostLink`: the terminal knows it; call `lastTransaction`. */
  | { readonly kind: 'NoAnswer'; readonly lostLink?: boolean };

/** `Approved` has `amount` 0 and a credential. An approval without a credential is `Declined` with response code 0. */
export type VerificationResponse =
  Exclude<ProcessorResponse, Approval> | (Approval & { readonly credential: CardCredential });

export interface Inquiry {
  readonly merchantId: string;
  /** The account of the attempt. */
  readonly account: string;
  readonly channel: Channel;
  readonly key: string;
  readonly deadlineMs: number;
}

export type InquiryResult =
  | { readonly kind: 'Found'; readonly answer: DefiniteResponse }
  /** The processor does not know the key now. The request may still arrive. */
  | { readonly kind: 'NotFound' }
  /** The processor has the key, but no result yet. */
  | { readonly kind: 'StillRunning' }
  | { readonly kind: 'NoAnswer' };

export type AnnulResult =
  | { readonly kind: 'Annulled' }
  | { readonly kind: 'AlreadyExecuted'; readonly answer: DefiniteResponse }
  | { readonly kind: 'NoAnswer' };

/** Reads the real and the monotonic clock, ms. */
export type SendClocks = () => { readonly realMs: number; readonly monotonicMs: number };

export const systemClocks: SendClocks = () => ({ realMs: Date.now(), monotonicMs: performance.now() });

/** Both clocks must allow it: real time may be set back while a process is stalled. */
export function mayStillSend(call: AttemptCall, now: ReturnType<SendClocks>): boolean {
  return now.realMs <= call.sendBefore && now.monotonicMs - call.startedAt <= call.sendWithinMs;
}
