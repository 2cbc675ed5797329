import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { OutcomeSource } from '../payment/payment.events.js';
import { isOpenAttempt, hasUnknownOutcome, type AttemptedOperation, type SendWindow } from './attempt.js';

/*
 * The steps of an attempt to a processor and back, shared by all aggregates that have attempts (payment protocol 2 to
 * 5). A stalled process, or another one that took over, may take a step twice or too late: then no event is added.
 */

export interface AttemptCommand {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
}

export interface InterruptAttempt extends AttemptCommand {
  /** `NoAnswer`: the sender's deadline passed. `Abandoned`: the sender's process must have ended. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The connection to the terminal was lost. The resolver asks the terminal for its last transaction. */
  readonly lostLink: boolean;
}

export interface RecordNotSent extends AttemptCommand {
  readonly reason: string;
}

export interface CloseAttempt extends AttemptCommand {
  readonly source: OutcomeSource;
  readonly reason?: string;
}

export interface ResendAttempt extends AttemptCommand, SendWindow {}

export interface RecordAttemptResponse extends AttemptCommand {
  readonly source: OutcomeSource;
}

/** How an aggregate names its events, and which events a processor's answer makes. */
export interface AttemptRules<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttemptResponse,
  Event,
  Rejection,
> {
  findOperation(state: State, operationId: OperationId): Operation | undefined;
  interrupted(data: InterruptAttempt): Event;
  notSent(data: RecordNotSent): Event;
  notExecuted(data: CloseAttempt): Event;
  /** Undefined: the operation takes a customer's money, so it is never sent twice. */
  resendRequested(operation: Operation, data: ResendAttempt): Event | undefined;
  /** The reason why this operation can not have such an answer; undefined if it can. */
  rejectImpossibleResponse(operation: Operation, command: Recording): Rejection | undefined;
  /** The events of an answer to the open attempt. */
  responseEvents(state: State, operation: Operation, command: Recording): readonly Event[];
  /** The events of an answer to an attempt that has an outcome. */
  lateResponseEvents(state: State, operation: Operation, command: Recording): readonly Event[];
  outOfOrder(message: string): Rejection;
}

/** The steps of one aggregate. Each is a decision on its state. */
export function attemptSteps<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttemptResponse,
  Event,
  Rejection,
>(rules: AttemptRules<State, Operation, Recording, Event, Rejection>) {
  type StepDecision = Decision<Event, Rejection, OperationId>;

  const findOpen = (state: State, { operationId, try: number }: AttemptCommand): Operation | undefined => {
    const operation = rules.findOperation(state, operationId);
    return operation && isOpenAttempt(operation, number) ? operation : undefined;
  };

  return {
    /** The sender's deadline passed without an answer, or its process ended. */
    interrupt(
      state: State,
      { at, operationId, try: number, cause, lostLink }: InterruptAttempt,
    ): StepDecision {
      const command = { at, operationId, try: number, cause, lostLink };
      const isInFlight = findOpen(state, command)?.progress.status === 'InFlight';
      return isInFlight ? accepted([rules.interrupted(command)], operationId) : accepted([], operationId);
    },
    /** The sender did not send the attempt, and never will. No effect after the resolver has sent it again. */
    notSent(state: State, { at, operationId, try: number, reason }: RecordNotSent): StepDecision {
      const command = { at, operationId, try: number, reason };
      const operation = findOpen(state, command);
      const isUnsent = operation?.progress.status === 'InFlight' && !operation.attempt?.resent;
      return isUnsent ? accepted([rules.notSent(command)], operationId) : accepted([], operationId);
    },
    /** The processor promised never to execute the attempt, or an operator decided that it did not. */
    closeNotExecuted(
      state: State,
      { at, operationId, try: number, source, reason }: CloseAttempt,
    ): StepDecision {
      const command = { at, operationId, try: number, source, ...(reason !== undefined && { reason }) };
      const operation = findOpen(state, command);
      const mayClose = operation && (source !== 'Operator' || hasUnknownOutcome(operation));
      return mayClose ? accepted([rules.notExecuted(command)], operationId) : accepted([], operationId);
    },
    /** Comes before the resolver sends an attempt again, under the same key. */
    resend(
      state: State,
      { at, operationId, try: number, sendBefore, answerBefore }: ResendAttempt,
    ): StepDecision {
      const command = { at, operationId, try: number, sendBefore, answerBefore };
      const operation = findOpen(state, command);
      const event = operation && rules.resendRequested(operation, command);
      return event
        ? accepted([event], operationId)
        : rejected(rules.outOfOrder('This attempt can not be sent again.'));
    },
    // A fact from outside is never rejected, unless it is impossible. An operator resolves only an unknown outcome.
    recordResponse(state: State, command: Recording): StepDecision {
      const operation = rules.findOperation(state, command.operationId);
      if (!operation) return rejected(rules.outOfOrder('This operation was never requested.'));
      const impossible = rules.rejectImpossibleResponse(operation, command);
      if (impossible) return rejected(impossible);
      const isOpen = isOpenAttempt(operation, command.try);
      const mayResolve = isOpen && hasUnknownOutcome(operation);
      if (command.source === 'Operator' && !mayResolve) return accepted([], operation.id);
      const events = isOpen
        ? rules.responseEvents(state, operation, command)
        : rules.lateResponseEvents(state, operation, command);
      return accepted(events, operation.id);
    },
  };
}

export type AttemptSteps<State, Recording extends RecordAttemptResponse, Event, Rejection> = ReturnType<
  typeof attemptSteps<State, AttemptedOperation, Recording, Event, Rejection>
>;
