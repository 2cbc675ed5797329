import { ErrorCode } from '@tillstream/contracts';
import type { HolderResult, RequestRejection, StoredCardRejection } from '@tillstream/payments';
import { ApiError, detailedError } from '../http/api.error.js';

export type Rejection =
  RequestRejection | StoredCardRejection | Extract<HolderResult, { kind: 'Rejected' }>['rejection'];

export type RejectionCode = Rejection['code'];

interface RejectionError {
  readonly http: 400 | 404 | 409 | 500;
  readonly code: number;
  /** The field that is to be changed. */
  readonly field?: string;
  /** For a rejection without details of its own: `received <got>, allowed <allowed>`. */
  readonly details?: string;
}

const error =
  (http: RejectionError['http'], code: number) =>
  (field?: string, got?: string, allowed?: string): RejectionError => ({
    http,
    code,
    ...(field !== undefined && { field }),
    ...(got !== undefined && { details: `received ${got}, allowed ${allowed}` }),
  });

const generic = error(400, ErrorCode.RequestValidationGenericError);
const unfitMethod = error(400, ErrorCode.InvalidPaymentMethodType);
const unfitType = error(400, ErrorCode.InvalidTransactionType);
const restricted = error(400, ErrorCode.PaymentMethodUsageRestricted);
const invalidAmount = error(400, ErrorCode.InvalidAmount);
const invalidHolder = error(400, ErrorCode.InvalidAccountHolderInformation);
const invalidSession = error(400, ErrorCode.InvalidOrExpiredSession);
const sessionExpired = error(400, ErrorCode.SessionExpired);
const sessionNotCreated = error(500, ErrorCode.FailedToCreateSessionInAdapter);
const noOriginal = error(404, ErrorCode.ResourceNotFound);
const noPaymentMethod = error(404, ErrorCode.PaymentMethodNotFound);
const noToken = error(404, ErrorCode.TokenizedCardNotFound);
const noHolder = error(404, ErrorCode.AccountHolderNotFound);
const notReady = error(409, ErrorCode.ResourceNotReadyError);
const notYet = error(409, ErrorCode.TransactionNotCompleteYet);

/** Becomes `originalReferenceId` where the client sent that. */
const ORIGINAL = 'originalTransactionId';
const METHOD = 'paymentMethodId';
const USABLE = 'the id of one that GET /payment-methods lists';

/** The HTTP error of each rejection (`docs/spec/errors.md#when-each-code-is-answered`). A rejected request stored nothing. */
const ERRORS: Readonly<Record<RejectionCode, RejectionError>> = {
  OriginalNotFound: noOriginal(),
  OriginalReferenceNotFound: noOriginal(),
  OriginalReferenceAmbiguous: generic(
    'originalReferenceId',
    'a reference of several transactions',
    'originalTransactionId instead',
  ),
  PaymentMethodRequired: generic(METHOD),
  PaymentMethodNotFound: noPaymentMethod(METHOD, 'the id of no payment method', USABLE),
  PaymentMethodTypeUnfit: unfitMethod(METHOD),
  FormSettingUnfit: generic('formConfig'),
  BankPaymentNotVoidable: unfitMethod(),
  PaymentMethodDisabled: restricted(METHOD, 'the id of a disabled one', USABLE),
  TokenNotFound: noToken(
    METHOD,
    'the id of no stored payment method of yours',
    'a pmt_tkn_ id that was not removed',
  ),
  TokenNotFinished: notReady(
    METHOD,
    'one whose card is still being checked',
    'once its creation is completed',
  ),
  OperationNotEnabled: restricted(METHOD, 'one that can not be authorized', 'a sale with it'),
  NoProcessor: restricted(
    METHOD,
    'one that no processor is configured for',
    'one of a configured channel and currency',
  ),
  ExpiryOfBankAccount: generic('cardExpDate', 'one for a bank account', 'none'),
  ExpiryInThePast: generic('cardExpDate', 'a month that is over', 'this month or a later one'),
  HolderNotFound: noHolder(
    'accountHolder.id',
    'the id of no account holder of yours',
    'an acc_ id that was not erased',
  ),
  ExternalIdTaken: invalidHolder(
    'externalId',
    'the external id of another account holder',
    'one that is free',
  ),
  UnreferencedRefundsOff: restricted(
    undefined,
    'a refund without an original',
    'once they are enabled for this merchant',
  ),
  DailyLimitReached: restricted('amount'),
  WrongOriginalType: unfitType(
    ORIGINAL,
    'a transaction of a type that does not fit',
    'one that this request can follow',
  ),
  OriginalNotApproved: unfitType(ORIGINAL, 'one that was not approved', 'one with responseCode 1 or 2'),
  BatchClosed: unfitType(ORIGINAL, 'one whose batch has closed', 'a refund of it'),
  NothingLeftToVoid: unfitType(ORIGINAL, 'one of which nothing is left', 'one of which something is'),
  TooManyOperations: unfitType(),
  OriginalUndecided: notYet(),
  AmountUndecided: notYet(),
  AmountHeld: notYet('amount'),
  SubmissionInFlight: notYet(),
  InvalidAmount: invalidAmount('amount'),
  InvalidBreakdown: invalidAmount('amountBreakdown'),
  ExplicitAmountRequired: invalidAmount('amount'),
  AmountAboveOpenAuthorization: invalidAmount('amount'),
  AmountAboveOpenCapture: invalidAmount('amount'),
  TriesSpent: invalidSession(),
  FormOver: invalidSession(),
  FormExpired: sessionExpired(),
  SessionNotCreated: sessionNotCreated(),
  // Steps of the protocol that no request starts directly.
  AlreadyOpened: notYet(),
  AlreadyRequested: notYet(),
  StepOutOfOrder: notYet(),
};

export interface Naming {
  /** Rejections about what the path names: no field of the body is to be changed. */
  readonly ofPath?: readonly RejectionCode[];
  /** The original was named by its reference. */
  readonly isByReference?: boolean;
}

export function rejectionError(
  rejection: Rejection,
  { ofPath = [], isByReference = false }: Naming = {},
): ApiError {
  const { http, code, ...usual } = ERRORS[rejection.code];
  const { message } = rejection;
  const setting = 'setting' in rejection ? rejection.setting : undefined;
  if (ofPath.includes(rejection.code)) return new ApiError(http, code, message);
  const field = setting ?? (usual.field === ORIGINAL && isByReference ? 'originalReferenceId' : usual.field);
  const details = ('details' in rejection ? rejection.details : undefined) ?? usual.details;
  return detailedError(http, code, message, { field, details });
}
