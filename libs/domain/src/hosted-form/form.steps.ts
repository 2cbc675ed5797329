import type { AttemptedOperation, AttemptOutcome, AttemptPlan, Cancelled } from '../attempt/index.js';
import { accepted, rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import type { ResultCode } from '../shared/codes.js';
import type { CommandEventData, Encrypted, OperationEventData } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { Consent, ConsentGiven } from './consent.js';
import { leavesFormOpen, type HostedForm } from './hosted-form.js';

/*
 * The commands of a customer at a hosted form, shared by all aggregates that have forms. Each submission is an attempt;
 * its outcome follows the steps of an attempt.
 */

export type FormErrorCode =
  /** One submission at a time. */
  | 'SubmissionInFlight'
  | 'TriesSpent'
  | 'FormOver'
  /** The form's time has passed, even if no event says so yet. */
  | 'FormExpired'
  /** No form opened the operation, or its time has not passed yet. */
  | 'StepOutOfOrder';

/** The part of an operation that the steps of a form use, in any aggregate. */
export interface FormOperation extends AttemptedOperation {
  readonly updatedAt: string;
  /** Newest first. */
  readonly responses: readonly { readonly outcome: AttemptOutcome; readonly resultCode: ResultCode }[];
}

export interface SubmitForm extends CommandEventData {
  readonly attemptPlan: AttemptPlan;
  /** Of a card that will be stored: its expiry and billing contact, sealed. */
  readonly personal?: Encrypted;
  /** Of a bank account: the customer's authorization. */
  readonly consent?: Consent;
}

interface OpenForm<Operation> {
  readonly operation: Operation;
  readonly form: HostedForm;
}

/** How an aggregate finds its forms and names their events. */
export interface FormRules<State, Operation extends FormOperation, Event, Rejection> {
  /** Undefined: there is no such operation, or no form opened it. */
  find(state: State, operationId: OperationId): OpenForm<Operation> | undefined;
  /** The operation that has a command of this id. */
  findRepeated(state: State, commandId: string): OperationId | undefined;
  consentGiven(data: ConsentGiven): Event;
  attemptRequested(
    operation: Operation,
    command: Omit<SubmitForm, 'consent'> & { readonly try: number },
  ): Event;
  cancelled(data: Cancelled): Event;
  expired(data: OperationEventData): Event;
  declined(data: AttemptOutcome & { readonly resultCode: ResultCode }): Event;
  rejection(code: FormErrorCode, message: string): Rejection;
}

export function formSteps<State, Operation extends FormOperation, Event, Rejection>(
  rules: FormRules<State, Operation, Event, Rejection>,
) {
  type FormDecision = Decision<Event, Rejection, OperationId>;
  return {
    /**
     * One submission at a time. The fifth declined submission ends the form, and so does its expiry
     * (`docs/spec/hosted-form.md#session`). A consent is stored with the attempt that it authorizes, never without it.
     */
    submitForm(state: State, command: SubmitForm): FormDecision {
      const repeated = rules.findRepeated(state, command.commandId);
      if (repeated !== undefined) return accepted([], repeated);
      const found = findOpenForm(rules, state, command.operationId);
      if ('kind' in found) return found;
      if (command.at >= found.form.expiresAt) return reject(rules, 'FormExpired', 'The form has expired.');
      const number = (found.operation.attempt?.number ?? 0) + 1;
      const { consent, ...submission } = command;
      const { at, operationId } = command;
      const consentEvents = consent ? [rules.consentGiven({ at, operationId, try: number, ...consent })] : [];
      const event = rules.attemptRequested(found.operation, { ...submission, try: number });
      return accepted([...consentEvents, event], operationId);
    },
    /** Before the first attempt the operation is cancelled with 55. */
    cancelForm(state: State, command: OperationEventData): FormDecision {
      const cancelled = { ...command, try: 0, by: 'Customer', source: 'Service', resultCode: 55 } as const;
      return endForm(rules, state, command, rules.cancelled(cancelled));
    },
    expireForm(state: State, command: OperationEventData): FormDecision {
      const open = findOpenForm(rules, state, command.operationId);
      if ('form' in open && command.at < open.form.expiresAt)
        return reject(rules, 'StepOutOfOrder', 'The form has not expired yet.');
      return endForm(rules, state, command, rules.expired(command));
    },
  };
}

function findOpenForm<State, Operation extends FormOperation, Event, Rejection>(
  rules: FormRules<State, Operation, Event, Rejection>,
  state: State,
  operationId: OperationId,
): OpenForm<Operation> | Rejected<Rejection> {
  const found = rules.find(state, operationId);
  if (!found) return reject(rules, 'StepOutOfOrder', 'There is no such form.');
  switch (found.operation.progress.status) {
    case 'AwaitingCustomer':
      return found;
    case 'InFlight':
    case 'ChallengeOpen':
    case 'Interrupted':
      return reject(rules, 'SubmissionInFlight', 'A submission has no outcome yet.');
    case 'Declined':
      return hasExpired(found)
        ? reject(rules, 'FormExpired', 'The form has expired.')
        : reject(rules, 'TriesSpent', 'The form has no tries left.');
    case 'FormExpired':
      return reject(rules, 'FormExpired', 'The form has expired.');
    default:
      return reject(rules, 'FormOver', 'The form is over.');
  }
}

/** After a failed attempt the operation is declined with the attempt's result. Adds nothing if the form has ended. */
function endForm<State, Operation extends FormOperation, Event, Rejection>(
  rules: FormRules<State, Operation, Event, Rejection>,
  state: State,
  { operationId, at }: OperationEventData,
  withoutAttempt: Event,
): Decision<Event, Rejection, OperationId> {
  const status = rules.find(state, operationId)?.operation.progress.status;
  if (status === 'Cancelled' || status === 'FormExpired' || status === 'Declined') {
    return accepted([], operationId);
  }
  const found = findOpenForm(rules, state, operationId);
  if ('kind' in found) return found;
  const [last] = found.operation.responses;
  const event = last ? rules.declined({ ...last.outcome, at, resultCode: last.resultCode }) : withoutAttempt;
  return accepted([event], operationId);
}

function reject<Rejection>(
  { rejection }: Pick<FormRules<never, never, never, Rejection>, 'rejection'>,
  code: FormErrorCode,
  message: string,
): Rejected<Rejection> {
  return rejected(rejection(code, message));
}

/** The form was declined because its time had passed, with tries left. */
function hasExpired({ operation: { responses, updatedAt }, form }: OpenForm<FormOperation>): boolean {
  const [last] = responses;
  return last !== undefined && leavesFormOpen(last.outcome) && updatedAt >= form.expiresAt;
}
