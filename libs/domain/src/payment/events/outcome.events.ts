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

/* Outcomes and later facts. Storage: see payment.events.ts. */

/** The source of a fact. `Service`: decided without a processor. */
export type OutcomeSource =
  'Answer' | 'LateAnswer' | 'Inquiry' | 'Annul' | 'LastTransaction' | 'Bank' | 'Operator' | 'Service';

/** A processor's answer to an attempt, with the processor's raw codes, so that reports and fees need no other event. */
export interface AttemptOutcome extends CommandEventData {
  /** 0 if the service answered without an attempt. */
  readonly try: number;
  readonly source: OutcomeSource;
  /** The operator's reason of a manual resolution. */
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
  /** The terminal's receipt, without the cardholder's name. */
  readonly receiptLines: readonly string[];
}

export interface Authorized extends AttemptOutcome {
  /** The approved amount; less than `requestedAmount` in a partial approval. */
  readonly amount: Cents;
  readonly requestedAmount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** Of an authorization. A sale has none, since it is captured at once. */
  readonly expiresAt?: string;
}

export interface Captured extends AttemptOutcome {
  readonly amount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** The authorization; for a sale, the sale itself. */
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

/** The operation has ended and moved no money. */
export interface Declined extends AttemptOutcome {
  readonly resultCode: ResultCode;
}

/** The attempt moved no money; the operation goes on. */
export interface TryFailed extends AttemptOutcome {
  readonly resultCode: ResultCode;
  readonly cause: 'Declined' | 'ProcessorBatchClosed';
}

export interface Cancelled extends OperationEventData {
  /** 0 if no attempt was sent. */
  readonly try: number;
  readonly by: 'Terminal' | 'Customer' | 'Merchant';
  readonly source: OutcomeSource;
  readonly resultCode: ResultCode;
  /** Absent if a form was cancelled before its first attempt. */
  readonly responseCode?: ResponseCode;
  readonly hostText?: string;
  readonly terminalId?: string;
}

export type FormExpired = OperationEventData;

/** The processor has not executed the attempt and never will. */
export interface NotExecuted extends OperationEventData {
  readonly try: number;
  readonly source: OutcomeSource;
  readonly reason?: string;
}

/** An approval of an attempt that was closed as not executed (payment protocol 5). */
export interface LateApprovalFound extends AttemptOutcome {
  readonly amount: Cents;
}

/** The amount that was open when the authorization expired. A reversal follows. */
export interface AuthorizationExpired extends OperationEventData {
  readonly amount: Cents;
}

/** The batch took this sale, capture, refund or return. From here on it can not be voided. */
export interface Batched extends OperationEventData {
  readonly batchId: string;
  /** The bank return that the batch took; absent if it took the operation itself. */
  readonly returnId?: string;
  /** Signed cents: the operation's amount minus its voids, or the return's amount. */
  readonly amount: Cents;
}

/**
 * A void or refund of the operation had no outcome while its batch closed. This closing never takes the operation; the
 * next one may. `closing` numbers the closings of the batch from 1, since an empty closing leaves the batch open.
 */
export interface LeftForNextBatch extends OperationEventData {
  readonly batchId: string;
  readonly closing: number;
  /** The void or refund that had no outcome. */
  readonly heldBy: OperationId;
}

export interface BankReturned extends OperationEventData {
  /** The bank's own id; a repeated notice has the same id. */
  readonly returnId: string;
  /** R01 … */
  readonly code: string;
  readonly reason: string;
  readonly amount: Cents;
}

/** The cardholder's bank took the money back after a dispute. */
export interface ChargebackReceived extends OperationEventData {
  /** The processor's own id; a repeated notice has the same id. */
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
