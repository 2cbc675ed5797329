import type {
  AccountType,
  AvsResult,
  CardType,
  Channel,
  Currency,
  CvvResult,
  EntryMode,
  ResponseCode,
  ResultCode,
  ThreeDsStatus,
} from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { AmountBreakdown, Cents } from '../shared/money.js';

/*
 * These shapes are storage: once landed they never change. What must be said otherwise gets a new schema version and an
 * upcast in payment.codec.ts; what is new gets a new event type.
 *
 * Times are RFC 3339 UTC with milliseconds, by the service's clock, but `sendBefore` and `answerBefore`, which are real time.
 */

export type PaymentEvent =
  // A client asked. Each holds its amount until an outcome.
  | Event<'SaleRequested', PaymentRequested>
  | Event<'AuthorizationRequested', PaymentRequested>
  | Event<'UnreferencedRefundRequested', PaymentRequested>
  | Event<'CaptureRequested', CaptureRequested>
  | Event<'RefundRequested', RefundRequested>
  | Event<'VoidRequested', VoidRequested>
  // The service asked of itself.
  | Event<'ReversalRequested', ReversalRequested>
  // On the way to the processor.
  | Event<'TryRequested', TryRequested>
  | Event<'ResendRequested', ResendRequested>
  | Event<'NotSent', NotSent>
  | Event<'Interrupted', Interrupted>
  | Event<'ChallengeOpened', ChallengeOpened>
  | Event<'ChallengeEnded', ChallengeEnded>
  | Event<'Submitted', TryOutcome>
  | Event<'TryFailed', TryFailed>
  // How an operation ended. A sale is Authorized + Captured in one append under one operation id.
  | Event<'Authorized', Authorized>
  | Event<'Captured', Captured>
  | Event<'Refunded', Refunded>
  | Event<'Voided', Voided>
  | Event<'Reversed', Reversed>
  | Event<'Declined', Declined>
  | Event<'Cancelled', Cancelled>
  | Event<'FormExpired', FormExpired>
  | Event<'NotExecuted', NotExecuted>
  // Facts that come on their own.
  | Event<'LateApprovalFound', LateApprovalFound>
  | Event<'AuthorizationExpired', AuthorizationExpired>
  | Event<'Batched', Batched>
  | Event<'BankReturned', BankReturned>
  | Event<'NoticeOfChangeReceived', NoticeOfChangeReceived>;

export interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

export type PaymentEventType = PaymentEvent['type'];
export type PaymentEventOf<Type extends PaymentEventType> = Extract<PaymentEvent, { type: Type }>;

/** Ciphertext of personal data under a key that erasure destroys: history keeps its shape without the person. */
export interface Encrypted {
  readonly keyId: string;
  readonly iv: string;
  readonly ciphertext: string;
}

/** The payment method as it was at that moment. Never a card number or an expiry in the clear. */
export interface PaymentMethodSnapshot {
  readonly id: string;
  readonly type: 'Physical' | 'Virtual' | 'VirtualAch' | 'VirtualEft' | 'Token';
  readonly currency: Currency;
  readonly description?: string;
  readonly cardType?: CardType;
  readonly maskedCardNumber?: string;
  readonly accountType?: AccountType;
  /** Masked. */
  readonly accountNumber?: string;
  /** Billing contact and card expiry. */
  readonly personal?: Encrypted;
}

interface OfOperation {
  readonly at: string;
  readonly operationId: OperationId;
}

interface OfCommand extends OfOperation {
  /** Made before the request is decided: deciding it again finds this operation instead of beginning another. */
  readonly commandId: string;
}

interface OperationRequested extends OfCommand {
  readonly referenceId: string;
  /** Asked for, or implied where the request named none. */
  readonly amount: Cents;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
  readonly invoiceNumber?: string;
  readonly orderNumber?: string;
}

export interface PaymentRequested extends OperationRequested {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly channel: Channel;
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly terminalId?: string;
  readonly accountHolderId?: string;
  readonly initiator?: 'Customer' | 'Merchant';
  readonly initiatorReason?: 'Recurring' | 'Installment' | 'Unscheduled';
  /** Present where a customer fills in a hosted form: the tries come later, one for each submission. */
  readonly form?: HostedForm;
}

export interface HostedForm {
  /** SHA-256 of the session id, hex: the id itself is a credential. */
  readonly sessionHash: string;
  readonly expiresAt: string;
  readonly returnUrl?: string;
  readonly useJavaScriptCallback: boolean;
  readonly billingInfoCaptureLevel: 'Minimal' | 'Full';
  readonly enable3DSecure: boolean;
  readonly piiFields: readonly ('Email' | 'Phone')[];
}

export interface CaptureRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
}

export interface RefundRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
  /** A refund in the current batch is executed as a void (`interface.md` 3.1). */
  readonly executedAs: 'Void' | 'Refund';
}

export interface VoidRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
}

export interface ReversalRequested extends OfCommand {
  readonly originalOperationId: OperationId;
  /** The try of the original whose approval is undone. */
  readonly originalTry: number;
  readonly amount: Cents;
  readonly cause: 'AuthorizationExpired' | 'LateApproval';
}

/** What a try asks of the processor. A reversal is executed as a refund where its batch has closed. */
export type ProcessorOperation =
  'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Capture' | 'Void' | 'Refund' | 'Reverse';

export interface TryRequested extends OfCommand {
  /** From 1; the processor's key is `<operation id>.<try>`. */
  readonly try: number;
  readonly executedAs: ProcessorOperation;
  readonly amount: Cents;
  /** Real time: nothing of this try leaves after it. */
  readonly sendBefore: string;
  /** Real time: `sendBefore` and the deadline; whoever sent it has given up by then. */
  readonly answerBefore: string;
  readonly processor: string;
  readonly processorAccount: string;
  readonly networkTransactionId?: string;
}

/** The resolver sends a try again under its own key: from here on the first sender's `NotSent` counts no more. */
export interface ResendRequested extends OfOperation {
  readonly try: number;
  readonly sendBefore: string;
  readonly answerBefore: string;
}

export interface NotSent extends OfOperation {
  readonly try: number;
  readonly reason: string;
}

/** Schema 2. Schema 1 had no `cause`: all of it was `NoAnswer`. */
export interface Interrupted extends OfOperation {
  readonly try: number;
  /** `NoAnswer`: the caller waited and was told. `Abandoned`: found without an outcome, as after a crash. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The terminal may know more: its last transaction is asked for. */
  readonly lostLink: boolean;
}

export interface ThreeDsFacts {
  readonly status: ThreeDsStatus;
  readonly cavv?: string;
  readonly eci?: string;
  readonly xid?: string;
  readonly dsTransId?: string;
  readonly threeDReasonId?: string;
  readonly threeDReason?: string;
}

export interface ChallengeOpened extends OfOperation {
  readonly try: number;
  readonly challengeId: string;
  readonly redirectUrl: string;
  readonly expiresAt: string;
}

export interface ChallengeEnded extends OfOperation {
  readonly try: number;
  readonly challengeId: string;
  readonly threeDs: ThreeDsFacts;
  /** Where the try now goes on to the processor. Real time, as in its request, whose own has passed by now. */
  readonly resumes?: { readonly sendBefore: string; readonly answerBefore: string };
}

/** Where a fact comes from. `Service`: decided without asking a processor. */
export type OutcomeSource =
  'Answer' | 'LateAnswer' | 'Inquiry' | 'Annul' | 'LastTransaction' | 'Bank' | 'Operator' | 'Service';

/** All that a processor said of a try, raw words beside our codes: reports and fees need no other event. */
export interface TryOutcome extends OfCommand {
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

export interface Authorized extends TryOutcome {
  /** Approved; less than `requestedAmount` is a partial approval. */
  readonly amount: Cents;
  readonly requestedAmount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** Of an authorization; a sale's is captured at once and has none. */
  readonly expiresAt?: string;
}

export interface Captured extends TryOutcome {
  readonly amount: Cents;
  readonly amountBreakdown: AmountBreakdown;
  /** The authorization; a sale's own operation. */
  readonly originalOperationId: OperationId;
}

export interface Refunded extends TryOutcome {
  readonly amount: Cents;
  /** Absent on an unreferenced refund. */
  readonly originalOperationId?: OperationId;
}

/** Of a void, and of a refund that was executed as one. */
export interface Voided extends TryOutcome {
  readonly amount: Cents;
  readonly originalOperationId: OperationId;
}

export interface Reversed extends TryOutcome {
  readonly amount: Cents;
  readonly originalOperationId: OperationId;
}

/** The operation is over and moved no money. */
export interface Declined extends TryOutcome {
  readonly resultCode: ResultCode;
}

/** This try moved no money; the operation goes on. */
export interface TryFailed extends TryOutcome {
  readonly resultCode: ResultCode;
  readonly cause: 'Declined' | 'ProcessorBatchClosed';
}

export interface Cancelled extends OfOperation {
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

export type FormExpired = OfOperation;

/** The processor will never execute the try, and has not. */
export interface NotExecuted extends OfOperation {
  readonly try: number;
  readonly source: OutcomeSource;
  readonly reason?: string;
}

/** An approval of a try that was closed as "did not happen" (payment protocol 5). */
export interface LateApprovalFound extends TryOutcome {
  readonly amount: Cents;
}

/** What was open at the end of an authorization's life; it is reversed. */
export interface AuthorizationExpired extends OfOperation {
  readonly amount: Cents;
}

/** The batch took this sale, capture, refund or return: from here on it can't be voided. */
export interface Batched extends OfOperation {
  readonly batchId: string;
  /** The bank return that the batch took; absent where it took the operation itself. */
  readonly returnId?: string;
  /** Signed cents: what the batch counts for the operation after its voids, or for the return. */
  readonly amount: Cents;
}

export interface BankReturned extends OfOperation {
  /** The bank's own; the same return told again is no new one. */
  readonly returnId: string;
  /** R01 … */
  readonly code: string;
  readonly reason: string;
  readonly amount: Cents;
}

export interface NoticeOfChangeReceived extends OfOperation {
  readonly noticeId: string;
  /** C01 … */
  readonly code: string;
  readonly corrected: Encrypted;
}
