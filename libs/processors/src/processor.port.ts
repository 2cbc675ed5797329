import type { ResponseFacts, Cents, Channel, Currency, AttemptResponse } from '@tillstream/domain';

/**
 * The port to whoever moves the money. Its calls never reject for what a processor or the network does: each ends with
 * an `ProcessorResponse`. Keys make repeats harmless: the same key never executes twice, a repeat gets the first answer.
 */
export interface Processor {
  /** Written into every attempt: later questions about it go to the processor of this name. */
  readonly name: string;
  capabilities(channel: Channel): ProcessorCapabilities;

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse>;
  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  /** Undoes what a key did and we did not want: an expired authorization's open amount, a late approval. */
  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse>;
  /**
   * Asks the issuer about a card for 0.00, so that it can be stored (`docs/spec/payment-methods.md#create-a-token`).
   * Keys, clocks and deadlines are those of a payment. Where it approved, inquiries, annulments and last transactions
   * of its key give the credential again: a process may die between the answer and the vault.
   */
  verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse>;

  /** What became of a key. Never executes anything. */
  inquire(query: Inquiry): Promise<InquiryResult>;
  /** After `Annulled` the processor will never execute that key. Where it already did: its answer. */
  annul(query: Inquiry): Promise<AnnulResult>;
  /** The last transaction of a terminal, for an answer that was lost between terminal and service. */
  lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryResult>;
}

export interface ProcessorCapabilities {
  /** False: the resolver never calls `annul`, and inquires through `inFlightWindowMs` instead. */
  readonly annul: boolean;
  /** A repeated key is harmless. Without it an unknown capture, void or refund waits for an operator. */
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
  /** `performance.now()` when the request was decided; with `sendWithinMs` the monotonic half of `sendBefore`. */
  readonly startedAt: number;
  readonly sendWithinMs: number;
  /** From the write on, ms. Then the answer is `NoAnswer`. */
  readonly deadlineMs: number;
  /** Called when the request has left; it may never be called. */
  readonly onSent?: () => void;
  /** Called with an answer that came after the deadline; it may never be called. */
  readonly onLateResponse?: (answer: ProcessorResponse) => void;
}

export interface PaymentRequest {
  readonly merchantId: string;
  /** The merchant's account with the processor. */
  readonly account: string;
  readonly channel: Channel;
  readonly amount: Cents;
  readonly currency: Currency;
  /** Card present: the terminal that takes the card. */
  readonly terminalId?: string;
  /** Sent along by merchant-initiated payments. */
  readonly networkTransactionId?: string;
  /** Opened from the vault for this call only. */
  readonly card?: CardDetails;
  /** Instead of `card`: a stored card of which this processor gave a token under this account. */
  readonly cardToken?: ProcessorToken;
  readonly bankAccount?: BankAccountDetails;
  readonly billing?: { readonly zipCode?: string; readonly address?: string; readonly countryCode?: string };
}

/** A card to be stored: one that a terminal takes, or one that was given. There is no amount. */
export type VerifyRequest = Pick<
  PaymentRequest,
  'merchantId' | 'account' | 'channel' | 'currency' | 'terminalId' | 'card' | 'billing'
>;

export interface CardDetails {
  readonly number: string;
  /** MMYY. */
  readonly expDate: string;
  readonly cvv?: string;
}

export interface BankAccountDetails {
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly accountType: 'Checking' | 'Savings';
}

export interface FollowUpRequest {
  readonly merchantId: string;
  /** As its original's. */
  readonly account: string;
  readonly channel: Channel;
  readonly amount: Cents;
  readonly currency: Currency;
  /** Key of the sale, authorization or capture that this is about. */
  readonly originalKey: string;
  /** What the processor called it. Absent where its answer never came. */
  readonly originalGatewayId?: string;
}

/** What the processor or terminal said, in our codes, with its own words beside them: as the domain records it. */
export type ProcessorFacts = ResponseFacts;
export type CardFacts = NonNullable<ResponseFacts['card']>;

/**
 * What a later payment with a stored card needs (`channel: 'Token'`). For the vault alone: it is kept beside the facts,
 * never among them, as facts become events.
 */
export type CardCredential = CardNumber | ProcessorToken;
export type CardNumber = Pick<CardDetails, 'number' | 'expDate'>;

/**
 * What a processor gives instead of a number: it means something to that processor, and under that account, alone. It is
 * sent to no other; payments with it go where it came from, whatever the routes say.
 */
export interface ProcessorToken {
  /** 1 to 200 printable ASCII characters without spaces. Never a card's number. */
  readonly token: string;
  /** MMYY, of the card behind it. To be shown: a payment goes by what the processor knows. */
  readonly expDate: string;
}

type Approval = Extract<AttemptResponse, { kind: 'Approved' }>;

/**
 * What the processor itself says of a key. Final: it executed it, or says that it did not and will not. Not final:
 * `Submitted` and `ChallengeRequired`; the processor has the key, executes it or not, and its last answer comes by a notice
 * or an inquiry. An approved verification has its `credential` here too, wherever it is told of; one without had nothing
 * to store: no token came.
 */
export type DefiniteResponse =
  Exclude<AttemptResponse, Approval> | (Approval & { readonly credential?: CardCredential });

export type ProcessorResponse =
  | DefiniteResponse
  /**
   * Nothing was executed, and nothing will be: `sendBefore` had passed, nothing left this process, or the processor says,
   * in an answer that names this call, that it did not take the request (docs/adr/0019).
   */
  | { readonly kind: 'NotSent'; readonly reason: string }
  /** The outcome is unknown. `lostLink`: the terminal has it; ask for its last transaction. */
  | { readonly kind: 'NoAnswer'; readonly lostLink?: boolean };

/** Approved always means `amount` 0 and a credential. An approval that brings none is `Declined`, with 0: no token came. */
export type VerificationResponse =
  Exclude<ProcessorResponse, Approval> | (Approval & { readonly credential: CardCredential });

export interface Inquiry {
  readonly merchantId: string;
  /** The one that the attempt was sent under. */
  readonly account: string;
  readonly channel: Channel;
  readonly key: string;
  readonly deadlineMs: number;
}

export type InquiryResult =
  | { readonly kind: 'Found'; readonly answer: DefiniteResponse }
  /** The processor knows no such key, now. It may still be on its way. */
  | { readonly kind: 'NotFound' }
  /** It has the key and no result yet. */
  | { readonly kind: 'StillRunning' }
  | { readonly kind: 'NoAnswer' };

export type AnnulResult =
  | { readonly kind: 'Annulled' }
  | { readonly kind: 'AlreadyExecuted'; readonly answer: DefiniteResponse }
  | { readonly kind: 'NoAnswer' };

/** Either clock says too late: a process that was stalled never sends late (real time may have been set back). */
export function mayStillSend(
  call: AttemptCall,
  now: { readonly realMs: number; readonly monotonicMs: number },
): boolean {
  return now.realMs <= call.sendBefore && now.monotonicMs - call.startedAt <= call.sendWithinMs;
}
