import {
  cancelForm,
  cancelTokenForm,
  expireForm,
  expireTokenForm,
  submitForm,
  submitTokenForm,
  type Decision,
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

/** The codes of `FormErrorCode` are about the form. */
export interface FormRejection {
  readonly code: string;
}

/** The part of an aggregate (a payment or a token) that its hosted form uses. */
export interface FormAggregate<State, Event extends StreamEvent, Rejection extends FormRejection> {
  readonly sender: AttemptSender<State, Event, Rejection>;
  /** Undefined: no form opened the stream. */
  find(state: State): FormInStream | undefined;
  submit(state: State, command: SubmitForm): Decision<Event, Rejection, OperationId>;
  cancel(state: State, command: OperationEventData): Decision<Event, Rejection, OperationId>;
  expire(state: State, command: OperationEventData): Decision<Event, Rejection, OperationId>;
}

export function formOfPayment({
  paymentSender,
}: Pick<Parts, 'paymentSender'>): FormAggregate<PaymentState, PaymentEvent, PaymentRejection> {
  return {
    sender: paymentSender,
    find(state) {
      if (state.status === 'None' || !state.form) return undefined;
      const [operation] = state.operations;
      if (!operation) return undefined;
      const { merchantId, paymentMethod, form } = state;
      const subject = { kind: 'Payment', payment: state, operationId: operation.id } as const;
      return { form, operationId: operation.id, merchantId, operation, paymentMethod, subject };
    },
    submit: submitForm,
    cancel: cancelForm,
    expire: expireForm,
  };
}

export function formOfToken({
  verificationSender,
}: Pick<Parts, 'verificationSender'>): FormAggregate<TokenState, TokenEvent, TokenRejection> {
  return {
    sender: verificationSender,
    find(state) {
      if (state.status === 'None' || !state.form) return undefined;
      const [operation] = state.operations;
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
  };
}
