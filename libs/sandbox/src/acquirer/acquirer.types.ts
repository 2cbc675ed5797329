import type {
  AvsResult,
  CardType,
  Cents,
  Channel,
  Currency,
  CvvResult,
  EntryMode,
  ResultCode,
} from '@tillstream/domain';

/** Operations with a card, and follow-ups of an earlier key. `Verify` is a card verification for 0.00. */
export type CardOperation = 'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Verify';
export type FollowUpOperation = 'Capture' | 'Void' | 'Refund' | 'Reverse';
export type Operation = CardOperation | FollowUpOperation;

interface AcquirerRequestBase {
  /** A key executes at most once. */
  readonly key: string;
  readonly merchantId: string;
  /** Other accounts can neither find nor undo the operation. Left out, as in old ledgers: any account. */
  readonly account?: string;
  readonly channel: Channel;
  /** Ignored for `Verify`. */
  readonly amount: Cents;
  readonly currency: Currency;
}

/** Only the account number counts. An EFT account has no type. */
export interface BankAccount {
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly accountType?: 'Checking' | 'Savings';
  readonly name?: string;
}

export interface CardRequest extends AcquirerRequestBase {
  readonly operation: CardOperation;
  /** If present, the terminal takes the card, and `card` is ignored. */
  readonly terminalId?: string;
  readonly card?: { readonly number: string; readonly expDate: string; readonly cvv?: string };
  /** Of a sale on channel `Ach` or `Eft`, instead of `card`. */
  readonly bankAccount?: BankAccount;
  readonly zipCode?: string;
  /** Of a merchant-initiated payment: the id of the payment in which the customer agreed. */
  readonly networkTransactionId?: string;
  readonly originalKey?: never;
}

export interface FollowUpRequest extends AcquirerRequestBase {
  readonly operation: FollowUpOperation;
  readonly originalKey: string;
  readonly terminalId?: never;
  readonly networkTransactionId?: never;
}

export type AcquirerRequest = CardRequest | FollowUpRequest;

/**
 * Two digits are a response code of ISO 8583. `G` and a number is a code of the gateway, which ISO 8583 does not have: the
 * number is one of `docs/spec/codes.md#response-codes`.
 */
export type HostCode = string;

/** The acquirer's response to a key. It never changes, except that the bank's answer follows `Submitted`. */
export interface HostResponse {
  /**
   * `Submitted`: the bank has the request and answers later. `BatchClosed`: a void came after the acquirer's batch had closed. `CustomerCancelled`, `TookTooLong` (result code 3010):
   * the terminal ended the request before it reached the issuer.
   */
  readonly outcome:
    'Approved' | 'Declined' | 'Submitted' | 'BatchClosed' | 'CustomerCancelled' | 'TookTooLong';
  /** 0 unless approved. */
  readonly approvedAmount: Cents;
  readonly hostCode: HostCode;
  readonly hostText: string;
  readonly gatewayTransactionId: string;
  readonly authCode?: string;
  readonly networkTransactionId?: string;
  readonly terminalId?: string;
  readonly entryMode?: EntryMode;
  readonly card?: {
    readonly cardType: CardType;
    readonly maskedNumber: string;
    readonly fundingType?: 'Credit' | 'Debit';
    readonly aid?: string;
    readonly tvr?: string;
  };
  readonly bankAccount?: {
    /** The last four digits are readable. */
    readonly maskedNumber: string;
    readonly accountType?: 'Checking' | 'Savings';
  };
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
}

export interface ResponseWithCredential {
  readonly answer: HostResponse;
  /**
   * The card of an approved verification; `expDate`: MMYY. It is never part of `answer`, because the ledger stores that.
   */
  readonly credential?: { readonly number: string; readonly expDate: string };
}

/** The acquirer's reaction to a request. Delays are data, ms of real time: the sandbox has no timers. */
export type Reaction =
  | ({ readonly kind: 'Answered' } & ResponseWithCredential)
  /** No response now. After `answersAfterMs` `executeDue` returns one; without it no response ever comes. */
  | { readonly kind: 'Silent'; readonly answersAfterMs?: number }
  /** A terminal waits for its customer: the caller polls `pollCustomer`. */
  | { readonly kind: 'AwaitsCustomer' }
  /** The request was not received. */
  | { readonly kind: 'ConnectionRefused' }
  /** The terminal ended the request before it reached the issuer: nothing was charged. */
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode; readonly afterMs: number }
  /** The terminal has the outcome, but has lost its link. */
  | { readonly kind: 'LinkLost' };

export type InquiryReaction =
  | ({ readonly kind: 'Found' } & ResponseWithCredential)
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'StillRunning' }
  | { readonly kind: 'NoAnswer' };

export type AnnulReaction =
  { readonly kind: 'Annulled' } | ({ readonly kind: 'AlreadyExecuted' } & ResponseWithCredential);
