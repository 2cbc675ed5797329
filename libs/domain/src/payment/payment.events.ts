import type {
  AttemptOutcome,
  AttemptRequested,
  Cancelled,
  Interrupted,
  NotExecuted,
  NotSent,
  ResendRequested,
} from '../attempt/index.js';
import type { ConsentGiven, HostedForm } from '../hosted-form/index.js';
import type { ChallengeEnded, ChallengeOpened, ThreeDsCompleted } from '../three-ds/index.js';
import { eventCodec, type EventsOf, type Upcast } from '../shared/aggregate.js';
import type { Channel, Currency, ResultCode } from '../shared/codes.js';
import type {
  CommandEventData,
  Encrypted,
  OperationEventData,
  PaymentMethodSnapshot,
} from '../shared/event.shapes.js';
import { formatOperationId, parseOperationId, type OperationId } from '../shared/ids.js';
import type { AmountBreakdown, Cents } from '../shared/money.js';

export const PAYMENT_CATEGORY = 'payment';

export function paymentStream(root: string): string {
  return `${PAYMENT_CATEGORY}-${root}`;
}

/** Undefined if the text is not the id of a payment's operation. */
export function streamOfOperation(text: string): string | undefined {
  const address = parseOperationId(text);
  return address?.category === 'payment' ? paymentStream(address.root) : undefined;
}

/** The operation that opened the stream. */
export function openingOperationId(stream: string): OperationId {
  const root = stream.slice(PAYMENT_CATEGORY.length + 1);
  return formatOperationId({ category: 'payment', root, number: 0 });
}

export interface OperationRequested extends CommandEventData {
  readonly referenceId: string;
  /** The requested amount, or the whole amount if the request named none. */
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
  /** Present if a customer fills in a hosted form. The attempts come later, one for each submission. */
  readonly form?: HostedForm;
}

export interface FollowUpRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
}

/** The kind of an attempt. A reversal is executed as a refund if its batch has closed. */
export type ProcessorOperation =
  'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Capture' | 'Void' | 'Refund' | 'Reverse';

interface Approved extends AttemptOutcome {
  readonly amount: Cents;
}

interface FollowUpApproved extends Approved {
  readonly originalOperationId: OperationId;
}

/**
 * The data of each type of event. Storage: these shapes never change (docs/adr/0014). A changed shape gets a new schema
 * version and an upcast in `paymentCodec`. Times are RFC 3339 UTC with milliseconds, by the service clock; `sendBefore`
 * and `answerBefore` are real time.
 */
export interface PaymentEvents {
  // Requests of a client. Each holds its amount until it has an outcome.
  SaleRequested: PaymentRequested;
  AuthorizationRequested: PaymentRequested;
  UnreferencedRefundRequested: PaymentRequested;
  CaptureRequested: FollowUpRequested;
  /** A refund in the current batch is executed as a void (`docs/spec/payments.md#refund`). */
  RefundRequested: FollowUpRequested & { readonly executedAs: 'Void' | 'Refund' };
  VoidRequested: FollowUpRequested;

  /** A request of the service itself. `originalTry`: the attempt of the original whose approval is undone. */
  ReversalRequested: CommandEventData & {
    readonly originalOperationId: OperationId;
    readonly originalTry: number;
    readonly amount: Cents;
    readonly cause: 'AuthorizationExpired' | 'LateApproval';
  };

  // Attempts.
  /** Of a bank account at a form: in the append of the attempt that it authorizes. */
  ConsentGiven: ConsentGiven;
  TryRequested: AttemptRequested & {
    readonly executedAs: ProcessorOperation;
    readonly amount: Cents;
    readonly networkTransactionId?: string;
  };
  ResendRequested: ResendRequested;
  NotSent: NotSent;
  Interrupted: Interrupted;
  ThreeDsCompleted: ThreeDsCompleted;
  ChallengeOpened: ChallengeOpened;
  ChallengeEnded: ChallengeEnded;
  Submitted: AttemptOutcome;
  /** The attempt moved no money; the operation goes on. */
  TryFailed: AttemptOutcome & {
    readonly resultCode: ResultCode;
    readonly cause: 'Declined' | 'ProcessorBatchClosed';
  };

  // Outcomes. A sale is Authorized + Captured in one append, with one operation id.
  /** `amount` is below `requestedAmount` in a partial approval. A sale is captured at once and has no `expiresAt`. */
  Authorized: Approved & {
    readonly requestedAmount: Cents;
    readonly amountBreakdown: AmountBreakdown;
    readonly expiresAt?: string;
  };
  /** `originalOperationId`: the authorization; for a sale, the sale itself. */
  Captured: FollowUpApproved & { readonly amountBreakdown: AmountBreakdown };
  /** An unreferenced refund has no original. */
  Refunded: Approved & { readonly originalOperationId?: OperationId };
  /** Of a void, and of a refund that was executed as one. */
  Voided: FollowUpApproved;
  Reversed: FollowUpApproved;
  /** The operation has ended and moved no money. */
  Declined: AttemptOutcome & { readonly resultCode: ResultCode };
  Cancelled: Cancelled;
  FormExpired: OperationEventData;
  NotExecuted: NotExecuted;

  // Facts that no open request caused.
  /** An approval of an attempt that was closed as not executed (`docs/adr/0004-requests-attempts-and-outcomes.md#payment-protocol`). */
  LateApprovalFound: Approved;
  /** The amount that was open when the authorization expired. A reversal follows. */
  AuthorizationExpired: OperationEventData & { readonly amount: Cents };
  /**
   * The batch took this sale, capture, refund, or, with `returnId` or `chargebackId`, a bank return or chargeback of it.
   * From here on it can not be voided. `amount`: signed cents, the operation's amount minus its voids, or minus the amount
   * of the return or chargeback. Version 1 had no `chargebackId`.
   */
  Batched: OperationEventData & {
    readonly batchId: string;
    readonly returnId?: string;
    readonly chargebackId?: string;
    readonly amount: Cents;
  };
  /**
   * The void or refund `heldBy` had no outcome while the batch closed. This closing never takes the operation; the next
   * one may. `closing` numbers the closings of the batch from 1, since an empty closing leaves the batch open.
   */
  LeftForNextBatch: OperationEventData & {
    readonly batchId: string;
    readonly closing: number;
    readonly heldBy: OperationId;
  };
  /** `returnId`: the bank's own id, equal in a repeated notice. `code`: R01 … */
  BankReturned: OperationEventData & {
    readonly returnId: string;
    readonly code: string;
    readonly reason: string;
    readonly amount: Cents;
  };
  /** `code`: C01 … */
  NoticeOfChangeReceived: OperationEventData & {
    readonly noticeId: string;
    readonly code: string;
    readonly corrected: Encrypted;
  };
  /** The cardholder's bank took the money back after a dispute. `chargebackId` is equal in a repeated notice. */
  ChargebackReceived: OperationEventData & {
    readonly chargebackId: string;
    readonly reason: string;
    readonly amount: Cents;
    readonly reference?: string;
  };
}

export type PaymentEvent = EventsOf<PaymentEvents>;

/** The service wrote version 1 only when a client had waited, and never for a lost connection to a terminal. */
const interruptedWithCause: Upcast = (data) => ({ ...data, cause: 'NoAnswer', lostLink: false });

/** The processor ran every challenge of version 1. */
const byProcessor: Upcast = (data) => data;

/** No batch of version 1 took a chargeback. */
const withoutChargeback: Upcast = (data) => data;

/** Frozen examples of each version are in `fixtures/`. */
export const paymentCodec = eventCodec<PaymentEvent>({
  types: {
    SaleRequested: [],
    AuthorizationRequested: [],
    UnreferencedRefundRequested: [],
    CaptureRequested: [],
    RefundRequested: [],
    VoidRequested: [],
    ReversalRequested: [],
    ConsentGiven: [],
    TryRequested: [],
    ResendRequested: [],
    NotSent: [],
    Interrupted: [interruptedWithCause],
    ThreeDsCompleted: [],
    ChallengeOpened: [byProcessor],
    ChallengeEnded: [],
    Submitted: [],
    TryFailed: [],
    Authorized: [],
    Captured: [],
    Refunded: [],
    Voided: [],
    Reversed: [],
    Declined: [],
    Cancelled: [],
    FormExpired: [],
    NotExecuted: [],
    LateApprovalFound: [],
    AuthorizationExpired: [],
    Batched: [withoutChargeback],
    LeftForNextBatch: [],
    BankReturned: [],
    NoticeOfChangeReceived: [],
    ChargebackReceived: [],
  },
});
