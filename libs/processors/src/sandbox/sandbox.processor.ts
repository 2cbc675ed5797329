import {
  NothingExecuted,
  undefinedOnError,
  type AcquirerRequest,
  type Reaction,
  type Sandbox,
} from '@tillstream/sandbox';
import {
  systemClocks,
  type AnnulResult,
  type AttemptCall,
  type Inquiry,
  type InquiryResult,
  type ProcessorResponse,
  type SendClocks,
} from '../processor.port.js';
import { SandboxAdapter } from './sandbox.adapter.js';
import {
  toAnnulResult,
  toDefiniteResponse,
  toInquiryResult,
  terminalEndedResponse,
} from './sandbox-response.mapping.js';
import { SandboxBatchSender, type SendReaction } from './sandbox-batch.sender.js';
import { responseByDeadline, pollUntilDeadline } from './response.deadline.js';

export interface SandboxProcessorOptions {
  readonly sandbox: Pick<Sandbox, 'acquirer' | 'processorDeadlineMs'>;
  /** Default: `sandbox`. */
  readonly name?: string;
  readonly now?: SendClocks;
}

/** The simulated acquirer and its terminals, in process. A request counts as sent when its ledger transaction commits. */
export class SandboxProcessor extends SandboxAdapter {
  private readonly sandbox: SandboxProcessorOptions['sandbox'];
  private readonly sends: SandboxBatchSender;

  constructor({ sandbox, name, now = systemClocks }: SandboxProcessorOptions) {
    super(name);
    this.sandbox = sandbox;
    this.sends = new SandboxBatchSender(sandbox.acquirer, now);
  }

  async inquire({ key, account }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(undefinedOnError(() => this.sandbox.acquirer.inquire(key, account)));
  }

  async annul({ key, account }: Inquiry): Promise<AnnulResult> {
    return toAnnulResult(undefinedOnError(() => this.sandbox.acquirer.annul(key, account)));
  }

  async lastTransaction(terminalId: string, { key, account }: Inquiry): Promise<InquiryResult> {
    const { acquirer } = this.sandbox;
    return toInquiryResult(undefinedOnError(() => acquirer.lastTransaction(terminalId, key, account)));
  }

  protected override async send(request: AcquirerRequest, call: AttemptCall): Promise<ProcessorResponse> {
    // The time for the customer does not count: a terminal waits for its host at most `processorDeadlineMs`.
    const deadlineMs =
      request.terminalId === undefined
        ? call.deadlineMs
        : Math.min(call.deadlineMs, this.sandbox.processorDeadlineMs);
    let reaction: SendReaction;
    try {
      reaction = await this.sends.send(request, call);
    } catch (error) {
      // Only after a failed commit the outcome is unknown.
      return error instanceof NothingExecuted
        ? { kind: 'NotSent', reason: error.message }
        : { kind: 'NoAnswer' };
    }
    if (reaction.kind === 'TooLate') return { kind: 'NotSent', reason: 'sendBefore has passed' };
    if (reaction.kind !== 'ConnectionRefused') call.onSent?.();
    if (reaction.kind === 'AwaitsCustomer') {
      const polled = await pollUntilDeadline(() => this.pollCustomer(request.key), call.deadlineMs);
      if (!polled) return { kind: 'NoAnswer' };
      return this.toResponse(polled.result, request, call, Math.min(deadlineMs, polled.leftMs));
    }
    return this.toResponse(reaction, request, call, deadlineMs);
  }

  private toResponse(
    reaction: Exclude<Reaction, { kind: 'AwaitsCustomer' }>,
    request: AcquirerRequest,
    call: AttemptCall,
    deadlineMs: number,
  ): Promise<ProcessorResponse> | ProcessorResponse {
    switch (reaction.kind) {
      case 'Answered':
        return toDefiniteResponse(reaction);
      case 'ConnectionRefused':
        return { kind: 'NotSent', reason: 'the processor refused the connection' };
      case 'LinkLost':
        return { kind: 'NoAnswer', lostLink: true };
      case 'TerminalEnded': {
        const ended = terminalEndedResponse(reaction.resultCode, request);
        return reaction.afterMs === 0
          ? ended
          : responseByDeadline(() => ended, reaction.afterMs, call, call.deadlineMs);
      }
      case 'Silent':
        return responseByDeadline(
          () => this.executeDue(request.key),
          reaction.answersAfterMs,
          call,
          deadlineMs,
        );
    }
  }

  /** Undefined while the customer has not acted, and when the ledger can't be read. */
  private pollCustomer(key: string): Exclude<Reaction, { kind: 'AwaitsCustomer' }> | undefined {
    const reaction = undefinedOnError(() => this.sandbox.acquirer.pollCustomer(key));
    return reaction?.kind === 'AwaitsCustomer' ? undefined : reaction;
  }

  private executeDue(key: string): ProcessorResponse | undefined {
    const answer = undefinedOnError(() => this.sandbox.acquirer.executeDue(key));
    return answer && toDefiniteResponse({ answer });
  }
}
