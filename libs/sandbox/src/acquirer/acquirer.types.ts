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

/**
 * Operations that start from a card, and those about an earlier key. `Verify` asks about a card for 0.00, so that it can
 * be stored. `Reverse` is how the service undoes by itself.
 */
export type CardOperation = 'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Verify';
export type FollowUpOperation = 'Capture' | 'Void' | 'Refund' | 'Reverse';
export type Operation = CardOperation | FollowUpOperation;

interface AcquirerRequestBase {
  /** A key executes at most once, whatever is sent with it later. */
  readonly key: string;
  readonly merchantId: string;
  /** The merchant's account here: what it did is nobody else's to ask or to undo. Left out, as in old books: any. */
  readonly account?: string;
  readonly channel: Channel;
  /** Of a `Verify`: not looked at. */
  readonly amount: Cents;
  readonly currency: Currency;
}

export interface CardRequest extends AcquirerRequestBase {
  readonly operation: CardOperation;
  /** Present: the terminal takes the card, and `card` is not looked at. */
  readonly terminalId?: string;
  readonly card?: { readonly number: string; readonly expDate: string; readonly cvv?: string };
  readonly zipCode?: string;
  /** Merchant-initiated: that of the payment in which the customer agreed. */
  readonly networkTransactionId?: string;
}

export interface FollowUpRequest extends AcquirerRequestBase {
  readonly operation: FollowUpOperation;
  readonly originalKey: string;
}

export type AcquirerRequest = CardRequest | FollowUpRequest;

/**
 * Two digits are a response code of ISO 8583. `G` and a number is a gateway's own code, for what ISO has no word for:
 * the number then is one of `docs/spec/codes.md#response-codes`.
 */
export type HostCode = string;

/** What the acquirer says of a key it has executed or refused. It never changes afterwards. */
export interface HostResponse {
  /**
   * `BatchClosed`: a void came after the acquirer's own batch had closed. Before the issuer was asked:
   * `CustomerCancelled` on the terminal, `TookTooLong` (the terminal ended it with result code 3010).
   */
  readonly outcome: 'Approved' | 'Declined' | 'BatchClosed' | 'CustomerCancelled' | 'TookTooLong';
  /** 0 unless approved. */
  readonly approvedAmount: Cents;
  readonly hostCode: HostCode;
  readonly hostText: string;
  readonly gatewayTransactionId: string;
  readonly authCode?: string;
  readonly networkTransactionId?: string;
  readonly terminalId?: string;
  readonly entryMode?: EntryMode;
  readonly card?: HostCard;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
}

export interface HostCard {
  readonly cardType: CardType;
  readonly maskedNumber: string;
  readonly fundingType?: 'Credit' | 'Debit';
  readonly aid?: string;
  readonly tvr?: string;
}

/** A verified card, as it can be stored. Never part of a `HostResponse`, which is written to the ledger. MMYY. */
export interface HostCredential {
  readonly number: string;
  readonly expDate: string;
}

/** `credential`: of a verification that was approved, each time that its answer is given. */
export interface ResponseWithCredential {
  readonly answer: HostResponse;
  readonly credential?: HostCredential;
}

/**
 * What whoever sent a request gets to see, as data: the sandbox keeps no timers, so that nothing of a charge lives in
 * a process's memory. Real time, ms.
 */
export type Reaction =
  | ({ readonly kind: 'Answered' } & ResponseWithCredential)
  /** Nothing now. `answersAfterMs`: then `executeDue` gives an answer; without it none ever comes. */
  | { readonly kind: 'Silent'; readonly answersAfterMs?: number }
  /** A terminal waits for its customer: ask `pollCustomer` again and again what became of the key. */
  | { readonly kind: 'AwaitsCustomer' }
  /** Nothing was received. */
  | { readonly kind: 'ConnectionRefused' }
  /** The terminal ended it before the issuer was asked: nothing was charged. */
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode; readonly afterMs: number }
  /** The terminal has the outcome, and the link to it is gone. */
  | { readonly kind: 'LinkLost' };

export type InquiryReaction =
  | ({ readonly kind: 'Found' } & ResponseWithCredential)
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'StillRunning' }
  | { readonly kind: 'NoAnswer' };

export type AnnulReaction =
  { readonly kind: 'Annulled' } | ({ readonly kind: 'AlreadyExecuted' } & ResponseWithCredential);
