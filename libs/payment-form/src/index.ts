export { PaymentFormError, PaymentFormErrorCode, type PaymentFormErrorName } from './error.codes.js';
export type { FormMessage, TransactionStatus } from './form.message.js';
export type { PaymentFormResult, PaymentFormTransaction } from './form.result.js';
export { mountPaymentForm } from './payment-form.js';
export type { PaymentForm, PaymentFormOptions } from './payment-form.types.js';
