import { LRUCache } from 'lru-cache';
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
import type { SandboxClient } from './sandbox.client.js';

/** Longer than the simulated acquirer ever exceeds a deadline. An inquiry finds a response that comes even later. */
const LISTEN_MS_MAX = 60_000;

/**
 * Calls that may still get a response after their deadline. They do not keep the process alive. Beyond `callsMax` the oldest
 * call is cancelled.
 */
export function lateResponses(callsMax: number): LRUCache<CallHandle, true> {
  return new LRUCache<CallHandle, true>({
    max: callsMax,
    ttl: LISTEN_MS_MAX,
    ttlAutopurge: true,
    dispose: (_value, call, reason) => {
      if (reason !== 'delete') call.cancel();
    },
  });
}

export interface SendWindow {
  readonly connectWithinMs: number;
  readonly mayWrite: () => boolean;
}

interface PaymentSenderParts {
  readonly client: SandboxClient;
  readonly late: ReturnType<typeof lateResponses>;
  report(reason: string): void;
}

/**
 * Sends one payment, once. The first reaction of the sandbox is the response; without one the result is `NoAnswer` at the
 * deadline. A reaction after the deadline is a late response. A second reaction is reported and ignored.
 */
export function sendPayment(
  { client, late, report }: PaymentSenderParts,
  request: AcquirerRequest,
  call: AttemptCall,
  window: SendWindow,
): Promise<ProcessorResponse> {
  return new Promise((resolve) => {
    let state: 'Waiting' | 'Late' | 'Answered' = 'Waiting';
    let deadline: NodeJS.Timeout | undefined;

    const end = (response: ProcessorResponse): void => {
      clearTimeout(deadline);
      late.delete(handle);
      const previous = state;
      state = 'Answered';
      if (previous === 'Waiting') resolve(response);
      if (previous === 'Late' && isDefinite(response)) call.onLateResponse?.(response);
    };
    const endWait = (): void => {
      if (state !== 'Waiting') return;
      clearTimeout(deadline);
      if (call.onLateResponse) {
        state = 'Late';
        handle.unref();
        late.set(handle, true);
      } else {
        state = 'Answered';
        handle.cancel();
      }
      resolve({ kind: 'NoAnswer' });
    };

    const handle: CallHandle = client.call<ReactionLine>(
      WIRE_PATHS.execute,
      { request },
      {
        ...window,
        isLine: (value): value is ReactionLine => isReactionLine(value) && value.key === request.key,
        refused: ({ reason }) => end({ kind: 'NotSent', reason }),
        written: () => {
          deadline = setTimeout(endWait, call.deadlineMs);
          call.onSent?.();
        },
        line: ({ heard: reaction }) => {
          if (state === 'Answered') report(`the sandbox answered twice to ${request.key}; the first counts`);
          else if (reaction.kind === 'HostSilent') endWait();
          else {
            handle.finish();
            end(toProcessorResponse(reaction, request));
          }
        },
        ended: () => end({ kind: 'NoAnswer' }),
      },
    );
  });
}

function toProcessorResponse(
  reaction: Exclude<ReportedReaction, { kind: 'HostSilent' }>,
  request: AcquirerRequest,
): ProcessorResponse {
  switch (reaction.kind) {
    case 'Answered':
      return toDefiniteResponse(reaction);
    case 'TerminalEnded':
      return terminalEndedResponse(reaction.resultCode, request);
    case 'LinkLost':
      return { kind: 'NoAnswer', lostLink: true };
  }
}

function isDefinite({ kind }: ProcessorResponse): boolean {
  return kind !== 'NotSent' && kind !== 'NoAnswer';
}
