/**
 * The codes that a page can get (`docs/spec/errors.md#error-codes`). `onProblem` gets those after which the form goes on;
 * the others come with the end of the form, or instead of it.
 */
export const PaymentFormErrorCode = {
  /** The form ended without an outcome that is known. Read the transaction on your server before the customer pays again. */
  SdkGenericError: 6000,
  /**
   * One of your callbacks threw; the thrown value is the `cause`. It changes nothing about the payment. To `onProblem`: the
   * form's own page failed, and the customer can load it again.
   */
  SdkJavaScriptError: 6001,
  /** The form sent no message in time, and was removed. Read the transaction on your server before you create another. */
  SdkSessionLoadFailed: 6100,
  /** The customer did not finish within the 30 minutes of the session. Create a new transaction. */
  SdkSessionExpired: 6101,
  /** There is no address or no container to show the form in, or the form was unmounted before it ended. */
  SdkSessionNotInitialized: 6102,
  /** The address is not one of a form, or an `http:` form in an `https:` page. */
  SdkEnvironmentMismatch: 6103,
  /** To `onProblem`: the customer submitted wrong card fields, which the form shows. */
  SdkCardFieldsInvalid: 6200,
  /** To `onProblem`: the card could not be stored. Nothing was sent. */
  SdkCardTokenizationFailed: 6201,
  /** To `onProblem`: the card fields could not be shown. The customer can load the form again. */
  SdkCardInitFailed: 6202,
  /** The payment was not approved for a reason without a code of its own; see `responseCode`. */
  SdkCardProcessingFailed: 6203,
  /** To `onProblem`: the customer submitted wrong fields of a US bank account, which the form shows. */
  SdkAchFieldsInvalid: 6300,
  /** The payment from a US bank account was not accepted; see `resultCode` and `responseCode`. */
  SdkAchProcessingFailed: 6301,
  /** The payment from a Canadian bank account was not accepted; see `resultCode` and `responseCode`. */
  SdkEftProcessingFailed: 6400,
  /** Reserved: this version has no wallets. */
  SdkWalletError: 6500,
  /** Reserved: this version has no wallets. */
  SdkWalletProcessingFailed: 6501,
  /** To `onProblem`: the page of the customer's bank did not load during 3-D Secure. */
  SdkThirdPartySdkLoadFailed: 6600,
  /** To `onProblem`: the customer submitted wrong contact fields, or wrong fields of a Canadian bank account. */
  SdkFormValidationFailed: 6700,
  /** To `onProblem`: the customer submitted a wrong billing address, which the form shows. */
  SdkBillingValidationFailed: 6701,
  /** The issuer rejected the 3-D Secure authentication. */
  Sdk3dsAuthenticationFailed: 6800,
  /** 3-D Secure failed for a technical reason. */
  Sdk3dsAuthenticationUnavailable: 6801,
  /** The card is not enrolled in 3-D Secure. */
  Sdk3dsNotEnrolled: 6802,
  /** The issuer declined the attempt; `responseCode` (10 to 18) of the result has the reason. */
  SdkCardDeclined: 6900,
  /** The gateway rejected or failed the attempt. The issuer did not decide. */
  SdkCardGatewayError: 6901,
  /** The gateway reported no failure and returned no token. */
  SdkCardTokenMissing: 6902,
} as const;

export type PaymentFormErrorName = keyof typeof PaymentFormErrorCode;
export type PaymentFormErrorCode = (typeof PaymentFormErrorCode)[PaymentFormErrorName];

const NAMES = new Map<number, PaymentFormErrorName>(
  (Object.keys(PaymentFormErrorCode) as PaymentFormErrorName[]).map((name) => [
    PaymentFormErrorCode[name],
    name,
  ]),
);

export function isPaymentFormErrorCode(code: unknown): code is PaymentFormErrorCode {
  return NAMES.has(code as number);
}

/** Thrown by `mountPaymentForm`, passed to `onError` and `onProblem`, in the result of a failed form, and the reason of a rejected `result`. */
export class PaymentFormError extends Error {
  /** The name of the code. */
  override readonly name: PaymentFormErrorName;

  constructor(
    readonly code: PaymentFormErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = NAMES.get(code) ?? 'SdkGenericError';
  }
}
