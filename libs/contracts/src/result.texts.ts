/** A sentence for each result code (`docs/spec/codes.md#result-codes`). */
const RESULT_TEXTS: Readonly<Record<number, string>> = {
  0: 'The request was successful. See each response code for approval or decline.',
  55: 'The customer cancelled the payment.',
  1003: 'The terminal is busy or unavailable.',
  1005: 'The terminal was not found.',
  1010: 'The request is pending.',
  3000: 'An unexpected error happened. Try again.',
  3002: 'The terminal could not find the related transaction.',
  3005: 'The terminal has a fault. Power it off, wait one minute and try again; else contact support.',
  3006: 'The battery of the terminal is low.',
  3009: 'The terminal has a network problem.',
  3010: 'The transaction took too long and was cancelled.',
  3011: 'The transaction request is invalid.',
  3012: 'The transaction request is invalid: its paymentMethodId is invalid.',
  3013: 'The amount appears to be incorrect. Try again with a smaller amount.',
  3014: 'The amount is invalid: it must be greater than zero.',
  3020: 'The transaction result that was received is not supported.',
  4001: 'The transaction is being processed. Its outcome is awaited.',
  4100: 'The cardholder must be verified. Follow threeDsChallenge.redirectUrl.',
  6800: 'The issuer rejected the 3-D Secure authentication.',
  6801: '3-D Secure could not complete for a technical reason. Try again later.',
  6802: 'The card is not enrolled in 3-D Secure.',
  6900: 'The issuer declined the payment.',
  6901: 'The gateway rejected or failed the payment.',
  6902: 'The gateway returned no payment token and no failure.',
  9998: 'The system was not ready to process the transaction.',
  9999: 'Unknown error; the status says whether the outcome is known.',
};

/** Has a text for unknown codes too, since a terminal may send any code. */
export function resultText(resultCode: number): string {
  return RESULT_TEXTS[resultCode] ?? 'The terminal gave a result code that is not known.';
}
