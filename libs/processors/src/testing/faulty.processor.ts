import type { Channel } from '@tillstream/domain';
import type {
  AnnulResult,
  ProcessorResponse,
  AttemptCall,
  FollowUpRequest,
  Inquiry,
  InquiryResult,
  PaymentRequest,
  Processor,
  ProcessorCapabilities,
  VerificationResponse,
  VerifyRequest,
} from '../processor.port.js';

/**
 * `NoAnswerBefore`: the request is lost. `NoAnswerAfter`: it is executed, and the response is lost. `LateAnswer`: the same,
 * and the response goes to `onLateResponse`; of an inquiry or annulment it is lost. `answer`: this is the response, and the
 * wrapped processor is not called.
 */
export type ProcessorFault =
  | 'NoAnswerBefore'
  | 'NoAnswerAfter'
  | 'LateAnswer'
  | 'NotSent'
  | { readonly delayMs: number }
  | { readonly answer: ProcessorResponse };
type NotSent = Extract<ProcessorResponse, { kind: 'NotSent' }>;
interface NoAnswer {
  readonly kind: 'NoAnswer';
}
export type FaultyMethod =
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

/** A processor with faults on command. Each fault applies to one call, in order. */
export class FaultyProcessor implements Processor {
  readonly name: string;
  /** The calls that reached the wrapped processor, in order, as `<call> <key>`. */
  readonly sent: string[] = [];
  private readonly faults = new Map<FaultyMethod, ProcessorFault[]>();

  constructor(private readonly behind: Processor) {
    this.name = behind.name;
  }

  /** The next calls of `call` get these faults, one each. Inquiries and annulments get `NoAnswer` instead of `NotSent`. */
  inject(call: FaultyMethod, ...faults: ProcessorFault[]): void {
    this.faults.set(call, [...(this.faults.get(call) ?? []), ...faults]);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return this.behind.capabilities(channel);
  }

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('sale', call, () => this.behind.sale(request, call));
  }

  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('authorize', call, () => this.behind.authorize(request, call));
  }

  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('unreferencedRefund', call, () => this.behind.unreferencedRefund(request, call));
  }

  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('capture', call, () => this.behind.capture(request, call));
  }

  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('void', call, () => this.behind.void(request, call));
  }

  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('refund', call, () => this.behind.refund(request, call));
  }

  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.payment('reverse', call, () => this.behind.reverse(request, call));
  }

  verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse> {
    return this.payment('verify', call, () => this.behind.verify(request, call));
  }

  inquire(query: Inquiry): Promise<InquiryResult> {
    return this.question('inquire', query, () => this.behind.inquire(query));
  }

  annul(query: Inquiry): Promise<AnnulResult> {
    return this.question('annul', query, () => this.behind.annul(query));
  }

  lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryResult> {
    return this.question('lastTransaction', query, () => this.behind.lastTransaction(terminalId, query));
  }

  private payment<T extends ProcessorResponse>(
    name: FaultyMethod,
    { key, onLateResponse }: AttemptCall,
    run: () => Promise<T>,
  ): Promise<T | NotSent | NoAnswer> {
    return this.callWithFault<T | NotSent>(
      name,
      key,
      run,
      { kind: 'NotSent', reason: 'a fault on command' },
      onLateResponse,
    );
  }

  private question<T extends { readonly kind: string }>(
    name: FaultyMethod,
    { key }: Inquiry,
    run: () => Promise<T>,
  ): Promise<T | NoAnswer> {
    return this.callWithFault<T | NoAnswer>(name, key, run, { kind: 'NoAnswer' });
  }

  private async callWithFault<T extends { readonly kind: string }>(
    name: FaultyMethod,
    key: string,
    run: () => Promise<T>,
    notSent: T,
    onLateResponse?: (answer: T) => void,
  ): Promise<T | NoAnswer> {
    const fault = this.faults.get(name)?.shift();
    if (fault === 'NotSent') return notSent;
    if (fault === 'NoAnswerBefore') return { kind: 'NoAnswer' };
    if (typeof fault === 'object' && 'answer' in fault) return fault.answer as unknown as T;
    if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    this.sent.push(`${name} ${key}`);
    const answer = await run();
    if (fault === 'LateAnswer' && onLateResponse) setImmediate(() => onLateResponse(answer));
    return fault === 'NoAnswerAfter' || fault === 'LateAnswer' ? { kind: 'NoAnswer' } : answer;
  }
}
