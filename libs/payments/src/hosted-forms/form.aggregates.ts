import {
  cancelForm,
  cancelTokenForm,
  expireForm,
  expireTokenForm,
  findOperation,
  findTokenOperation,
  submitForm,
  submitTokenForm,
  type Decision,
  type FormErrorCode,
  type HostedForm,
  type Operation,
  type OperationEventData,
  type OperationId,
  type PaymentMethodSnapshot,
  type PaymentEvent,
  type PaymentRejection,
  type PaymentState,
  type SubmitForm,
  type TokenEvent,
  type TokenOperation,
  type TokenRejection,
  type TokenState,
} from '@tillstream/domain';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import type { Parts } from '../parts.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import type { FormSubject } from './hosted-form.types.js';

/** A form in its stream. */
export interface FormInStream {
  readonly form: HostedForm;
  readonly operationId: OperationId;
  readonly merchantId: string;
  readonly operation: Operation | TokenOperation;
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly subject: FormSubject;
}

/** The part of an aggregate (a payment or a token) that its hosted form uses. */
export interface FormAggregate<State, Event extends StreamEvent, Rejection> {
  readonly sender: AttemptSender<State, Event, Rejection>;
  /** Undefined: no form opened the stream. */
  find(state: State): FormInStream | undefined;
  submit(state: State, command: SubmitForm): Decision<Event, Rejection, OperationId>;
  cancel(state: State, command: OperationEventData): Decision<Event, Rejection, OperationId>;
  expire(state: State, command: OperationEventData): Decision<Event, Rejection, OperationId>;
  /** Undefined: the code is not about a form. */
  formError(rejection: Rejection): FormErrorCode | undefined;
}

const FORM_ERRORS: readonly string[] = [
  'TryInFlight',
  'TriesSpent',
  'FormOver',
  'FormExpired',
  'StepOutOfOrder',
] satisfies readonly FormErrorCode[];

const formError = ({ code }: { readonly code: string }): FormErrorCode | undefined =>
  FORM_ERRORS.includes(code) ? (code as FormErrorCode) : undefined;

export function formOfPayment({
  paymentSender,
}: Pick<Parts, 'paymentSender'>): FormAggregate<PaymentState, PaymentEvent, PaymentRejection> {
  return {
    sender: paymentSender,
    find(state) {
      if (state.status === 'None' || !state.form) return undefined;
      const [opening] = state.operations;
      const operation = opening && findOperation(state, opening.id);
      if (!operation) return undefined;
      const { merchantId, paymentMethod, form } = state;
      const subject = { kind: 'Payment', payment: state, operationId: operation.id } as const;
      return { form, operationId: operation.id, merchantId, operation, paymentMethod, subject };
    },
    submit: submitForm,
    cancel: cancelForm,
    expire: expireForm,
    formError,
  };
}

export function formOfToken({
  verificationSender,
}: Pick<Parts, 'verificationSender'>): FormAggregate<TokenState, TokenEvent, TokenRejection> {
  return {
    sender: verificationSender,
    find(state) {
      if (state.status === 'None' || !state.form) return undefined;
      const [opening] = state.operations;
      const operation = opening && findTokenOperation(state, opening.id);
      if (!operation) return undefined;
      const { merchantId, form } = state;
      // Once the token exists, only the attempts still name the form.
      const paymentMethod = operation.responses[0]?.outcome.paymentMethod ?? state.paymentMethod;
      const subject = { kind: 'Token', token: state, operationId: operation.id } as const;
      return { form, operationId: operation.id, merchantId, operation, paymentMethod, subject };
    },
    submit: submitTokenForm,
    cancel: cancelTokenForm,
    expire: expireTokenForm,
    formError,
  };
}
