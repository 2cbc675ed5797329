import type { Attempt, SendWindow, AttemptPlan } from '@tillstream/domain';
import type { AttemptCall, ProcessorRoute } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import { processorKey } from './processor-requests.js';
import type { Ports } from '../parts.js';
import type { AttemptToSend, OnLateResponse } from './attempt.sender.js';

/** The start of an attempt by both clocks. Taken before any lookup, because the send window counts from the request's start. */
export interface AttemptStart {
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly window: SendWindow;
}

/** `deadline`: ms from `sendBefore` to the end of the wait for a response. */
export function startAttempt(
  { clock, timings }: Pick<Ports, 'clock' | 'timings'>,
  deadline: number = timings.processorDeadline,
): AttemptStart {
  const sendBefore = clock.realNow() + timings.sendWithin;
  return {
    startedAt: clock.monotonicNow(),
    window: { sendBefore: iso(sendBefore), answerBefore: iso(sendBefore + deadline) },
  };
}

/** The plan of a payment's first attempt or of a card verification, by the current routes. */
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

/** The call of a processor for an attempt. `onLateResponse` gets definite responses only, not `NotSent` and `NoAnswer`. */
export function processorCall(
  { timings, crashPoints }: Pick<Ports, 'timings' | 'crashPoints'>,
  {
    operationId,
    attempt,
    startedAt,
  }: Pick<AttemptToSend<unknown>, 'operationId' | 'startedAt'> & { readonly attempt: Attempt },
  onLateResponse: OnLateResponse,
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
      if (answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer')
        onLateResponse(operationId, attempt.number, answer);
    },
  };
}
