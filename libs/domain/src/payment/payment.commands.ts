import type { AttemptPlan, SendWindow } from '../attempt/index.js';
import type { FormErrorCode } from '../hosted-form/index.js';
import { rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import type { OperationId } from '../shared/ids.js';
import type { FollowUpRequested, PaymentEvent, PaymentRequested } from './payment.events.js';

/** `referenceId` is derived from the operation's id if it is absent. */
export interface OpenPayment
  extends Omit<PaymentRequested, 'referenceId'>, Partial<Pick<PaymentRequested, 'referenceId'>> {
  readonly kind: 'Sale' | 'Auth' | 'UnreferencedRefund';
  /** For an attempt at once. Absent with a `form`, which waits for its customer. */
  readonly attemptPlan?: AttemptPlan;
}

/** Without `amount`: the whole amount. */
export interface FollowUp
  extends
    Omit<FollowUpRequested, 'operationId' | 'referenceId' | 'amount'>,
    Partial<Pick<FollowUpRequested, 'referenceId' | 'amount'>> {
  /** The attempt goes to the processor and account of the original. */
  readonly sendWindow: SendWindow;
}

/** The value is the operation of this command or, without events, of an earlier one with the same `commandId`. */
export type PaymentDecision = Decision<PaymentEvent, PaymentRejection, OperationId>;

/** The reason of a rejection. The API maps these codes to HTTP; several may share an HTTP error code. */
export type PaymentErrorCode =
  /** The payment has no such original, or it is a reversal, which clients can not name. */
  | 'OriginalNotFound'
  /** Void of a bank payment (`docs/spec/bank-payments.md#kinds`). */
  | 'BankPaymentNotVoidable'
  /** The kind of the original does not allow it: capture of a sale, refund of an authorization, void of a void … */
  | 'WrongOriginalType'
  /** The original is declined, cancelled or expired. */
  | 'OriginalNotApproved'
  | 'BatchClosed'
  /** Void of an authorization that is fully captured. */
  | 'NothingLeftToVoid'
  /** The stream has no operation number left for clients. */
  | 'TooManyOperations'
  /** The original has no outcome yet. */
  | 'OriginalUndecided'
  /** Without an amount, while an operation on the original has no outcome. */
  | 'AmountUndecided'
  /** The amount would fit if the pending operations were declined. */
  | 'AmountHeld'
  | 'InvalidAmount'
  | 'InvalidBreakdown'
  | 'ExplicitAmountRequired'
  | 'AmountAboveOpenAuthorization'
  | 'AmountAboveOpenCapture'
  | FormErrorCode
  /** The payment exists: a stream is opened once. */
  | 'AlreadyOpened'
  /** A step of the protocol that the operation's state does not allow. */
  | 'StepOutOfOrder';

export interface PaymentRejection {
  readonly code: PaymentErrorCode;
  /** A sentence for a developer. */
  readonly message: string;
  /** The received and the allowed value, money in cents. */
  readonly details?: string;
}

export function reject(
  code: PaymentErrorCode,
  message: string,
  details?: string,
): Rejected<PaymentRejection> {
  return rejected({ code, message, ...(details !== undefined && { details }) });
}
