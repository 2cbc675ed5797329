import { accepted, rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import type { OperationId } from '../shared/ids.js';
import { isOpenAttempt, hasUnknownOutcome, type AttemptedOperation } from './attempt.js';
import type {
  AttemptEventData,
  Interrupted,
  NotExecuted,
  NotSent,
  ResendRequested,
} from './attempt.events.js';
import type { RecordAttemptResponse } from './attempt.response.js';

/*
 * The steps of an attempt to a processor and back, shared by all aggregates that have attempts: steps 2 to 5 of
 * `docs/adr/0004-requests-attempts-and-outcomes.md#payment-protocol`. A command is the data of its event. A stalled
 * process, or another one that took over, may take a step twice or too late: then no event is added.
 */

/** How an aggregate names its events, and which events a processor's answer makes. */
export interface AttemptRules<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttemptResponse,
  Event,
  Rejection,
> {
  findOperation(state: State, operationId: OperationId): Operation | undefined;
  interrupted(data: Interrupted): Event;
  notSent(data: NotSent): Event;
  notExecuted(data: NotExecuted): Event;
  /** Undefined: the operation takes a customer's money, so it is never sent twice. */
  resendRequested(operation: Operation, data: ResendRequested): Event | undefined;
  /** The reason why this operation can not have such an answer; undefined if it can. */
  rejectImpossibleResponse(operation: Operation, command: Recording): Rejected<Rejection> | undefined;
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

  const findOpen = (state: State, { operationId, try: number }: AttemptEventData): Operation | undefined => {
    const operation = rules.findOperation(state, operationId);
    return operation && isOpenAttempt(operation, number) ? operation : undefined;
  };

  return {
    /** The sender's deadline passed without an answer, or its process ended. */
    interrupt(state: State, command: Interrupted): StepDecision {
      const isInFlight = findOpen(state, command)?.progress.status === 'InFlight';
      return accepted(isInFlight ? [rules.interrupted(command)] : [], command.operationId);
    },
    /** The sender did not send the attempt, and never will. No effect after the resolver has sent it again. */
    notSent(state: State, command: NotSent): StepDecision {
      const operation = findOpen(state, command);
      const isUnsent = operation?.progress.status === 'InFlight' && !operation.attempt?.resent;
      return accepted(isUnsent ? [rules.notSent(command)] : [], command.operationId);
    },
    /** The processor promised never to execute the attempt, or an operator decided that it did not. */
    closeNotExecuted(state: State, command: NotExecuted): StepDecision {
      const operation = findOpen(state, command);
      const mayClose = operation && (command.source !== 'Operator' || hasUnknownOutcome(operation));
      return accepted(mayClose ? [rules.notExecuted(command)] : [], command.operationId);
    },
    /** Comes before the resolver sends an attempt again, under the same key. */
    resend(state: State, command: ResendRequested): StepDecision {
      const operation = findOpen(state, command);
      const event = operation && rules.resendRequested(operation, command);
      return event
        ? accepted([event], command.operationId)
        : rejected(rules.outOfOrder('This attempt can not be sent again.'));
    },
    // A fact from outside is never rejected, unless it is impossible. An operator resolves only an unknown outcome.
    recordResponse(state: State, command: Recording): StepDecision {
      const operation = rules.findOperation(state, command.operationId);
      if (!operation) return rejected(rules.outOfOrder('This operation was never requested.'));
      const impossible = rules.rejectImpossibleResponse(operation, command);
      if (impossible) return impossible;
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
