import { FIRST_SERVICE_OPERATION, parseOperationId } from '@tillstream/domain';
import { InterceptedProcessor, type ProcessorMethod } from '../intercepted.processor.js';
import {
  mayStillSend,
  systemClocks,
  type AnnulResult,
  type AttemptCall,
  type Inquiry,
  type InquiryResult,
  type Processor,
  type ProcessorResponse,
  type SendClocks,
} from '../processor.port.js';
import type { BreakerState, CircuitBreaker, CallEvidence } from './circuit.breaker.js';

/** For metrics: the kind of a response. `Held`: this guard refused the call. `Threw`: a defect of the adapter. */
export type CallEndKind =
  ProcessorResponse['kind'] | InquiryResult['kind'] | AnnulResult['kind'] | 'Held' | 'Threw';

/** Called at the start of every call. The function that it returns is called once, when the call ends. */
export type CallObserver = (call: ProcessorMethod, key: string) => (end: CallEndKind) => void;

export interface GuardedProcessorOptions {
  readonly breaker: CircuitBreaker;
  /**
   * The processor switch: the operator's reason, at most 2 s old; undefined: the processor is not stopped. Rejects if the
   * switch can't be read: then nothing is sent.
   */
  stopReason(): string | undefined | Promise<string | undefined>;
  readonly observer?: CallObserver;
  readonly now?: SendClocks;
}

type NotSent = Extract<ProcessorResponse, { readonly kind: 'NotSent' }>;

/**
 * A processor behind a circuit breaker and an operator's switch. A refused request ends as `NotSent`; an admitted request
 * is passed on exactly once. Inquiries, annulments and last transactions always pass. So do the service's own reversals:
 * they give back money that should not have moved.
 */
export class GuardedProcessor extends InterceptedProcessor {
  constructor(
    behind: Processor,
    private readonly options: GuardedProcessorOptions,
  ) {
    super(behind);
  }

  /** Of this process alone: each instance has its own breaker. */
  get breakerState(): BreakerState {
    return this.options.breaker.state;
  }

  protected override async send<Response extends ProcessorResponse>(
    name: ProcessorMethod,
    call: AttemptCall,
    run: () => Promise<Response>,
  ): Promise<Response | NotSent> {
    const ended = this.options.observer?.(name, call.key);
    const reason = await this.stoppedBecause();
    if (reason !== undefined && !isOwnReversal(call.key)) return notSent(ended, reason);
    const { breaker, now = systemClocks } = this.options;
    const pass = breaker.tryEnter();
    if (!pass && !isOwnReversal(call.key)) {
      return notSent(ended, `processor ${this.name} does not answer: its circuit breaker is open`);
    }
    const wasInTime = mayStillSend(call, now());
    try {
      const response = await run();
      pass?.settle(callEvidence(response, wasInTime));
      ended?.(response.kind);
      return response;
    } catch (error) {
      pass?.settle('Failed');
      ended?.('Threw');
      throw error;
    }
  }

  protected override async ask<Result extends InquiryResult | AnnulResult>(
    name: ProcessorMethod,
    { key }: Inquiry,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const ended = this.options.observer?.(name, key);
    try {
      const result = await run();
      ended?.(result.kind);
      return result;
    } catch (error) {
      ended?.('Threw');
      throw error;
    }
  }

  private async stoppedBecause(): Promise<string | undefined> {
    try {
      const reason = await this.options.stopReason();
      return reason === undefined ? undefined : `processor ${this.name} is stopped by an operator: ${reason}`;
    } catch {
      return `whether processor ${this.name} is stopped could not be read`;
    }
  }
}

function notSent(ended: ReturnType<CallObserver> | undefined, reason: string): NotSent {
  ended?.('Held');
  return { kind: 'NotSent', reason };
}

/** A reversal may be executed as a refund. Its operation number shows that it is the service's own. */
function isOwnReversal(key: string): boolean {
  const address = parseOperationId(key.slice(0, key.indexOf('.')));
  return address?.category === 'payment' && address.number >= FIRST_SERVICE_OPERATION;
}

/** A payment that a terminal or customer ended, and a request that was too late, show nothing about the processor. */
function callEvidence(response: ProcessorResponse, wasInTime: boolean): CallEvidence {
  switch (response.kind) {
    case 'Approved':
    case 'Submitted':
    case 'ChallengeRequired':
    case 'Declined':
    case 'ProcessorBatchClosed':
      return 'Answered';
    case 'TerminalEnded':
    case 'CustomerCancelled':
      return 'Nothing';
    case 'NotSent':
      return wasInTime ? 'Failed' : 'Nothing';
    case 'NoAnswer':
      return response.lostLink === true ? 'Nothing' : 'Failed';
  }
}
