import type { OperationId, TryPlan } from '@tillstream/domain';
import type { Answer, Call, Processor } from '@tillstream/processors';
import { iso, type Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import { processorKey } from './processor.requests.js';
import type { Timings } from './timings.js';

/** When a decided try was begun: both clocks, for `sendBefore`. */
export interface Departure {
  readonly startedAt: number;
  readonly plan: TryPlan;
}

export interface DepartureParts {
  readonly processor: Processor;
  readonly clock: Clock;
  readonly timings: Timings;
}

/** Made before the decision, so that the age of a request counts from its beginning. */
export function depart(
  { processor, clock, timings }: DepartureParts,
  deadline: number = timings.processorDeadline,
  networkTransactionId?: string,
): Departure {
  const sendBefore = clock.realNow() + timings.sendWithin;
  return {
    startedAt: clock.monotonicNow(),
    plan: {
      sendBefore: iso(sendBefore),
      answerBefore: iso(sendBefore + deadline),
      processor: processor.name,
      processorAccount: processor.account,
      ...(networkTransactionId !== undefined && { networkTransactionId }),
    },
  };
}

/** The last try of an operation, as a processor is called for it. What is no answer at all is not handed on as a late one. */
export function callOf(
  { timings, crashPoints }: DepartureParts & { readonly crashPoints: CrashPoints },
  operationId: OperationId,
  lastTry: { readonly number: number; readonly sendBefore: string; readonly answerBefore: string },
  startedAt: number,
  onLateAnswer: (answer: Exclude<Answer, { kind: 'NotSent' | 'NoAnswer' }>) => void,
): Call {
  const sendBefore = Date.parse(lastTry.sendBefore);
  return {
    key: processorKey(operationId, lastTry.number),
    sendBefore,
    startedAt,
    sendWithinMs: timings.sendWithin,
    deadlineMs: Date.parse(lastTry.answerBefore) - sendBefore,
    onSent: () => crashPoints.reached('after-send'),
    onLateAnswer: (answer) => {
      if (answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer') onLateAnswer(answer);
    },
  };
}
