import {
  isReactionLine,
  WIRE_PATHS,
  type AcquirerRequest,
  type ReportedReaction,
  type ReactionLine,
} from '@tillstream/sandbox';
import type { ProcessorResponse, AttemptCall } from '../processor.port.js';
import { toDefiniteResponse, terminalEndedResponse } from '../sandbox/sandbox-response.mapping.js';
import type { CallHandle } from './http.call.js';
import type { LateResponses } from './late.responses.js';
import type { SandboxClient } from './sandbox.client.js';

export interface SendWindow {
  readonly connectWithinMs: number;
  mayWrite(): boolean;
}

/**
 * Sends one payment, once. The first thing that is heard of it is its answer; at the deadline there is none. What is heard
 * after that is a late answer, and what is heard after an answer is reported and not taken.
 */
export function sendPayment(
  line: SandboxClient,
  request: AcquirerRequest,
  call: AttemptCall,
  times: SendWindow,
  late: LateResponses,
  report: (reason: string) => void,
): Promise<ProcessorResponse> {
  return new Promise((resolve) => {
    let state: 'Waiting' | 'Late' | 'Answered' = 'Waiting';
    let deadline: NodeJS.Timeout | undefined;

    const end = (answer: ProcessorResponse): void => {
      clearTimeout(deadline);
      late.over(underway);
      const was = state;
      state = 'Answered';
      if (was === 'Waiting') resolve(answer);
      if (was === 'Late' && isDefinite(answer)) call.onLateResponse?.(answer);
    };
    const goOnListening = (): void => {
      if (state !== 'Waiting') return;
      clearTimeout(deadline);
      if (call.onLateResponse) {
        state = 'Late';
        late.listen(underway);
      } else {
        state = 'Answered';
        underway.cancel();
      }
      resolve({ kind: 'NoAnswer' });
    };

    const underway: CallHandle = line.call<ReactionLine>(
      WIRE_PATHS.execute,
      { request },
      {
        ...times,
        mayWrite: () => times.mayWrite(),
        isLine: (value): value is ReactionLine => isReactionLine(value) && value.key === request.key,
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
            end(toProcessorResponse(heard, request));
          }
        },
        ended: () => end({ kind: 'NoAnswer' }),
      },
    );
  });
}

function toProcessorResponse(
  heard: Exclude<ReportedReaction, { kind: 'HostSilent' }>,
  request: AcquirerRequest,
): ProcessorResponse {
  switch (heard.kind) {
    case 'Answered':
      return toDefiniteResponse(heard);
    case 'TerminalEnded':
      return terminalEndedResponse(heard.resultCode, request);
    case 'LinkLost':
      return { kind: 'NoAnswer', lostLink: true };
  }
}

function isDefinite(answer: ProcessorResponse): boolean {
  return answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer';
}
