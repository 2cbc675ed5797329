import { isPaymentFormErrorCode, PaymentFormError, PaymentFormErrorCode } from './error.codes.js';
import type { EndingMessage, TransactionStatus } from './form.message.js';

export interface PaymentFormTransaction {
  transactionId: string;
  referenceId: string;
  status: TransactionStatus;
  resultCode: number;
  /** Of the newest attempt; absent if there was none. 2: approved for a part of the amount. */
  responseCode?: number;
}

/**
 * How the form ended. It comes through the customer's browser: read the transaction on your server before you deliver.
 *
 * - `completed`: approved (`status` `Completed`), or accepted by a bank that decides later (`Processing`).
 * - `cancelled`: the customer cancelled. Nothing was charged.
 * - `failed`: every other ending. If `status` is `Interrupted`, the outcome is not known yet: the customer may have paid.
 */
export type PaymentFormResult =
  | (PaymentFormTransaction & { outcome: 'completed' })
  | (PaymentFormTransaction & { outcome: 'cancelled' })
  | (PaymentFormTransaction & { outcome: 'failed'; error: PaymentFormError });

/** A session that expired without an attempt (`docs/spec/codes.md#result-codes`). */
const RESULT_CODE_EXPIRED = 3010;

export function resultOf(message: EndingMessage): PaymentFormResult {
  const { type, transactionId, referenceId, status, resultCode, responseCode, paymentMethodType } = message;
  const transaction = {
    ...{ transactionId, referenceId, status, resultCode },
    ...(responseCode !== undefined && { responseCode }),
  };
  if (type !== 'failed') return { outcome: type, ...transaction };
  return { outcome: type, ...transaction, error: failure(transaction, paymentMethodType) };
}

/** In every other case. */
const PROCESSING_FAILED = {
  Virtual: PaymentFormErrorCode.SdkCardProcessingFailed,
  VirtualAch: PaymentFormErrorCode.SdkAchProcessingFailed,
  VirtualEft: PaymentFormErrorCode.SdkEftProcessingFailed,
} as const;

function failure(
  { status, resultCode, responseCode }: PaymentFormTransaction,
  paymentMethodType: EndingMessage['paymentMethodType'] = 'Virtual',
): PaymentFormError {
  if (status === 'Interrupted' || status === 'Pending') {
    const text = 'The outcome of the payment is not known yet. Read the transaction before another payment.';
    return new PaymentFormError(PaymentFormErrorCode.SdkGenericError, text);
  }
  if (paymentMethodType === 'Virtual' && isPaymentFormErrorCode(resultCode)) {
    return new PaymentFormError(resultCode, `The payment failed with result code ${resultCode}.`);
  }
  if (status === 'Expired' || resultCode === RESULT_CODE_EXPIRED) {
    const text = 'The customer did not finish before the session expired. Nothing was charged.';
    return new PaymentFormError(PaymentFormErrorCode.SdkSessionExpired, text);
  }
  const response = responseCode === undefined ? '' : ` and response code ${responseCode}`;
  const text = `The payment was not approved: result code ${resultCode}${response}.`;
  return new PaymentFormError(PROCESSING_FAILED[paymentMethodType], text);
}
