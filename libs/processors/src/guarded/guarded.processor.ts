import { FIRST_SERVICE_OPERATION, parseOperationId, type Channel } from '@tillstream/domain';
import {
  mayStillSend,
  systemClocks,
  type AnnulResult,
  type ProcessorResponse,
  type AttemptCall,
  type FollowUpRequest,
  type Inquiry,
  type InquiryResult,
  type PaymentRequest,
  type Processor,
  type ProcessorCapabilities,
  type SendClocks,
  type VerificationResponse,
  type VerifyRequest,
} from '../processor.port.js';
import type { BreakerState, CircuitBreaker, CallEvidence } from './circuit.breaker.js';

export type ProcessorMethod =
  | 'sale'
  | 'authorize'
  | 'unreferencedRefund'
  | 'capture'
  | 'void'
  | 'refund'
  | 'reverse'
  | 'verify'
  | 'inquire'
  | 'annul'
  | 'lastTransaction';

/** For metrics: the kind of a response. `Held`: this guard refused the call. `Threw`: a defect of the adapter. */
export type CallEndKind =
  ProcessorResponse['kind'] | InquiryResult['kind'] | AnnulResult['kind'] | 'Held' | 'Threw';

/** Called at the start of every call. The function that it returns is called once, when the call ends. */
export type CallObserver = (call: ProcessorMethod, key: string) => (end: CallEndKind) => void;

/** The processor switch of an operator. */
export interface SendSwitch {
  /**
   * The operator's reason, at most 2 s old; undefined: the processor is not stopped. Rejects if the switch can't be read:
   * then nothing is sent.
   */
  stopReason(): string | undefined | Promise<string | undefined>;
}

export interface GuardedProcessorOptions {
  readonly breaker: CircuitBreaker;
  readonly sending: SendSwitch;
  readonly observer?: CallObserver;
  readonly now?: SendClocks;
}

type NotSent = Extract<ProcessorResponse, { readonly kind: 'NotSent' }>;

const unobserved: CallObserver = () => () => undefined;

/**
 * A processor behind a circuit breaker and an operator's switch. A refused request ends as `NotSent`; an admitted request
 * is passed on exactly once. Inquiries, annulments and last transactions always pass. So do the service's own reversals:
 * they give back money that should not have moved.
 */
export class GuardedProcessor implements Processor {
  readonly name: string;
  private readonly now: SendClocks;
  private readonly observer: CallObserver;

  constructor(
    private readonly behind: Processor,
    private readonly options: GuardedProcessorOptions,
  ) {
    this.name = behind.name;
    this.observer = options.observer ?? unobserved;
    this.now = options.now ?? systemClocks;
  }

  /** Of this process alone: each instance has its own breaker. */
  get breakerState(): BreakerState {
    return this.options.breaker.state;
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return this.behind.capabilities(channel);
  }

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('sale', call, () => this.behind.sale(request, call));
  }

  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('authorize', call, () => this.behind.authorize(request, call));
  }

  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('unreferencedRefund', call, () => this.behind.unreferencedRefund(request, call));
  }

  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('capture', call, () => this.behind.capture(request, call));
  }

  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('void', call, () => this.behind.void(request, call));
  }

  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('refund', call, () => this.behind.refund(request, call));
  }

  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send('reverse', call, () => this.behind.reverse(request, call));
  }

  verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse> {
    return this.send('verify', call, () => this.behind.verify(request, call));
  }

  inquire(query: Inquiry): Promise<InquiryResult> {
    return this.ask('inquire', query, () => this.behind.inquire(query));
  }

  annul(query: Inquiry): Promise<AnnulResult> {
    return this.ask('annul', query, () => this.behind.annul(query));
  }

  lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryResult> {
    return this.ask('lastTransaction', query, () => this.behind.lastTransaction(terminalId, query));
  }

  private async send<Response extends ProcessorResponse>(
    name: ProcessorMethod,
    call: AttemptCall,
    run: () => Promise<Response>,
  ): Promise<Response | NotSent> {
    const ended = this.observer(name, call.key);
    const reason = await this.stoppedBecause();
    if (reason !== undefined && !isOwnReversal(call.key)) return notSent(ended, reason);
    const pass = this.options.breaker.tryEnter();
    if (!pass && !isOwnReversal(call.key)) {
      return notSent(ended, `processor ${this.name} does not answer: its circuit breaker is open`);
    }
    const wasInTime = mayStillSend(call, this.now());
    try {
      const response = await run();
      pass?.settle(callEvidence(response, wasInTime));
      ended(response.kind);
      return response;
    } catch (error) {
      pass?.settle('Failed');
      ended('Threw');
      throw error;
    }
  }

  private async ask<Result extends InquiryResult | AnnulResult>(
    name: ProcessorMethod,
    { key }: Inquiry,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const ended = this.observer(name, key);
    try {
      const result = await run();
      ended(result.kind);
      return result;
    } catch (error) {
      ended('Threw');
      throw error;
    }
  }

  private async stoppedBecause(): Promise<string | undefined> {
    try {
      const reason = await this.options.sending.stopReason();
      return reason === undefined ? undefined : `processor ${this.name} is stopped by an operator: ${reason}`;
    } catch {
      return `whether processor ${this.name} is stopped could not be read`;
    }
  }
}

function notSent(ended: (end: CallEndKind) => void, reason: string): NotSent {
  ended('Held');
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
