import type { Attempt, OperationId, SendWindow, AttemptPlan } from '@tillstream/domain';
import type { ProcessorResponse, AttemptCall, ProcessorRoute } from '@tillstream/processors';
import { iso, type Clock } from '../ports/clock.port.js';
import type { CrashPoints } from '../ports/crash-points.port.js';
import type { Timings } from '../timings.js';
import { processorKey } from './processor-requests.js';

/** The beginning of an attempt by both clocks. Made before anything is looked up: its age counts from the request's beginning. */
export interface AttemptStart {
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly window: SendWindow;
}

interface StartParts {
  readonly clock: Clock;
  readonly timings: Timings;
}

/** `deadline`: ms from `sendBefore` to the end of the wait for an answer. */
export function startAttempt(
  { clock, timings }: StartParts,
  deadline: number = timings.processorDeadline,
): AttemptStart {
  const sendBefore = clock.realNow() + timings.sendWithin;
  return {
    startedAt: clock.monotonicNow(),
    window: { sendBefore: iso(sendBefore), answerBefore: iso(sendBefore + deadline) },
  };
}

/** The plan of an attempt that opens a payment or checks a card: where today's routes lead. */
export function planAttempt(
  { window }: AttemptStart,
  { processor, account }: ProcessorRoute,
  networkTransactionId?: string,
): AttemptPlan {
  return {
    ...window,
    processor,
    processorAccount: account,
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  };
}

/** An attempt as a processor is called for it. `NotSent` and `NoAnswer` are not handed on as late answers. */
export function processorCall(
  { timings, crashPoints }: StartParts & { readonly crashPoints: CrashPoints },
  operationId: OperationId,
  attempt: Attempt,
  startedAt: number,
  onLateAnswer: (answer: Exclude<ProcessorResponse, { kind: 'NotSent' | 'NoAnswer' }>) => void,
): AttemptCall {
  const sendBefore = Date.parse(attempt.sendBefore);
  return {
    key: processorKey(operationId, attempt.number),
    sendBefore,
    startedAt,
    sendWithinMs: timings.sendWithin,
    deadlineMs: Date.parse(attempt.answerBefore) - sendBefore,
    onSent: () => crashPoints.reached('after-send'),
    onLateResponse: (answer) => {
      if (answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer') onLateAnswer(answer);
    },
  };
}
