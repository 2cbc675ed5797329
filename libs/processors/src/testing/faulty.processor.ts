import type { Channel } from '@tillstream/domain';
import type {
  AnnulAnswer,
  Answer,
  Call,
  FollowUpRequest,
  Inquiry,
  InquiryAnswer,
  PaymentRequest,
  Processor,
  ProcessorCapabilities,
} from '../processor.port.js';

/** `NoAnswerBefore`: the request got lost. `NoAnswerAfter`: it was executed, the answer got lost. */
export type Fault = 'NoAnswerBefore' | 'NoAnswerAfter' | 'NotSent' | { readonly delayMs: number };
export type FaultyCall =
  | 'sale'
  | 'authorize'
  | 'unreferencedRefund'
  | 'capture'
  | 'void'
  | 'refund'
  | 'reverse'
  | 'inquire'
  | 'annul'
  | 'lastTransaction';

/** A processor with faults on command, for tests of what is built on the port. Each fault strikes once, in order. */
export class FaultyProcessor implements Processor {
  readonly name: string;
  readonly account: string;
  /** What reached the processor behind, in order, as `<call> <key>`. */
  readonly sent: string[] = [];
  private readonly faults = new Map<FaultyCall, Fault[]>();

  constructor(private readonly behind: Processor) {
    this.name = behind.name;
    this.account = behind.account;
  }

  /** The next calls of `call` suffer these, one each. Inquiries and annulments know no `NotSent`: they answer `NoAnswer`. */
  strike(call: FaultyCall, ...faults: Fault[]): void {
    this.faults.set(call, [...(this.faults.get(call) ?? []), ...faults]);
  }

  /** No more faults. */
  heal(): void {
    this.faults.clear();
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return this.behind.capabilities(channel);
  }

  sale(request: PaymentRequest, call: Call): Promise<Answer> {
    return this.payment('sale', call, () => this.behind.sale(request, call));
  }

  authorize(request: PaymentRequest, call: Call): Promise<Answer> {
    return this.payment('authorize', call, () => this.behind.authorize(request, call));
  }

  unreferencedRefund(request: PaymentRequest, call: Call): Promise<Answer> {
    return this.payment('unreferencedRefund', call, () => this.behind.unreferencedRefund(request, call));
  }

  capture(request: FollowUpRequest, call: Call): Promise<Answer> {
    return this.payment('capture', call, () => this.behind.capture(request, call));
  }

  void(request: FollowUpRequest, call: Call): Promise<Answer> {
    return this.payment('void', call, () => this.behind.void(request, call));
  }

  refund(request: FollowUpRequest, call: Call): Promise<Answer> {
    return this.payment('refund', call, () => this.behind.refund(request, call));
  }

  reverse(request: FollowUpRequest, call: Call): Promise<Answer> {
    return this.payment('reverse', call, () => this.behind.reverse(request, call));
  }

  inquire(query: Inquiry): Promise<InquiryAnswer> {
    return this.question('inquire', query, () => this.behind.inquire(query));
  }

  annul(query: Inquiry): Promise<AnnulAnswer> {
    return this.question('annul', query, () => this.behind.annul(query));
  }

  lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryAnswer> {
    return this.question('lastTransaction', query, () => this.behind.lastTransaction(terminalId, query));
  }

  private payment(name: FaultyCall, { key }: Call, go: () => Promise<Answer>): Promise<Answer> {
    return this.suffer<Answer>(name, key, go, { kind: 'NotSent', reason: 'a fault on command' });
  }

  private question<T extends { readonly kind: string }>(
    name: FaultyCall,
    { key }: Inquiry,
    go: () => Promise<T>,
  ): Promise<T | { readonly kind: 'NoAnswer' }> {
    return this.suffer<T | { readonly kind: 'NoAnswer' }>(name, key, go, { kind: 'NoAnswer' });
  }

  private async suffer<T extends { readonly kind: string }>(
    name: FaultyCall,
    key: string,
    go: () => Promise<T>,
    notSent: T,
  ): Promise<T | { readonly kind: 'NoAnswer' }> {
    const fault = this.faults.get(name)?.shift();
    if (fault === 'NotSent') return notSent;
    if (fault === 'NoAnswerBefore') return { kind: 'NoAnswer' };
    if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    this.sent.push(`${name} ${key}`);
    const answer = await go();
    return fault === 'NoAnswerAfter' ? { kind: 'NoAnswer' } : answer;
  }
}
