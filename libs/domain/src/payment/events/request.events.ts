import type { Channel, Currency } from '../../shared/codes.js';
import type { OperationId } from '../../shared/ids.js';
import type { AmountBreakdown, Cents } from '../../shared/money.js';
import type {
  PaymentMethodSnapshot,
  OperationEventData,
  CommandEventData,
  ThreeDsFacts,
} from '../../shared/event.shapes.js';

/* What was asked for, and its way to the processor. Storage, as all of payment.events.ts. */

interface OperationRequested extends CommandEventData {
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
  /** A refund in the current batch is executed as a void (`docs/spec/payments.md#refund`). */
  readonly executedAs: 'Void' | 'Refund';
}

export interface VoidRequested extends OperationRequested {
  readonly originalOperationId: OperationId;
}

export interface ReversalRequested extends CommandEventData {
  readonly originalOperationId: OperationId;
  /** The try of the original whose approval is undone. */
  readonly originalTry: number;
  readonly amount: Cents;
  readonly cause: 'AuthorizationExpired' | 'LateApproval';
}

/** What a try asks of the processor. A reversal is executed as a refund where its batch has closed. */
export type ProcessorOperation =
  'Sale' | 'Authorize' | 'UnreferencedRefund' | 'Capture' | 'Void' | 'Refund' | 'Reverse';

export interface TryRequested extends CommandEventData {
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
export interface ResendRequested extends OperationEventData {
  readonly try: number;
  readonly sendBefore: string;
  readonly answerBefore: string;
}

export interface NotSent extends OperationEventData {
  readonly try: number;
  readonly reason: string;
}

/** Schema 2. Schema 1 had no `cause`: all of it was `NoAnswer`. */
export interface Interrupted extends OperationEventData {
  readonly try: number;
  /** `NoAnswer`: the caller waited and was told. `Abandoned`: found without an outcome, as after a crash. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The terminal may know more: its last transaction is asked for. */
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
  /** Where the try now goes on to the processor. Real time, as in its request, whose own has passed by now. */
  readonly resumes?: { readonly sendBefore: string; readonly answerBefore: string };
}
