import type { Channel } from '@tillstream/domain';
import {
  isQueryResultLine,
  isConnectionRefusalLine,
  mayRefuseConnection,
  WIRE_PATHS,
  type AcquirerRequest,
  type QueryResultLine,
} from '@tillstream/sandbox';
import { cardRequest, followUpRequest } from '../sandbox/acquirer.requests.js';
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
import { mayStillSend } from '../processor.port.js';
import { sandboxCapabilities } from '../sandbox/sandbox.capabilities.js';
import { toDefiniteResponse, toVerificationResponse } from '../sandbox/sandbox-response.mapping.js';
import { querySandbox } from './sandbox.query.js';
import { LateResponses } from './late.responses.js';
import type { SandboxClient } from './sandbox.client.js';
import { sendPayment, type SendWindow } from './payment.sender.js';

export interface NetworkSandboxOptions {
  readonly client: SandboxClient;
  /** Of the line's connections, those that may wait for answers that come too late. */
  readonly lateCallsMax: number;
  /** One line for an operator. */
  report(reason: string): void;
  /** Left out: `sandbox`. */
  readonly name?: string;
  /** Both clocks of `mayStillSend`; left out: `Date.now` and `performance.now`. */
  readonly now?: () => { readonly realMs: number; readonly monotonicMs: number };
}

/** Before a payment of the amount that is refused: what the sandbox says to it. */
const REFUSAL_QUERY_TIMEOUT_MS = 1_000;

/**
 * The simulated acquirer as a process of its own, over HTTP (docs/adr/0019). What fails before the first byte of a
 * request was written is `NotSent`, and so is what the sandbox itself says that it did not take; all else without a
 * readable answer of this very call is `NoAnswer`.
 */
export class NetworkSandboxProcessor implements Processor {
  readonly name: string;
  private readonly line: SandboxClient;
  private readonly late: LateResponses;
  private readonly now: () => { readonly realMs: number; readonly monotonicMs: number };

  constructor(private readonly options: NetworkSandboxOptions) {
    this.name = options.name ?? 'sandbox';
    this.line = options.client;
    this.late = new LateResponses(options.lateCallsMax);
    this.now = options.now ?? (() => ({ realMs: Date.now(), monotonicMs: performance.now() }));
  }

  capabilities(channel: Channel): ProcessorCapabilities {
    return sandboxCapabilities(channel);
  }

  sale(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(cardRequest('Sale', request, call.key), call);
  }

  authorize(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(cardRequest('Authorize', request, call.key), call);
  }

  unreferencedRefund(request: PaymentRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(cardRequest('UnreferencedRefund', request, call.key), call);
  }

  capture(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(followUpRequest('Capture', request, call.key), call);
  }

  void(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(followUpRequest('Void', request, call.key), call);
  }

  refund(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(followUpRequest('Refund', request, call.key), call);
  }

  reverse(request: FollowUpRequest, call: AttemptCall): Promise<ProcessorResponse> {
    return this.send(followUpRequest('Reverse', request, call.key), call);
  }

  async verify(request: VerifyRequest, call: AttemptCall): Promise<VerificationResponse> {
    return toVerificationResponse(
      await this.send(cardRequest('Verify', { ...request, amount: 0 }, call.key), call),
    );
  }

  async inquire({ key, account, deadlineMs }: Inquiry): Promise<InquiryResult> {
    return inquiryAnswer(await this.found(WIRE_PATHS.inquire, { key, account }, deadlineMs));
  }

  async annul({ key, account, deadlineMs }: Inquiry): Promise<AnnulResult> {
    const found = await this.found(WIRE_PATHS.annul, { key, account }, deadlineMs);
    if (found?.kind === 'Annulled') return { kind: 'Annulled' };
    if (found?.kind === 'AlreadyExecuted') return { kind: found.kind, answer: toDefiniteResponse(found) };
    return { kind: 'NoAnswer' };
  }

  async lastTransaction(terminalId: string, { key, account, deadlineMs }: Inquiry): Promise<InquiryResult> {
    return inquiryAnswer(
      await this.found(WIRE_PATHS.lastTransaction, { key, account, terminalId }, deadlineMs),
    );
  }

  private async send(request: AcquirerRequest, call: AttemptCall): Promise<ProcessorResponse> {
    const left = (): number => this.leftToSend(call);
    if (left() < 0) return { kind: 'NotSent', reason: 'sendBefore has passed' };
    if (mayRefuseConnection(request) && (await this.isRefused(request, left()))) {
      return { kind: 'NotSent', reason: await this.line.tryClosedPort() };
    }
    const times: SendWindow = {
      connectWithinMs: Math.max(0, left()),
      mayWrite: () => mayStillSend(call, this.now()),
    };
    return sendPayment(this.line, request, call, times, this.late, this.options.report);
  }

  /** Nothing of the payment is sent by asking. */
  private async isRefused(request: AcquirerRequest, withinMs: number): Promise<boolean> {
    const deadlineMs = Math.min(REFUSAL_QUERY_TIMEOUT_MS, withinMs);
    const asked = await querySandbox(
      this.line,
      WIRE_PATHS.refuses,
      { request },
      deadlineMs,
      isConnectionRefusalLine,
    );
    return asked.kind === 'Answered' && asked.line.refuses;
  }

  private async found(
    path: (typeof WIRE_PATHS)['inquire' | 'annul' | 'lastTransaction'],
    body: { readonly key: string; readonly account: string; readonly terminalId?: string },
    deadlineMs: number,
  ): Promise<QueryResultLine['found'] | undefined> {
    const isOfThis = (value: unknown): value is QueryResultLine =>
      isQueryResultLine(value) && value.key === body.key;
    const asked = await querySandbox(this.line, path, body, deadlineMs, isOfThis);
    return asked.kind === 'Answered' ? asked.line.found : undefined;
  }

  private leftToSend({ sendBefore, startedAt, sendWithinMs }: AttemptCall): number {
    const { realMs, monotonicMs } = this.now();
    return Math.min(sendBefore - realMs, sendWithinMs - (monotonicMs - startedAt));
  }
}

function inquiryAnswer(found: QueryResultLine['found'] | undefined): InquiryResult {
  switch (found?.kind) {
    case 'Found':
      return { kind: 'Found', answer: toDefiniteResponse(found) };
    case 'NotFound':
    case 'StillRunning':
      return { kind: found.kind };
    case undefined:
    case 'Annulled':
    case 'AlreadyExecuted':
      return { kind: 'NoAnswer' };
  }
}
