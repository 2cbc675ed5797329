import type { Channel } from '@tillstream/domain';
import type {
  AnnulResult,
  AttemptCall,
  Inquiry,
  InquiryResult,
  Processor,
  ProcessorCapabilities,
  ProcessorResponse,
} from './processor.port.js';

export type ProcessorMethod = Exclude<keyof Processor, 'name' | 'capabilities'>;
export type NotExecuted = Extract<ProcessorResponse, { readonly kind: 'NotSent' | 'NoAnswer' }>;
export type NoAnswer = Extract<InquiryResult, { readonly kind: 'NoAnswer' }>;

/** A processor in front of another one. Each call of the other one runs inside `send` or `ask`. */
export abstract class InterceptedProcessor implements Processor {
  readonly name: string;

  constructor(private readonly behind: Processor) {
    this.name = behind.name;
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return this.behind.capabilities(channel);
  }

  readonly sale: Processor['sale'] = (request, call) =>
    this.send('sale', call, () => this.behind.sale(request, call));
  readonly authorize: Processor['authorize'] = (request, call) =>
    this.send('authorize', call, () => this.behind.authorize(request, call));
  readonly unreferencedRefund: Processor['unreferencedRefund'] = (request, call) =>
    this.send('unreferencedRefund', call, () => this.behind.unreferencedRefund(request, call));
  readonly capture: Processor['capture'] = (request, call) =>
    this.send('capture', call, () => this.behind.capture(request, call));
  readonly void: Processor['void'] = (request, call) =>
    this.send('void', call, () => this.behind.void(request, call));
  readonly refund: Processor['refund'] = (request, call) =>
    this.send('refund', call, () => this.behind.refund(request, call));
  readonly reverse: Processor['reverse'] = (request, call) =>
    this.send('reverse', call, () => this.behind.reverse(request, call));
  readonly verify: Processor['verify'] = (request, call) =>
    this.send('verify', call, () => this.behind.verify(request, call));

  readonly inquire: Processor['inquire'] = (query) =>
    this.ask('inquire', query, () => this.behind.inquire(query));
  readonly annul: Processor['annul'] = (query) => this.ask('annul', query, () => this.behind.annul(query));
  readonly lastTransaction: Processor['lastTransaction'] = (terminalId, query) =>
    this.ask('lastTransaction', query, () => this.behind.lastTransaction(terminalId, query));

  protected abstract send<Response extends ProcessorResponse>(
    method: ProcessorMethod,
    call: AttemptCall,
    run: () => Promise<Response>,
  ): Promise<Response | NotExecuted>;

  protected abstract ask<Result extends InquiryResult | AnnulResult>(
    method: ProcessorMethod,
    query: Inquiry,
    run: () => Promise<Result>,
  ): Promise<Result | NoAnswer>;
}
