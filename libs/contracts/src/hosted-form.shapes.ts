import type { CurrencyCode, FORM_TYPES, FormConfig } from './payment-method.shapes.js';
import type { TransactionResult, TransactionStatus } from './transaction.result.js';

/* The calls and messages of the hosted form (`docs/spec/hosted-form.md`). */

/** On a virtual operation while its form waits for the customer. */
export interface FormLink {
  /** For an iframe or a redirect. It contains the session id, which is a credential. */
  url: string;
  sessionId: string;
  expiresAt: string;
}

/** How far a form is: the response to a submission and to a cancellation, and a part of a session. */
export interface FormProgress {
  transactionId: string;
  referenceId: string;
  status: TransactionStatus;
  resultCode: number;
  resultText: string;
  /** Of the newest response; absent before the first one. */
  responseCode?: number;
  triesLeft: number;
  /** While one is open. After `expiresAt`, an RFC 3339 time of the service, it is a failed attempt (6800). */
  threeDsChallenge?: { redirectUrl: string; expiresAt?: string };
  /** When the form is over, and the request had a `returnUrl`: that address with the five return parameters. */
  redirectUrl?: string;
}

/** The languages of the page. */
export type FormLanguage = 'en' | 'fr';

/** What the page of a form shows. It never has card data. */
export interface FormSession extends FormProgress {
  type: Extract<TransactionResult['type'], 'Sale' | 'Auth' | 'UnreferencedRefund' | 'TokenCreate'>;
  merchantName: string;
  /** Absent if a card is stored without a payment. */
  amount?: number;
  currency: CurrencyCode;
  paymentMethodType: (typeof FORM_TYPES)[number];
  /** Of the merchant: `en-US`, `en-CA`, `fr-CA`. */
  locale: string;
  formConfig: Required<FormConfig>;
  /** Of a bank form: what the customer authorizes by submitting it. */
  authorization?: FormAuthorization;
  useJavaScriptCallback: boolean;
  /** The origins that the page may post messages to. */
  messageOrigins: string[];
  expiresAt: string;
  /** The service's time. The page counts the time that is left from it, not from the customer's clock. */
  now: string;
}

/** The page shows the text in its language, and sends the version and language that it showed. */
export interface FormAuthorization {
  version: string;
  texts: Record<FormLanguage, string>;
}

/** In a submission: the authorization that the page showed. */
export interface ShownAuthorization {
  version: string;
  language: FormLanguage;
}

export interface FormCard {
  number: string;
  /** MMYY. */
  expDate: string;
  cvv: string;
}

/** `VirtualAch`: with `routingNumber` and `accountType`. `VirtualEft`: with `institutionNumber` and `transitNumber`. */
export interface FormBankAccount {
  /** 9 digits, the last one a check digit. */
  routingNumber?: string;
  /** 3 digits. */
  institutionNumber?: string;
  /** 5 digits. */
  transitNumber?: string;
  /** ACH: 4 to 17 digits, EFT: 5 to 12. */
  accountNumber: string;
  accountType?: 'Checking' | 'Savings';
  /** Of the account's holder. */
  name: string;
}

export const FORM_MESSAGE_SOURCE = 'payment-form';

/** A message of the form to the window that embeds it. */
export interface FormMessage extends Partial<
  Pick<FormProgress, 'transactionId' | 'referenceId' | 'status' | 'resultCode' | 'responseCode'>
> {
  source: typeof FORM_MESSAGE_SOURCE;
  /** `error`: the form goes on. */
  type: 'completed' | 'cancelled' | 'failed' | 'error' | 'resize';
  /** In `error` messages: one from 6000 to 6999 (`docs/spec/errors.md#error-codes`). */
  code?: number;
  /** In `failed` and `error` messages. */
  paymentMethodType?: FormSession['paymentMethodType'];
  /** Of the page in CSS pixels, in `resize` messages. */
  height?: number;
}
