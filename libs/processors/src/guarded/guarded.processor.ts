import { FIRST_SERVICE_OPERATION, parseOperationId, type Channel } from '@tillstream/domain';
import {
  mayStillSend,
  type AnnulResult,
  type ProcessorResponse,
  type AttemptCall,
  type FollowUpRequest,
  type Inquiry,
  type InquiryResult,
  type PaymentRequest,
  type Processor,
  type ProcessorCapabilities,
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

/** How a call ended, for who measures: an answer's kind. `Held`: it was kept back here. `Threw`: a defect of the adapter. */
export type CallEndKind =
  ProcessorResponse['kind'] | InquiryResult['kind'] | AnnulResult['kind'] | 'Held' | 'Threw';

/** Told of every call; what it gives back is told how it ended, once. */
export type CallObserver = (call: ProcessorMethod, key: string) => (end: CallEndKind) => void;

/** Whether an operator stopped sending. */
export interface SendSwitch {
  /**
   * The operator's reason; undefined: nobody stopped it. Never older than 2 s. Rejects where it can't be told: then
   * nothing is sent.
   */
  stopReason(): string | undefined | Promise<string | undefined>;
}

export interface GuardedProcessorOptions {
  readonly breaker: CircuitBreaker;
  readonly sending: SendSwitch;
  readonly observer?: CallObserver;
  /** Both clocks of `mayStillSend`; left out: `Date.now` and `performance.now`. */
  readonly now?: () => { readonly realMs: number; readonly monotonicMs: number };
}

type NotSent = Extract<ProcessorResponse, { readonly kind: 'NotSent' }>;

const unobserved: CallObserver = () => () => undefined;

/**
 * A processor behind a circuit breaker and an operator's switch. What is kept back ends as `NotSent`, before anything
 * left; what may be sent is handed on exactly once. Questions (inquiries, annulments, last transactions) always pass, and
 * so do the service's own reversals: they give back money that should not have moved.
 */
export class GuardedProcessor implements Processor {
  readonly name: string;
  private readonly now: () => { readonly realMs: number; readonly monotonicMs: number };
  private readonly observer: CallObserver;

  constructor(
    private readonly behind: Processor,
    private readonly options: GuardedProcessorOptions,
  ) {
    this.name = behind.name;
    this.observer = options.observer ?? unobserved;
    this.now = options.now ?? (() => ({ realMs: Date.now(), monotonicMs: performance.now() }));
  }

  /** Of this process: each instance sees for itself whether it is answered. */
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

  private async send<Given extends ProcessorResponse>(
    name: ProcessorMethod,
    call: AttemptCall,
    go: () => Promise<Given>,
  ): Promise<Given | NotSent> {
    const ended = this.observer(name, call.key);
    const stopped = this.stopped();
    const reason = stopped instanceof Promise ? await stopped : stopped;
    if (reason !== undefined && !isOwnReversal(call.key)) return notSent(ended, reason);
    const pass = this.options.breaker.tryEnter();
    if (!pass && !isOwnReversal(call.key)) {
      return notSent(ended, `processor ${this.name} does not answer: its circuit breaker is open`);
    }
    const wasInTime = mayStillSend(call, this.now());
    try {
      const answer = await go();
      pass?.settle(callEvidence(answer, wasInTime));
      ended(answer.kind);
      return answer;
    } catch (error) {
      pass?.settle('Failed');
      ended('Threw');
      throw error;
    }
  }

  private async ask<Given extends InquiryResult | AnnulResult>(
    name: ProcessorMethod,
    { key }: Inquiry,
    go: () => Promise<Given>,
  ): Promise<Given> {
    const ended = this.observer(name, key);
    try {
      const answer = await go();
      ended(answer.kind);
      return answer;
    } catch (error) {
      ended('Threw');
      throw error;
    }
  }

  private stopped(): string | undefined | Promise<string | undefined> {
    const said = (reason: string | undefined): string | undefined =>
      reason === undefined ? undefined : `processor ${this.name} is stopped by an operator: ${reason}`;
    const unknown = (): string => `whether processor ${this.name} is stopped could not be read`;
    try {
      const reason = this.options.sending.stopReason();
      return reason instanceof Promise ? reason.then(said, unknown) : said(reason);
    } catch {
      return unknown();
    }
  }
}

function notSent(ended: (end: CallEndKind) => void, reason: string): NotSent {
  ended('Held');
  return { kind: 'NotSent', reason };
}

/** A reversal may be executed as a refund; its operation is one of the service's own all the same. */
function isOwnReversal(key: string): boolean {
  const address = parseOperationId(key.slice(0, key.indexOf('.')));
  return address?.category === 'payment' && address.number >= FIRST_SERVICE_OPERATION;
}

/** Terminals and customers that end a payment, and a request of ours that was too late, say nothing of the processor. */
function callEvidence(answer: ProcessorResponse, wasInTime: boolean): CallEvidence {
  switch (answer.kind) {
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
      return answer.lostLink === true ? 'Nothing' : 'Failed';
  }
}
