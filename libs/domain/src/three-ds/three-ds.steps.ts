import {
  isOpenAttempt,
  type AttemptEventData,
  type AttemptedOperation,
  type SendWindow,
} from '../attempt/index.js';
import type { ResponseFacts } from '../attempt/attempt.events.js';
import { accepted, rejected, type Decision } from '../shared/aggregate.js';
import { ResponseCode, type ThreeDsStatus } from '../shared/codes.js';
import type { ThreeDsFacts } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { ChallengeEnded, ChallengeOpened, ThreeDsCompleted } from './three-ds.events.js';

/*
 * The authentication of a cardholder between the request of an attempt and its sending, shared by all aggregates that have
 * hosted forms (`docs/spec/three-d-secure.md`). A stalled process may take a step too late: then no event is added.
 */

export interface CompleteThreeDs extends AttemptEventData {
  /** The challenge that ended. Absent: there was none. */
  readonly challengeId?: string;
  readonly threeDs: ThreeDsFacts;
  /** The send window of the attempt, if it goes on to the processor. */
  readonly resumes: SendWindow;
}

/** How an aggregate names its events. */
export interface ThreeDsRules<State, Operation extends AttemptedOperation, Event, Rejection> {
  findOperation(state: State, operationId: OperationId): Operation | undefined;
  completed(data: ThreeDsCompleted): Event;
  challengeOpened(data: ChallengeOpened): Event;
  challengeEnded(data: ChallengeEnded): Event;
  /** The attempt ends without having been sent. */
  declined(state: State, operation: Operation, attempt: AttemptEventData, facts: ResponseFacts): Event;
  outOfOrder(message: string): Rejection;
}

/** The response to an attempt that 3-D Secure ended (`docs/spec/transactions.md#endings`). */
const ENDS_ATTEMPT: Partial<
  Record<ThreeDsStatus, { readonly responseCode: ResponseCode; hostText: string }>
> = {
  Failed: {
    responseCode: ResponseCode.AuthenticationFailed,
    hostText: 'the card’s issuer rejected the authentication',
  },
  Unavailable: {
    responseCode: ResponseCode.NetworkError,
    hostText: 'the cardholder could not be authenticated for a technical reason',
  },
  NotEnrolled: {
    responseCode: ResponseCode.VerificationRequired,
    hostText: 'the card is not enrolled in 3-D Secure',
  },
};

/** True if an attempt with this result goes on to the processor. */
export function mayBeSent({ status }: Pick<ThreeDsFacts, 'status'>): boolean {
  return ENDS_ATTEMPT[status] === undefined;
}

export function threeDsSteps<State, Operation extends AttemptedOperation, Event, Rejection>(
  rules: ThreeDsRules<State, Operation, Event, Rejection>,
) {
  type StepDecision = Decision<Event, Rejection, OperationId>;

  const findOpen = (state: State, { operationId, try: number }: AttemptEventData): Operation | undefined => {
    const operation = rules.findOperation(state, operationId);
    return operation && isOpenAttempt(operation, number) ? operation : undefined;
  };

  return {
    openChallenge(state: State, command: ChallengeOpened): StepDecision {
      const operation = findOpen(state, command);
      return operation && awaitsThreeDs(operation)
        ? accepted([rules.challengeOpened(command)], command.operationId)
        : rejected(rules.outOfOrder('No attempt waits for its authentication.'));
    },
    /** Only the caller whose command added an event sends the attempt. */
    completeThreeDs(state: State, { resumes, ...command }: CompleteThreeDs): StepDecision {
      const { at, operationId, try: number, challengeId, threeDs } = command;
      const operation = findOpen(state, command);
      const isAwaited =
        operation &&
        (challengeId === undefined
          ? awaitsThreeDs(operation)
          : openChallengeOf(operation)?.challengeId === challengeId);
      if (!isAwaited) return accepted([], operationId);
      const attempt = { at, operationId, try: number };
      const ending = ENDS_ATTEMPT[threeDs.status];
      const events: Event[] = [];
      if (challengeId !== undefined)
        events.push(rules.challengeEnded({ ...attempt, challengeId, threeDs, ...(!ending && { resumes }) }));
      else if (!ending) events.push(rules.completed({ ...attempt, threeDs, resumes }));
      if (ending) events.push(rules.declined(state, operation, attempt, { ...ending, threeDs }));
      return accepted(events, operationId);
    },
  };
}

export type ThreeDsSteps<State, Event, Rejection> = ReturnType<
  typeof threeDsSteps<State, AttemptedOperation, Event, Rejection>
>;

export interface OpenChallenge extends Omit<ChallengeOpened, keyof AttemptEventData | 'personal'> {}

/** The challenge that the operation waits for; undefined: none. */
export function openChallengeOf({ progress }: AttemptedOperation): OpenChallenge | undefined {
  return progress.status === 'ChallengeOpen' ? (progress as typeof progress & OpenChallenge) : undefined;
}

/** The attempt was requested, and no 3-D Secure server has answered. */
function awaitsThreeDs({ progress, attempt }: AttemptedOperation): boolean {
  return progress.status === 'InFlight' && attempt !== undefined && attempt.threeDs === undefined;
}
