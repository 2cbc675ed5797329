import type { Channel, Currency } from '../../shared/codes.js';
import type { OperationId } from '../../shared/ids.js';
import type { AmountBreakdown, Cents } from '../../shared/money.js';
import type {
  PaymentMethodSnapshot,
  OperationEventData,
  CommandEventData,
  ThreeDsFacts,
} from '../../shared/event.shapes.js';

/* Requests and attempts. Storage: see payment.events.ts. */

interface OperationRequested extends CommandEventData {
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

export interface HostedForm {
  /** SHA-256 of the session id, hex; the id itself is a credential. */
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
  /** A refund in the current batch is executed as a void (`docs/spec/payments.md#refund`). */
  readonly executedAs: 'Void' | 'Refund';
}

export interface VoidRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
}

export interface ReversalRequested extends CommandEventData {
  readonly originalOperationId: OperationId;
  /** The attempt of the original whose approval is undone. */
  readonly originalTry: number;
  readonly amount: Cents;
  readonly cause: 'AuthorizationExpired' | 'LateApproval';
}

/** The kind of an attempt. A reversal is executed as a refund if its batch has closed. */
export type ProcessorOperation =
  'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Capture' | 'Void' | 'Refund' | 'Reverse';

export interface TryRequested extends CommandEventData {
  /** From 1; the processor's key is `<operation id>.<try>`. */
  readonly try: number;
  readonly executedAs: ProcessorOperation;
  readonly amount: Cents;
  /** Real time: nothing of the attempt is sent after it. */
  readonly sendBefore: string;
  /** Real time: `sendBefore` plus the deadline. The sender waits no longer. */
  readonly answerBefore: string;
  readonly processor: string;
  readonly processorAccount: string;
  readonly networkTransactionId?: string;
}

/** The resolver sends an attempt again under its own key. From here on a `NotSent` of the first sender does not count. */
export interface ResendRequested extends OperationEventData {
  readonly try: number;
  readonly sendBefore: string;
  readonly answerBefore: string;
}

export interface NotSent extends OperationEventData {
  readonly try: number;
  readonly reason: string;
}

/** Version 2. Version 1 had no `cause`; it always meant `NoAnswer`. */
export interface Interrupted extends OperationEventData {
  readonly try: number;
  /** `NoAnswer`: the client waited and got this answer. `Abandoned`: the resolver found it open, as after a crash. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The connection to the terminal was lost. The resolver asks the terminal for its last transaction. */
  readonly lostLink: boolean;
}

export interface ChallengeOpened extends OperationEventData {
  readonly try: number;
  readonly challengeId: string;
  readonly redirectUrl: string;
  readonly expiresAt: string;
}

export interface ChallengeEnded extends OperationEventData {
  readonly try: number;
  readonly challengeId: string;
  readonly threeDs: ThreeDsFacts;
  /** The new send window, if the attempt goes on to the processor. Real time. */
  readonly resumes?: { readonly sendBefore: string; readonly answerBefore: string };
}
