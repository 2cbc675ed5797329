import { accepted, refused, type Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { OutcomeSource } from '../payment/payment.events.js';
import { isInHand, isUnknown, type AttemptedOperation, type SendWindow } from './attempt.js';

/*
 * The steps of an attempt on its way to a processor and back, once for every aggregate that has attempts (payment
 * protocol 2 to 5). A stalled process or one that took over may take a step twice or too late: then no event follows.
 */

export interface OfAttempt {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
}

export interface InterruptAttempt extends OfAttempt {
  /** `NoAnswer`: the sender's deadline passed. `Abandoned`: its sender must have died. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The link to the terminal was lost, which may know more: it is asked for its last transaction. */
  readonly lostLink: boolean;
}

export interface AttemptNotSent extends OfAttempt {
  readonly reason: string;
}

export interface CloseAttempt extends OfAttempt {
  readonly source: OutcomeSource;
  readonly reason?: string;
}

export interface ResendAttempt extends OfAttempt, SendWindow {}

export interface RecordAttempt extends OfAttempt {
  readonly source: OutcomeSource;
}

/** How an aggregate names the steps, and what an answer means to it. */
export interface AttemptRules<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttempt,
  Event,
  Refusal,
> {
  find(state: State, operationId: OperationId): Operation | undefined;
  interrupted(data: InterruptAttempt): Event;
  notSent(data: AttemptNotSent): Event;
  notExecuted(data: CloseAttempt): Event;
  /** Undefined: the operation takes a customer's money and is never sent twice. */
  resendRequested(operation: Operation, data: ResendAttempt): Event | undefined;
  /** Why the answer can be no fact of this operation; undefined: it can. */
  impossibleAnswer(operation: Operation, command: Recording): Refusal | undefined;
  /** The events of an answer to the attempt in hand. */
  ending(state: State, operation: Operation, command: Recording): readonly Event[];
  /** The events of an answer to an attempt that is over. */
  late(state: State, operation: Operation, command: Recording): readonly Event[];
  outOfOrder(message: string): Refusal;
}

export interface AttemptSteps<State, Recording, Event, Refusal> {
  /** The sender's deadline passed without an answer, or the sender died. */
  interrupt(state: State, command: InterruptAttempt): Decision<Event, Refusal, OperationId>;
  /** The sender did not send it, and will not. Without effect once the resolver has sent the attempt itself. */
  notSent(state: State, command: AttemptNotSent): Decision<Event, Refusal, OperationId>;
  /** The processor promised never to execute it, or an operator says that it did not. */
  closeNotExecuted(state: State, command: CloseAttempt): Decision<Event, Refusal, OperationId>;
  /** Written before the resolver sends an attempt again, under the same key. */
  resend(state: State, command: ResendAttempt): Decision<Event, Refusal, OperationId>;
  /**
   * Records an answer, from wherever it comes. A fact from outside is never refused, except one that is impossible. An
   * operator can end only an unknown outcome: if the processor answered first, the operator's word has no effect.
   */
  recordAnswer(state: State, command: Recording): Decision<Event, Refusal, OperationId>;
}

export function attemptSteps<
  State,
  Operation extends AttemptedOperation,
  Recording extends RecordAttempt,
  Event,
  Refusal,
>(
  rules: AttemptRules<State, Operation, Recording, Event, Refusal>,
): AttemptSteps<State, Recording, Event, Refusal> {
  const inHand = (state: State, { operationId, try: number }: OfAttempt): Operation | undefined => {
    const operation = rules.find(state, operationId);
    return operation && isInHand(operation, number) ? operation : undefined;
  };
  const unknown = (state: State, attempt: OfAttempt): Operation | undefined => {
    const operation = inHand(state, attempt);
    return operation && isUnknown(operation) ? operation : undefined;
  };
  const nothing = ({ operationId }: OfAttempt): Decision<Event, Refusal, OperationId> =>
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
      const mayStillSay = operation?.progress.status === 'InFlight' && !operation.try?.resent;
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
        : refused(rules.outOfOrder('This attempt can not be sent again.'));
    },
    recordAnswer(state, command) {
      const operation = rules.find(state, command.operationId);
      if (!operation) return refused(rules.outOfOrder('This operation was never requested.'));
      const impossible = rules.impossibleAnswer(operation, command);
      if (impossible) return refused(impossible);
      if (command.source === 'Operator' && !unknown(state, command)) return nothing(command);
      const events = isInHand(operation, command.try)
        ? rules.ending(state, operation, command)
        : rules.late(state, operation, command);
      return accepted(events, operation.id);
    },
  };
}
