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
  SendClocks,
  VerificationResponse,
  VerifyRequest,
} from '../processor.port.js';
import { mayStillSend, systemClocks } from '../processor.port.js';
import { sandboxCapabilities } from '../sandbox/sandbox.capabilities.js';
import { toDefiniteResponse, toVerificationResponse } from '../sandbox/sandbox-response.mapping.js';
import { querySandbox } from './sandbox.query.js';
import { LateResponses } from './late.responses.js';
import type { SandboxClient } from './sandbox.client.js';
import { sendPayment, type SendWindow } from './payment.sender.js';

export interface NetworkSandboxOptions {
  readonly client: SandboxClient;
  /** Of the client's connections, those that may wait for late responses. */
  readonly lateCallsMax: number;
  /** Logs one line for an operator. */
  report(reason: string): void;
  /** Default: `sandbox`. */
  readonly name?: string;
  readonly now?: SendClocks;
}

/** For the question whether the sandbox refuses the connection of a payment. */
const REFUSAL_QUERY_TIMEOUT_MS = 1_000;

/**
 * The simulated acquirer as a process of its own, over HTTP (docs/adr/0019). A request is `NotSent` if it fails before its
 * first byte was written, or if the sandbox says that it did not take it. Any other call without a readable response that
 * names it is `NoAnswer`.
 */
export class NetworkSandboxProcessor implements Processor {
  readonly name: string;
  private readonly client: SandboxClient;
  private readonly late: LateResponses;
  private readonly now: SendClocks;

  constructor(private readonly options: NetworkSandboxOptions) {
    this.name = options.name ?? 'sandbox';
    this.client = options.client;
    this.late = new LateResponses(options.lateCallsMax);
    this.now = options.now ?? systemClocks;
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
    return toInquiryResult(await this.find(WIRE_PATHS.inquire, { key, account }, deadlineMs));
  }

  async annul({ key, account, deadlineMs }: Inquiry): Promise<AnnulResult> {
    const found = await this.find(WIRE_PATHS.annul, { key, account }, deadlineMs);
    if (found?.kind === 'Annulled') return { kind: 'Annulled' };
    if (found?.kind === 'AlreadyExecuted') return { kind: found.kind, answer: toDefiniteResponse(found) };
    return { kind: 'NoAnswer' };
  }

  async lastTransaction(terminalId: string, { key, account, deadlineMs }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(
      await this.find(WIRE_PATHS.lastTransaction, { key, account, terminalId }, deadlineMs),
    );
  }

  private async send(request: AcquirerRequest, call: AttemptCall): Promise<ProcessorResponse> {
    if (this.msLeftToSend(call) < 0) return { kind: 'NotSent', reason: 'sendBefore has passed' };
    if (mayRefuseConnection(request) && (await this.isRefused(request, this.msLeftToSend(call)))) {
      return { kind: 'NotSent', reason: await this.client.tryClosedPort() };
    }
    const window: SendWindow = {
      connectWithinMs: Math.max(0, this.msLeftToSend(call)),
      mayWrite: () => mayStillSend(call, this.now()),
    };
    return sendPayment({ ...this.options, late: this.late }, request, call, window);
  }

  /** Nothing of the payment is executed by this query. */
  private async isRefused(request: AcquirerRequest, withinMs: number): Promise<boolean> {
    const deadlineMs = Math.min(REFUSAL_QUERY_TIMEOUT_MS, withinMs);
    const result = await querySandbox(
      this.client,
      WIRE_PATHS.refuses,
      { request },
      deadlineMs,
      isConnectionRefusalLine,
    );
    return result.kind === 'Answered' && result.line.refuses;
  }

  private async find(
    path: (typeof WIRE_PATHS)['inquire' | 'annul' | 'lastTransaction'],
    body: { readonly key: string; readonly account: string; readonly terminalId?: string },
    deadlineMs: number,
  ): Promise<QueryResultLine['found'] | undefined> {
    const isResultOfKey = (value: unknown): value is QueryResultLine =>
      isQueryResultLine(value) && value.key === body.key;
    const result = await querySandbox(this.client, path, body, deadlineMs, isResultOfKey);
    return result.kind === 'Answered' ? result.line.found : undefined;
  }

  private msLeftToSend({ sendBefore, startedAt, sendWithinMs }: AttemptCall): number {
    const { realMs, monotonicMs } = this.now();
    return Math.min(sendBefore - realMs, sendWithinMs - (monotonicMs - startedAt));
  }
}

function toInquiryResult(found: QueryResultLine['found'] | undefined): InquiryResult {
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
