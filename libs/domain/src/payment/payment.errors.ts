/**
 * Why a command was refused, as a closed set of stable names. What they look like over HTTP is not the domain's: several
 * may share a code there.
 */
export type PaymentErrorCode =
  /** No such original in this payment, or one that clients can't name (the service's own reversals). */
  | 'OriginalNotFound'
  /** Void of a bank payment (`docs/spec/bank-payments.md#kinds`). */
  | 'BankPaymentNotVoidable'
  /** The kind of the original never fits: capture of a sale, refund of an authorization, void of a void … */
  | 'WrongOriginalType'
  /** The original is declined, cancelled or expired. */
  | 'OriginalNotApproved'
  | 'BatchClosed'
  /** Void of an authorization of which all is captured. */
  | 'NothingLeftToVoid'
  /** The stream has no number left for a client's operation. */
  | 'TooManyOperations'
  /** The original waits for its own outcome. */
  | 'OriginalUndecided'
  /** "All" is not known while an operation on the original is open. */
  | 'AmountUndecided'
  /** It would fit if what is held came back. */
  | 'AmountHeld'
  | 'InvalidAmount'
  | 'InvalidBreakdown'
  | 'ExplicitAmountRequired'
  | 'AmountAboveOpenAuthorization'
  | 'AmountAboveOpenCapture'
  /** One submission at a time. */
  | 'TryInFlight'
  | 'TriesSpent'
  | 'FormOver'
  /** Its time is up, whether or not that has been written yet. */
  | 'FormExpired'
  /** The payment exists: a stream is opened once. */
  | 'AlreadyOpened'
  /** A step of the protocol that the operation's state does not allow. */
  | 'StepOutOfOrder';

export interface PaymentRejection {
  readonly code: PaymentErrorCode;
  /** A sentence for a developer. */
  readonly message: string;
  /** What was received and what is allowed, in cents where it is money. */
  readonly details?: string;
}
