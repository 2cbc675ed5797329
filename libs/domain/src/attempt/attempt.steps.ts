import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { OutcomeSource } from '../payment/payment.events.js';
import { isOpenAttempt, hasUnknownOutcome, type AttemptedOperation, type SendWindow } from './attempt.js';

/*
 * The steps of an attempt on its way to a processor and back, once for every aggregate that has attempts (payment
 * protocol 2 to 5). A stalled process or one that took over may take a step twice or too late: then no event follows.
 */

export interface AttemptCommand {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
}

export interface InterruptAttempt extends AttemptCommand {
  /** `NoAnswer`: the sender's deadline passed. `Abandoned`: its sender must have died. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The link to the terminal was lost, which may know more: it is asked for its last transaction. */
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

/** How an aggregate names the steps, and what an answer means to it. */
export interface AttemptRules<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttemptResponse,
  Event,
  Refusal,
> {
  findOperation(state: State, operationId: OperationId): Operation | undefined;
  interrupted(data: InterruptAttempt): Event;
  notSent(data: RecordNotSent): Event;
  notExecuted(data: CloseAttempt): Event;
  /** Undefined: the operation takes a customer's money and is never sent twice. */
  resendRequested(operation: Operation, data: ResendAttempt): Event | undefined;
  /** Why the answer can be no fact of this operation; undefined: it can. */
  rejectImpossibleResponse(operation: Operation, command: Recording): Refusal | undefined;
  /** The events of an answer to the attempt in hand. */
  responseEvents(state: State, operation: Operation, command: Recording): readonly Event[];
  /** The events of an answer to an attempt that is over. */
  lateResponseEvents(state: State, operation: Operation, command: Recording): readonly Event[];
  outOfOrder(message: string): Refusal;
}

export interface AttemptSteps<State, Recording, Event, Refusal> {
  /** The sender's deadline passed without an answer, or the sender died. */
  interrupt(state: State, command: InterruptAttempt): Decision<Event, Refusal, OperationId>;
  /** The sender did not send it, and will not. Without effect once the resolver has sent the attempt itself. */
  notSent(state: State, command: RecordNotSent): Decision<Event, Refusal, OperationId>;
  /** The processor promised never to execute it, or an operator says that it did not. */
  closeNotExecuted(state: State, command: CloseAttempt): Decision<Event, Refusal, OperationId>;
  /** Written before the resolver sends an attempt again, under the same key. */
  resend(state: State, command: ResendAttempt): Decision<Event, Refusal, OperationId>;
  /**
   * Records an answer, from wherever it comes. A fact from outside is never refused, except one that is impossible. An
   * operator can end only an unknown outcome: if the processor answered first, the operator's word has no effect.
   */
  recordResponse(state: State, command: Recording): Decision<Event, Refusal, OperationId>;
}

export function attemptSteps<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttemptResponse,
  Event,
  Refusal,
>(
  rules: AttemptRules<State, Operation, Recording, Event, Refusal>,
): AttemptSteps<State, Recording, Event, Refusal> {
  const inHand = (state: State, { operationId, try: number }: AttemptCommand): Operation | undefined => {
    const operation = rules.findOperation(state, operationId);
    return operation && isOpenAttempt(operation, number) ? operation : undefined;
  };
  const unknown = (state: State, attempt: AttemptCommand): Operation | undefined => {
    const operation = inHand(state, attempt);
    return operation && hasUnknownOutcome(operation) ? operation : undefined;
  };
  const nothing = ({ operationId }: AttemptCommand): Decision<Event, Refusal, OperationId> =>
    accepted([], operationId);

  return {
    interrupt(state, { at, operationId, try: number, cause, lostLink }) {
      const command = { at, operationId, try: number, cause, lostLink };
      const isInFlight = inHand(state, command)?.progress.status === 'InFlight';
      return isInFlight ? accepted([rules.interrupted(command)], operationId) : nothing(command);
    },
    notSent(state, { at, operationId, try: number, reason }) {
      const command = { at, operationId, try: number, reason };
      const operation = inHand(state, command);
      const mayStillSay = operation?.progress.status === 'InFlight' && !operation.attempt?.resent;
      return mayStillSay ? accepted([rules.notSent(command)], operationId) : nothing(command);
    },
    closeNotExecuted(state, { at, operationId, try: number, source, reason }) {
      const command = { at, operationId, try: number, source, ...(reason !== undefined && { reason }) };
      const operation = source === 'Operator' ? unknown(state, command) : inHand(state, command);
      return operation ? accepted([rules.notExecuted(command)], operationId) : nothing(command);
    },
    resend(state, { at, operationId, try: number, sendBefore, answerBefore }) {
      const command = { at, operationId, try: number, sendBefore, answerBefore };
      const operation = inHand(state, command);
      const event = operation && rules.resendRequested(operation, command);
      return event
        ? accepted([event], operationId)
        : rejected(rules.outOfOrder('This attempt can not be sent again.'));
    },
    recordResponse(state, command) {
      const operation = rules.findOperation(state, command.operationId);
      if (!operation) return rejected(rules.outOfOrder('This operation was never requested.'));
      const impossible = rules.rejectImpossibleResponse(operation, command);
      if (impossible) return rejected(impossible);
      if (command.source === 'Operator' && !unknown(state, command)) return nothing(command);
      const events = isOpenAttempt(operation, command.try)
        ? rules.responseEvents(state, operation, command)
        : rules.lateResponseEvents(state, operation, command);
      return accepted(events, operation.id);
    },
  };
}
