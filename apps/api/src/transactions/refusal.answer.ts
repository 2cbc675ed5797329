import { ErrorCode } from '@tillstream/contracts';
import type { RequestRefusal } from '@tillstream/payments';
import { ApiError } from '../http/api.error.js';

interface RefusalAnswer {
  readonly http: 400 | 404 | 409;
  readonly code: number;
  /** The field that is to be changed. */
  readonly field?: string;
}

const invalid = (code: number, field?: string): RefusalAnswer => ({
  http: 400,
  code,
  ...(field && { field }),
});
const missing = (code: number, field?: string): RefusalAnswer => ({
  http: 404,
  code,
  ...(field && { field }),
});
const notYet: RefusalAnswer = { http: 409, code: ErrorCode.TransactionNotCompleteYet };

/** What each refusal looks like over HTTP (`decisions.md` 2.1), in one place: none of them stored anything. */
const ANSWERS: Readonly<Record<RequestRefusal['code'], RefusalAnswer>> = {
  OriginalNotFound: missing(ErrorCode.ResourceNotFound),
  OriginalReferenceNotFound: missing(ErrorCode.ResourceNotFound),
  OriginalReferenceAmbiguous: invalid(ErrorCode.RequestValidationGenericError, 'originalReferenceId'),
  PaymentMethodRequired: invalid(ErrorCode.RequestValidationGenericError, 'paymentMethodId'),
  PaymentMethodNotFound: missing(ErrorCode.PaymentMethodNotFound, 'paymentMethodId'),
  PaymentMethodTypeUnfit: invalid(ErrorCode.InvalidPaymentMethodType, 'paymentMethodId'),
  BankPaymentNotVoidable: invalid(ErrorCode.InvalidPaymentMethodType),
  PaymentMethodDisabled: invalid(ErrorCode.PaymentMethodUsageRestricted, 'paymentMethodId'),
  UnreferencedRefundsOff: invalid(ErrorCode.PaymentMethodUsageRestricted),
  DailyLimitReached: invalid(ErrorCode.PaymentMethodUsageRestricted, 'amount'),
  WrongOriginalType: invalid(ErrorCode.InvalidTransactionType),
  OriginalNotApproved: invalid(ErrorCode.InvalidTransactionType),
  BatchClosed: invalid(ErrorCode.InvalidTransactionType),
  NothingLeftToVoid: invalid(ErrorCode.InvalidTransactionType),
  TooManyOperations: invalid(ErrorCode.InvalidTransactionType),
  OriginalUndecided: notYet,
  AmountUndecided: notYet,
  AmountHeld: notYet,
  TryInFlight: notYet,
  InvalidAmount: invalid(ErrorCode.InvalidAmount, 'amount'),
  InvalidBreakdown: invalid(ErrorCode.InvalidAmount, 'amountBreakdown'),
  ExplicitAmountRequired: invalid(ErrorCode.InvalidAmount, 'amount'),
  AmountAboveOpenAuthorization: invalid(ErrorCode.InvalidAmount, 'amount'),
  AmountAboveOpenCapture: invalid(ErrorCode.InvalidAmount, 'amount'),
  TriesSpent: invalid(ErrorCode.InvalidOrExpiredSession),
  FormOver: invalid(ErrorCode.InvalidOrExpiredSession),
  FormExpired: invalid(ErrorCode.SessionExpired),
  // Steps of the protocol that no request asks for by itself.
  AlreadyOpened: notYet,
  StepOutOfOrder: notYet,
};

export function refusalError({ code: refusal, message, details }: RequestRefusal): ApiError {
  const { http, code, field } = ANSWERS[refusal];
  const named = field !== undefined || details !== undefined;
  const detail = {
    code,
    ...(field !== undefined && { field }),
    message,
    ...(details !== undefined && { details }),
  };
  return new ApiError(http, code, message, { errorDetails: named ? [detail] : [] });
}
