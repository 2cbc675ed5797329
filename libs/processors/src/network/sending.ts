import {
  isHeardLine,
  WIRE_PATHS,
  type AcquirerRequest,
  type Heard,
  type HeardLine,
} from '@tillstream/sandbox';
import type { Answer, Call } from '../processor.port.js';
import { definiteAnswer, terminalEnded } from '../sandbox.facts.js';
import type { Underway } from './one.call.js';
import type { LateAnswers } from './late.answers.js';
import type { SandboxLine } from './sandbox.line.js';

export interface SendingTimes {
  readonly connectWithinMs: number;
  mayWrite(): boolean;
}

/**
 * Sends one payment, once. The first thing that is heard of it is its answer; at the deadline there is none. What is heard
 * after that is a late answer, and what is heard after an answer is reported and not taken.
 */
export function sendPayment(
  line: SandboxLine,
  request: AcquirerRequest,
  call: Call,
  times: SendingTimes,
  late: LateAnswers,
  report: (reason: string) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let state: 'Waiting' | 'Late' | 'Answered' = 'Waiting';
    let deadline: NodeJS.Timeout | undefined;

    const end = (answer: Answer): void => {
      clearTimeout(deadline);
      late.over(underway);
      const was = state;
      state = 'Answered';
      if (was === 'Waiting') resolve(answer);
      if (was === 'Late' && isDefinite(answer)) call.onLateAnswer?.(answer);
    };
    const goOnListening = (): void => {
      if (state !== 'Waiting') return;
      clearTimeout(deadline);
      if (call.onLateAnswer) {
        state = 'Late';
        late.listen(underway);
      } else {
        state = 'Answered';
        underway.abandon();
      }
      resolve({ kind: 'NoAnswer' });
    };

    const underway: Underway = line.call<HeardLine>(
      WIRE_PATHS.execute,
      { request },
      {
        ...times,
        mayWrite: () => times.mayWrite(),
        reads: (value): value is HeardLine => isHeardLine(value) && value.key === request.key,
        refused: ({ reason }) => end({ kind: 'NotSent', reason }),
        written: () => {
          deadline = setTimeout(goOnListening, call.deadlineMs);
          call.onSent?.();
        },
        line: ({ heard }) => {
          if (state === 'Answered') report(`the sandbox answered twice to ${request.key}; the first counts`);
          else if (heard.kind === 'HostSilent') goOnListening();
          else {
            underway.finish();
            end(answerOf(heard, request));
          }
        },
        over: () => end({ kind: 'NoAnswer' }),
      },
    );
  });
}

function answerOf(heard: Exclude<Heard, { kind: 'HostSilent' }>, request: AcquirerRequest): Answer {
  switch (heard.kind) {
    case 'Answered':
      return definiteAnswer(heard);
    case 'TerminalEnded':
      return terminalEnded(heard.resultCode, request);
    case 'LinkLost':
      return { kind: 'NoAnswer', lostLink: true };
  }
}

function isDefinite(answer: Answer): boolean {
  return answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer';
}
