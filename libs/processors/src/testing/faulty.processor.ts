import { InterceptedProcessor, type NoAnswer, type ProcessorMethod } from '../intercepted.processor.js';
import type {
  AnnulResult,
  AttemptCall,
  Inquiry,
  InquiryResult,
  ProcessorResponse,
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

/** A processor with faults on command. Each fault applies to one call, in order. */
export class FaultyProcessor extends InterceptedProcessor {
  /** The calls that reached the wrapped processor, in order, as `<call> <key>`. */
  readonly sent: string[] = [];
  private readonly faults = new Map<ProcessorMethod, ProcessorFault[]>();

  /** The next calls of `call` get these faults, one each. Inquiries and annulments get `NoAnswer` instead of `NotSent`. */
  inject(call: ProcessorMethod, ...faults: ProcessorFault[]): void {
    this.faults.set(call, [...(this.faults.get(call) ?? []), ...faults]);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  protected override send<T extends ProcessorResponse>(
    name: ProcessorMethod,
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

  protected override ask<T extends InquiryResult | AnnulResult>(
    name: ProcessorMethod,
    { key }: Inquiry,
    run: () => Promise<T>,
  ): Promise<T | NoAnswer> {
    return this.callWithFault<T | NoAnswer>(name, key, run, { kind: 'NoAnswer' });
  }

  private async callWithFault<T extends { readonly kind: string }>(
    name: ProcessorMethod,
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
