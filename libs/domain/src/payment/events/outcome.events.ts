import type {
  AccountType,
  AvsResult,
  CardType,
  Channel,
  CvvResult,
  EntryMode,
  ResponseCode,
  ResultCode,
} from '../../shared/codes.js';
import type { OperationId } from '../../shared/ids.js';
import type { AmountBreakdown, Cents } from '../../shared/money.js';
import type {
  Encrypted,
  PaymentMethodSnapshot,
  OperationEventData,
  CommandEventData,
  ThreeDsFacts,
} from '../../shared/event.shapes.js';

/* What came of it. Storage, as all of payment.events.ts. */

/** Where a fact comes from. `Service`: decided without asking a processor. */
export type OutcomeSource =
  'Answer' | 'LateAnswer' | 'Inquiry' | 'Annul' | 'LastTransaction' | 'Bank' | 'Operator' | 'Service';

/** All that a processor said of a try, raw words beside our codes: reports and fees need no other event. */
export interface AttemptOutcome extends CommandEventData {
  /** 0 where no try was sent: the service answered by itself. */
  readonly try: number;
  readonly source: OutcomeSource;
  /** An operator's, for what an operator resolved. */
  readonly reason?: string;
  readonly responseCode: ResponseCode;
  readonly hostCode?: string;
  readonly hostText?: string;
  readonly authCode?: string;
  readonly gatewayTransactionId?: string;
  readonly networkTransactionId?: string;
  readonly processor?: string;
  readonly processorAccount?: string;
  readonly channel: Channel;
  readonly entryMode?: EntryMode;
  readonly terminalId?: string;
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly card?: {
    readonly cardType: CardType;
    readonly maskedCardNumber: string;
    readonly fundingType?: 'Credit' | 'Debit';
    readonly aid?: string;
    readonly tvr?: string;
  };
  readonly accountType?: AccountType;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
  readonly threeDs?: ThreeDsFacts;
  /** What a terminal prints, without the cardholder's name. */
  readonly receiptLines: readonly string[];
}

export interface Authorized extends AttemptOutcome {
  /** Approved; less than `requestedAmount` is a partial approval. */
  readonly amount: Cents;
  readonly requestedAmount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** Of an authorization; a sale's is captured at once and has none. */
  readonly expiresAt?: string;
}

export interface Captured extends AttemptOutcome {
  readonly amount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** The authorization; a sale's own operation. */
  readonly originalOperationId: OperationId;
}

export interface Refunded extends AttemptOutcome {
  readonly amount: Cents;
  /** Absent on an unreferenced refund. */
  readonly originalOperationId?: OperationId;
}

/** Of a void, and of a refund that was executed as one. */
export interface Voided extends AttemptOutcome {
  readonly amount: Cents;
  readonly originalOperationId: OperationId;
}

export interface Reversed extends AttemptOutcome {
  readonly amount: Cents;
  readonly originalOperationId: OperationId;
}

/** The operation is over and moved no money. */
export interface Declined extends AttemptOutcome {
  readonly resultCode: ResultCode;
}

/** This try moved no money; the operation goes on. */
export interface TryFailed extends AttemptOutcome {
  readonly resultCode: ResultCode;
  readonly cause: 'Declined' | 'ProcessorBatchClosed';
}

export interface Cancelled extends OperationEventData {
  /** 0 where none was sent. */
  readonly try: number;
  readonly by: 'Terminal' | 'Customer' | 'Merchant';
  readonly source: OutcomeSource;
  readonly resultCode: ResultCode;
  /** Absent where no try reached anybody (a form cancelled before its first). */
  readonly responseCode?: ResponseCode;
  readonly hostText?: string;
  readonly terminalId?: string;
}

export type FormExpired = OperationEventData;

/** The processor will never execute the try, and has not. */
export interface NotExecuted extends OperationEventData {
  readonly try: number;
  readonly source: OutcomeSource;
  readonly reason?: string;
}

/** An approval of a try that was closed as "did not happen" (payment protocol 5). */
export interface LateApprovalFound extends AttemptOutcome {
  readonly amount: Cents;
}

/** What was open at the end of an authorization's life; it is reversed. */
export interface AuthorizationExpired extends OperationEventData {
  readonly amount: Cents;
}

/** The batch took this sale, capture, refund or return: from here on it can't be voided. */
export interface Batched extends OperationEventData {
  readonly batchId: string;
  /** The bank return that the batch took; absent where it took the operation itself. */
  readonly returnId?: string;
  /** Signed cents: what the batch counts for the operation after its voids, or for the return. */
  readonly amount: Cents;
}

/**
 * A void or refund of it had no outcome while its batch closed: this closing never takes it, and it waits for the next
 * one. `closingBatchIds` numbers the closings of the batch from 1, since one that took nothing leaves the batch open.
 */
export interface LeftForNextBatch extends OperationEventData {
  readonly batchId: string;
  readonly closing: number;
  /** The void or refund that had no outcome. */
  readonly heldBy: OperationId;
}

export interface BankReturned extends OperationEventData {
  /** The bank's own; the same return told again is no new one. */
  readonly returnId: string;
  /** R01 … */
  readonly code: string;
  readonly reason: string;
  readonly amount: Cents;
}

/** The cardholder's bank took the money back by a dispute. */
export interface ChargebackReceived extends OperationEventData {
  /** The processor's own; the same chargeback told again is no new one. */
  readonly chargebackId: string;
  readonly reason: string;
  readonly amount: Cents;
  readonly reference?: string;
}

export interface NoticeOfChangeReceived extends OperationEventData {
  readonly noticeId: string;
  /** C01 … */
  readonly code: string;
  readonly corrected: Encrypted;
}
