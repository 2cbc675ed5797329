import type {
  BillingContact,
  ConsentLanguage,
  ConsentPersonal,
  HostedForm,
  Merchant,
  OperationId,
  Payment,
  PaymentMethodSnapshot,
  Token,
} from '@tillstream/domain';
import type { BankAccountDetails, CardDetails } from '@tillstream/processors';
import type { HolderReference } from '../account-holders/account-holders.js';
import type { PhysicalRequest } from '../requests/request.types.js';
import type { FormAuthorization } from './authorization.texts.js';

/** `docs/spec/hosted-form.md#form-settings`. A setting that is left out is the payment method's default. */
export interface FormConfigRequest {
  readonly billingInfoCaptureLevel: HostedForm['billingInfoCaptureLevel'];
  readonly enable3DSecure?: boolean;
  readonly piiFields?: HostedForm['piiFields'];
}

interface FormRequest {
  /** Left out: the merchant's default card form, or its only one. */
  readonly paymentMethodId?: string;
  readonly returnUrl?: string;
  readonly useJavaScriptCallback?: boolean;
  readonly formConfig?: FormConfigRequest;
  readonly accountHolder?: HolderReference;
  readonly referenceId?: string;
}

/** For a sale, authorization or unreferenced refund through a form. An authorization ignores `accountHolder`. */
export interface VirtualPaymentRequest extends FormRequest, Omit<PhysicalRequest, 'paymentMethodId'> {}

export interface VirtualTokenRequest extends FormRequest {
  readonly description?: string;
}

/** The payment or the stored card that a form is about. */
export type FormSubject =
  | { readonly kind: 'Payment'; readonly payment: Payment; readonly operationId: OperationId }
  | { readonly kind: 'Token'; readonly token: Token; readonly operationId: OperationId };

/** A form, as its page and its submissions need it. */
export interface OpenedForm {
  readonly sessionId: string;
  readonly merchant: Merchant;
  readonly form: HostedForm;
  /** The form's own payment method, also after a card was stored. */
  readonly paymentMethod: PaymentMethodSnapshot;
  /** The origins that may embed the form and get its messages, as the merchant has them now. */
  readonly allowedOrigins: readonly string[];
  readonly subject: FormSubject;
  /** Of a bank form: what the customer authorizes by submitting it. */
  readonly authorization?: FormAuthorization;
  /** The service's time of this answer, RFC 3339. */
  readonly now: string;
}

/**
 * What a customer sent: a card, or the bank account of a bank form; the caller checks that it fits the form. It stays in
 * memory until the processor has answered.
 */
export interface FormSubmission {
  readonly card?: CardDetails & { readonly cvv: string };
  readonly bankAccount?: BankAccountDetails & { readonly name: string };
  /** The authorization that the form showed. Left out: the current one, in the merchant's language. */
  readonly authorization?: { readonly version: string; readonly language: ConsentLanguage };
  readonly billingContact?: BillingContact;
  readonly email?: string;
  readonly phone?: string;
}

export interface FormCall {
  /** 32 hex. */
  readonly traceId: string;
  /** The customer's `Idempotency-Key`: the same key submits once (`docs/spec/hosted-form.md#repeated-submissions`). */
  readonly key?: string;
  /** Where a submission comes from: a part of the proof of an authorization. */
  readonly client?: FormClient;
}

export type FormClient = Pick<ConsentPersonal, 'ip' | 'userAgent'>;

/** Runs a submission that begins an attempt, or throws. A repeated key begins none, so it is never refused. */
export type AdmitSubmission = (submit: () => Promise<FormResult>) => Promise<FormResult>;

/** The result of a submission or cancellation. */
export type FormResult =
  /** The form after the call: it waits for another submission, or is over. */
  | { readonly kind: 'Answered'; readonly opened: OpenedForm }
  /** No form has this session id. */
  | { readonly kind: 'Unknown' }
  /** The form is over. */
  | { readonly kind: 'Spent' }
  | { readonly kind: 'Expired' }
  /** A submission has no outcome yet. */
  | { readonly kind: 'SubmissionInFlight' }
  /** The merchant is disabled, or the form's payment method is. */
  | { readonly kind: 'Disabled' }
  /** No route leads to a processor. */
  | { readonly kind: 'NoProcessor' }
  /** The vault could not take the card or bank account: nothing was sent, and the form goes on. */
  | { readonly kind: 'CardNotStored' }
  /** Nothing was stored or sent. */
  | { readonly kind: 'NotStored' | 'Contended' }
  /** Stored, and certainly not sent: the form is over. */
  | { readonly kind: 'NotSent'; readonly operationId: OperationId }
  /** The outcome of the submission is unknown. */
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId };
