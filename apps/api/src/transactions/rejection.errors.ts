import { ErrorCode } from '@tillstream/contracts';
import type { HolderResult, RequestRejection, StoredCardRejection } from '@tillstream/payments';
import { ApiError } from '../http/api.error.js';

export type Rejection =
  RequestRejection | StoredCardRejection | Extract<HolderResult, { kind: 'Rejected' }>['rejection'];

export type RejectionCode = Rejection['code'];

interface RejectionError {
  readonly http: 400 | 404 | 409;
  readonly code: number;
  /** The field that is to be changed. */
  readonly field?: string;
  /** What was received and what is allowed, for a rejection without details of its own. */
  readonly details?: string;
}

const error =
  (http: RejectionError['http']) =>
  (code: number, field?: string, details?: string): RejectionError => ({
    http,
    code,
    ...(field !== undefined && { field }),
    ...(details !== undefined && { details }),
  });
const invalid = error(400);
const missing = error(404);
const undecided = error(409);
const notYet = undecided(ErrorCode.TransactionNotCompleteYet);

/** Becomes `originalReferenceId` where the client sent that. */
const ORIGINAL = 'originalTransactionId';

const USABLE = 'allowed the id of a terminal that GET /payment-methods lists';

/**
 * The HTTP error of each rejection (`docs/spec/errors.md#when-each-code-is-answered`). A rejected request stored
 * nothing.
 */
const ERRORS: Readonly<Record<RejectionCode, RejectionError>> = {
  OriginalNotFound: missing(ErrorCode.ResourceNotFound),
  OriginalReferenceNotFound: missing(ErrorCode.ResourceNotFound),
  OriginalReferenceAmbiguous: invalid(
    ErrorCode.RequestValidationGenericError,
    'originalReferenceId',
    'received a reference of several transactions, allowed originalTransactionId instead',
  ),
  PaymentMethodRequired: invalid(ErrorCode.RequestValidationGenericError, 'paymentMethodId'),
  PaymentMethodNotFound: missing(
    ErrorCode.PaymentMethodNotFound,
    'paymentMethodId',
    `received the id of no payment method, ${USABLE}`,
  ),
  PaymentMethodTypeUnfit: invalid(ErrorCode.InvalidPaymentMethodType, 'paymentMethodId'),
  BankPaymentNotVoidable: invalid(ErrorCode.InvalidPaymentMethodType),
  PaymentMethodDisabled: invalid(
    ErrorCode.PaymentMethodUsageRestricted,
    'paymentMethodId',
    `received the id of a disabled one, ${USABLE}`,
  ),
  TokenNotFound: missing(
    ErrorCode.TokenizedCardNotFound,
    'paymentMethodId',
    'received the id of no stored payment method of yours, allowed a pmt_tkn_ id that was not removed',
  ),
  TokenNotFinished: undecided(
    ErrorCode.ResourceNotReadyError,
    'paymentMethodId',
    'received one whose card is still being checked, allowed once its creation is completed',
  ),
  OperationNotEnabled: invalid(
    ErrorCode.PaymentMethodUsageRestricted,
    'paymentMethodId',
    'received one that can not be authorized, allowed a sale with it',
  ),
  NoProcessor: invalid(
    ErrorCode.PaymentMethodUsageRestricted,
    'paymentMethodId',
    'received one that no processor is configured for, allowed one of a configured channel and currency',
  ),
  ExpiryOfBankAccount: invalid(
    ErrorCode.RequestValidationGenericError,
    'cardExpDate',
    'received one for a bank account, allowed none',
  ),
  ExpiryInThePast: invalid(
    ErrorCode.RequestValidationGenericError,
    'cardExpDate',
    'received a month that is over, allowed this month or a later one',
  ),
  HolderNotFound: missing(
    ErrorCode.AccountHolderNotFound,
    'accountHolder.id',
    'received the id of no account holder of yours, allowed an acc_ id that was not erased',
  ),
  ExternalIdTaken: invalid(
    ErrorCode.InvalidAccountHolderInformation,
    'externalId',
    'received the external id of another account holder, allowed one that is free',
  ),
  UnreferencedRefundsOff: invalid(
    ErrorCode.PaymentMethodUsageRestricted,
    undefined,
    'received a refund without an original, allowed once they are enabled for this merchant',
  ),
  DailyLimitReached: invalid(ErrorCode.PaymentMethodUsageRestricted, 'amount'),
  WrongOriginalType: invalid(
    ErrorCode.InvalidTransactionType,
    ORIGINAL,
    'received a transaction of a type that does not fit, allowed one that this request can follow',
  ),
  OriginalNotApproved: invalid(
    ErrorCode.InvalidTransactionType,
    ORIGINAL,
    'received one that was not approved, allowed one with responseCode 1 or 2',
  ),
  BatchClosed: invalid(
    ErrorCode.InvalidTransactionType,
    ORIGINAL,
    'received one whose batch has closed, allowed a refund of it',
  ),
  NothingLeftToVoid: invalid(
    ErrorCode.InvalidTransactionType,
    ORIGINAL,
    'received one of which nothing is left, allowed one of which something is',
  ),
  TooManyOperations: invalid(ErrorCode.InvalidTransactionType),
  OriginalUndecided: notYet,
  AmountUndecided: notYet,
  AmountHeld: undecided(ErrorCode.TransactionNotCompleteYet, 'amount'),
  TryInFlight: notYet,
  InvalidAmount: invalid(ErrorCode.InvalidAmount, 'amount'),
  InvalidBreakdown: invalid(ErrorCode.InvalidAmount, 'amountBreakdown'),
  ExplicitAmountRequired: invalid(ErrorCode.InvalidAmount, 'amount'),
  AmountAboveOpenAuthorization: invalid(ErrorCode.InvalidAmount, 'amount'),
  AmountAboveOpenCapture: invalid(ErrorCode.InvalidAmount, 'amount'),
  TriesSpent: invalid(ErrorCode.InvalidOrExpiredSession),
  FormOver: invalid(ErrorCode.InvalidOrExpiredSession),
  FormExpired: invalid(ErrorCode.SessionExpired),
  // Steps of the protocol that no request starts directly.
  AlreadyOpened: notYet,
  AlreadyRequested: notYet,
  StepOutOfOrder: notYet,
};

export interface Naming {
  /** Rejections about what the path names: no field of the body is to be changed. */
  readonly ofPath?: readonly RejectionCode[];
  /** The original was named by its reference. */
  readonly isByReference?: boolean;
}

export function rejectionError(
  { code: rejection, message, ...rejected }: Rejection,
  { ofPath = [], isByReference = false }: Naming = {},
): ApiError {
  const { http, code, field: usualField, details: usualDetails } = ERRORS[rejection];
  const field = usualField === ORIGINAL && isByReference ? 'originalReferenceId' : usualField;
  if (ofPath.includes(rejection)) return new ApiError(http, code, message);
  const own = 'details' in rejected ? rejected.details : undefined;
  const details = own ?? usualDetails;
  const named = field !== undefined || details !== undefined;
  const detail = {
    code,
    ...(field !== undefined && { field }),
    message,
    ...(details !== undefined && { details }),
  };
  return new ApiError(http, code, message, { errorDetails: named ? [detail] : [] });
}
