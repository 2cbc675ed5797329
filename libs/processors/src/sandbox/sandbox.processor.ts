import { setTimeout as pause } from 'node:timers/promises';
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

const POLL_INTERVAL_MS = 100;

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
      const acted = await this.reactionOfCustomer(call);
      if (!acted) return { kind: 'NoAnswer' };
      return this.toResponse(acted.reaction, request, call, Math.min(deadlineMs, acted.leftMs));
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

  /** Polls the terminal until its customer has acted; undefined at the deadline. Does not keep the process alive. */
  private async reactionOfCustomer({ key, deadlineMs }: AttemptCall) {
    const until = performance.now() + deadlineMs;
    for (let leftMs = deadlineMs; leftMs > 0; leftMs = until - performance.now()) {
      await pause(Math.min(POLL_INTERVAL_MS, leftMs), undefined, { ref: false });
      const reaction = undefinedOnError(() => this.sandbox.acquirer.pollCustomer(key));
      if (reaction && reaction.kind !== 'AwaitsCustomer') {
        return { reaction, leftMs: Math.max(0, until - performance.now()) };
      }
    }
    return undefined;
  }

  private executeDue(key: string): ProcessorResponse | undefined {
    const answer = undefinedOnError(() => this.sandbox.acquirer.executeDue(key));
    return answer && toDefiniteResponse({ answer });
  }
}

/** Resolves with `NoAnswer` at the deadline; a later response goes to `onLateResponse`. Does not keep the process alive. */
function responseByDeadline(
  respond: () => ProcessorResponse | undefined,
  afterMs: number | undefined,
  call: AttemptCall,
  deadlineMs: number,
): Promise<ProcessorResponse> {
  return new Promise((resolve) => {
    let isOver = false;
    const deadline = setTimeout(() => {
      isOver = true;
      resolve({ kind: 'NoAnswer' });
    }, deadlineMs).unref();
    if (afterMs === undefined) return;
    setTimeout(() => {
      const response = respond();
      if (!response) return;
      if (isOver) {
        call.onLateResponse?.(response);
      } else {
        clearTimeout(deadline);
        resolve(response);
      }
    }, afterMs).unref();
  });
}
