/** Codes of the error envelope by name (`docs/spec/errors.md#error-codes`). */
export const ErrorCode = {
  Unknown: 0,
  AuthenticationGenericError: 1000,
  MerchantNotAuthorizedForResource: 1001,
  RequestValidationGenericError: 2000,
  InvalidPaymentMethodType: 2010,
  InvalidTransactionType: 2011,
  InvalidAmount: 2012,
  PaymentMethodUsageRestricted: 2013,
  InvalidPaymentMethodOwner: 2020,
  InvalidAccountHolderOwner: 2021,
  InvalidAccountHolderInformation: 2100,
  InvalidCountryCode: 2101,
  InvalidZipCode: 2102,
  MissingCountryCodeOrZipCode: 2103,
  InvalidEmailAddress: 2105,
  MissingUniqueToken: 2201,
  TransactionDeclinedError: 2202,
  RequestValidationUnsupportedPayload: 2900,
  RequestValidationWebhookMissingTypeAndDmnType: 2901,
  RequestValidationUnsupportedWebhookTokenization: 2902,
  RequestValidationUnsupportedWebhookType: 2903,
  UnknownServerGenericError: 3000,
  InvalidOrExpiredSession: 3201,
  FailedToCreateSessionInAdapter: 3202,
  ErrorWhileTokenizingCard: 3203,
  FailedToLoadThirdPartySdk: 3204,
  SessionExpired: 3205,
  JavaScriptError: 3299,
  ResourceNotReadyError: 3400,
  TransactionNotCompleteYet: 3401,
  CouldNotCreateBillingSubscription: 3501,
  CouldNotCancelBillingSubscription: 3502,
  BillingSubscriptionInvalidStatus: 3503,
  ResourceNotFound: 4000,
  TokenizedCardNotFound: 4001,
  PaymentMethodNotFound: 4002,
  AccountHolderNotFound: 4003,
  BillingSubscriptionNotFound: 4004,
  SdkGenericError: 6000,
  SdkJavaScriptError: 6001,
  SdkSessionLoadFailed: 6100,
  SdkSessionExpired: 6101,
  SdkSessionNotInitialized: 6102,
  SdkEnvironmentMismatch: 6103,
  SdkCardFieldsInvalid: 6200,
  SdkCardTokenizationFailed: 6201,
  SdkCardInitFailed: 6202,
  SdkCardProcessingFailed: 6203,
  SdkAchFieldsInvalid: 6300,
  SdkAchProcessingFailed: 6301,
  SdkEftProcessingFailed: 6400,
  SdkWalletError: 6500,
  SdkWalletProcessingFailed: 6501,
  SdkThirdPartySdkLoadFailed: 6600,
  SdkFormValidationFailed: 6700,
  SdkBillingValidationFailed: 6701,
  Sdk3dsAuthenticationFailed: 6800,
  Sdk3dsAuthenticationUnavailable: 6801,
  Sdk3dsNotEnrolled: 6802,
  SdkCardDeclined: 6900,
  SdkCardGatewayError: 6901,
  SdkCardTokenMissing: 6902,
  UnhandledGenericError: 9000,
  MaxErrorCode: 9999,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Codes that are documented but never sent (`docs/spec/errors.md#reserved-codes`). */
export const RESERVED_ERROR_CODES: ReadonlySet<number> = new Set([
  ErrorCode.Unknown,
  ErrorCode.InvalidPaymentMethodOwner,
  ErrorCode.InvalidAccountHolderOwner,
  ErrorCode.MissingUniqueToken,
  ErrorCode.TransactionDeclinedError,
  ErrorCode.RequestValidationUnsupportedWebhookTokenization,
  ErrorCode.CouldNotCreateBillingSubscription,
  ErrorCode.CouldNotCancelBillingSubscription,
  ErrorCode.BillingSubscriptionInvalidStatus,
  ErrorCode.BillingSubscriptionNotFound,
  ErrorCode.MaxErrorCode,
]);

/** `docs/spec/errors.md#execution-status`. */
export type ExecutionStatus = 'Completed' | 'Rejected' | 'Interrupted' | 'Unknown';

export interface ErrorDetail {
  code: number;
  /** A JSON path such as `amountBreakdown.tip`, or the name of a header or parameter. */
  field?: string;
  /** A sentence for a developer. */
  message: string;
  /** The received and the allowed value; for an interrupted operation, its transaction id. */
  details?: string;
}

/** The body of every error response (`docs/spec/errors.md#envelope`). */
export interface ErrorEnvelope {
  code: number;
  status: ExecutionStatus;
  message: string;
  /** 32 hex; the same as the header `x-trace-id`. */
  traceId: string;
  timestamp: string;
  errorDetails: ErrorDetail[];
}
