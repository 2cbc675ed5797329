import { isPaymentFormErrorCode, type PaymentFormErrorCode } from './error.codes.js';

export const FORM_MESSAGE_SOURCE = 'payment-form';

export type TransactionStatus =
  'Pending' | 'Processing' | 'Completed' | 'Interrupted' | 'Cancelled' | 'Expired';

/** What the form posts to this window (`docs/spec/hosted-form.md#messages-to-the-parent-window`). */
export interface FormMessage {
  source: typeof FORM_MESSAGE_SOURCE;
  /** `error`: the form goes on. */
  type: 'completed' | 'cancelled' | 'failed' | 'error' | 'resize';
  /** In `error` messages: a code of this script. */
  code?: number;
  /** In `failed` and `error` messages. */
  paymentMethodType?: 'Virtual' | 'VirtualAch' | 'VirtualEft';
  transactionId?: string;
  referenceId?: string;
  status?: TransactionStatus;
  resultCode?: number;
  /** Of the newest attempt; absent if there was none. */
  responseCode?: number;
  /** In CSS pixels, in `resize` messages. */
  height?: number;
}

export interface ResizeMessage extends FormMessage {
  type: 'resize';
  height: number;
}

export interface ErrorMessage extends FormMessage {
  type: 'error';
  code: PaymentFormErrorCode;
}

export interface EndingMessage extends FormMessage {
  type: 'completed' | 'cancelled' | 'failed';
  transactionId: string;
  referenceId: string;
  status: TransactionStatus;
  resultCode: number;
}

/** Undefined if it is not a message of a form, or not a complete one. Fields that it does not know are ignored. */
export function readMessage(data: unknown): ResizeMessage | ErrorMessage | EndingMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const message = data as Partial<Record<keyof FormMessage, unknown>>;
  if (message.source !== FORM_MESSAGE_SOURCE) return undefined;
  switch (message.type) {
    case 'resize':
      return isHeight(message.height) ? (message as ResizeMessage) : undefined;
    case 'error':
      return isPaymentFormErrorCode(message.code) ? (message as ErrorMessage) : undefined;
    case 'completed':
    case 'cancelled':
    case 'failed':
      return isEnding(message) ? (message as EndingMessage) : undefined;
    default:
      return undefined;
  }
}

function isEnding(message: Partial<Record<keyof FormMessage, unknown>>): boolean {
  const { transactionId, referenceId, status, resultCode, responseCode } = message;
  return (
    [transactionId, referenceId, status].every((text) => typeof text === 'string' && text !== '') &&
    Number.isInteger(resultCode) &&
    (responseCode === undefined || Number.isInteger(responseCode))
  );
}

function isHeight(height: unknown): boolean {
  return typeof height === 'number' && Number.isFinite(height) && height > 0;
}
