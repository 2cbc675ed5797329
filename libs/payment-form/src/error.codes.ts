/**
 * The codes that a page can get (`docs/spec/errors.md#error-codes`). A code without a note is reserved for a part of the
 * form that this version does not have, or that the form shows to the customer itself.
 */
export const PaymentFormErrorCode = {
  /** The form ended without an outcome that is known. Read the transaction on your server before the customer pays again. */
  SdkGenericError: 6000,
  /** One of your callbacks threw; the thrown value is the `cause`. It changes nothing about the payment. */
  SdkJavaScriptError: 6001,
  /** The form sent no message in time, and was removed. Read the transaction on your server before you create another. */
  SdkSessionLoadFailed: 6100,
  /** The customer did not finish within the 30 minutes of the session. Create a new transaction. */
  SdkSessionExpired: 6101,
  /** There is no address or no container to show the form in, or the form was unmounted before it ended. */
  SdkSessionNotInitialized: 6102,
  /** The address is not one of a form, or an `http:` form in an `https:` page. */
  SdkEnvironmentMismatch: 6103,
  /** The form shows wrong card fields to the customer itself. */
  SdkCardFieldsInvalid: 6200,
  /** The card could not be stored. */
  SdkCardTokenizationFailed: 6201,
  /** The card fields could not be shown. */
  SdkCardInitFailed: 6202,
  /** The payment was not approved for a reason without a code of its own; see `responseCode`. */
  SdkCardProcessingFailed: 6203,
  SdkAchFieldsInvalid: 6300,
  SdkAchProcessingFailed: 6301,
  SdkEftProcessingFailed: 6400,
  SdkWalletError: 6500,
  SdkWalletProcessingFailed: 6501,
  SdkThirdPartySdkLoadFailed: 6600,
  /** The form shows wrong contact fields to the customer itself. */
  SdkFormValidationFailed: 6700,
  /** The form shows a wrong billing address to the customer itself. */
  SdkBillingValidationFailed: 6701,
  /** The issuer rejected the 3-D Secure authentication. */
  Sdk3dsAuthenticationFailed: 6800,
  /** 3-D Secure failed for a technical reason. */
  Sdk3dsAuthenticationUnavailable: 6801,
  /** The card is not enrolled in 3-D Secure. */
  Sdk3dsNotEnrolled: 6802,
  /** The issuer declined the last attempt; `responseCode` (10 to 18) has the reason. */
  SdkCardDeclined: 6900,
  /** The gateway rejected or failed the last attempt. The issuer did not decide. */
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

export function isPaymentFormErrorCode(code: number): code is PaymentFormErrorCode {
  return NAMES.has(code);
}

/** Thrown by `mountPaymentForm`, passed to `onError`, in the result of a failed form, and the reason of a rejected `result`. */
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
