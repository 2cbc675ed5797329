import type { Channel } from '@tillstream/domain';
import {
  NothingExecuted,
  type AcquirerRequest,
  type CardOperation,
  type FollowUpOperation,
  type InquiryReaction,
  type Reaction,
  type Sandbox,
} from '@tillstream/sandbox';
import { cardRequest, followUpRequest } from './acquirer.requests.js';
import {
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
import { sandboxCapabilities } from './sandbox.capabilities.js';
import {
  toDefiniteResponse,
  terminalEndedResponse,
  toVerificationResponse,
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
export class SandboxProcessor implements Processor {
  readonly name: string;
  private readonly sandbox: SandboxProcessorOptions['sandbox'];
  private readonly sends: SandboxBatchSender;

  constructor(options: SandboxProcessorOptions) {
    this.sandbox = options.sandbox;
    this.name = options.name ?? 'sandbox';
    this.sends = new SandboxBatchSender(this.sandbox.acquirer, options.now ?? systemClocks);
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return sandboxCapabilities(channel);
  }

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.pay('Sale', request, call);
  }

  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.pay('Authorize', request, call);
  }

  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.pay('UnreferencedRefund', request, call);
  }

  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.followUp('Capture', request, call);
  }

  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.followUp('Void', request, call);
  }

  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.followUp('Refund', request, call);
  }

  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.followUp('Reverse', request, call);
  }

  async verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse> {
    return toVerificationResponse(await this.pay('Verify', { ...request, amount: 0 }, call));
  }

  async inquire({ key, account }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(() => this.sandbox.acquirer.inquire(key, account));
  }

  async annul({ key, account }: Inquiry): Promise<AnnulResult> {
    try {
      const reaction = this.sandbox.acquirer.annul(key, account);
      if (reaction.kind === 'Annulled') return reaction;
      return { kind: 'AlreadyExecuted', answer: toDefiniteResponse(reaction) };
    } catch {
      return { kind: 'NoAnswer' };
    }
  }

  async lastTransaction(terminalId: string, { key, account }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(() => this.sandbox.acquirer.lastTransaction(terminalId, key, account));
  }

  private pay(
    operation: CardOperation,
    request: PaymentRequest,
    call: AttemptCall,
  ): Promise<ProcessorResponse> {
    // The time for the customer does not count: a terminal waits for its host at most `processorDeadlineMs`.
    const deadlineMs =
      request.terminalId === undefined
        ? call.deadlineMs
        : Math.min(call.deadlineMs, this.sandbox.processorDeadlineMs);
    return this.send(cardRequest(operation, request, call.key), call, deadlineMs);
  }

  private followUp(
    operation: FollowUpOperation,
    request: FollowUpRequest,
    call: AttemptCall,
  ): Promise<ProcessorResponse> {
    return this.send(followUpRequest(operation, request, call.key), call, call.deadlineMs);
  }

  private async send(
    request: AcquirerRequest,
    call: AttemptCall,
    deadlineMs: number,
  ): Promise<ProcessorResponse> {
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
    try {
      const reaction = this.sandbox.acquirer.pollCustomer(key);
      return reaction.kind === 'AwaitsCustomer' ? undefined : reaction;
    } catch {
      return undefined;
    }
  }

  private executeDue(key: string): ProcessorResponse | undefined {
    try {
      const answer = this.sandbox.acquirer.executeDue(key);
      return answer && toDefiniteResponse({ answer });
    } catch {
      // The next inquiry finds it: the ledger still has it as due.
      return undefined;
    }
  }
}

function toInquiryResult(inquire: () => InquiryReaction): InquiryResult {
  try {
    const reaction = inquire();
    return reaction.kind === 'Found'
      ? { kind: 'Found', answer: toDefiniteResponse(reaction) }
      : { kind: reaction.kind };
  } catch {
    return { kind: 'NoAnswer' };
  }
}
