import {
  isQueryResultLine,
  isConnectionRefusalLine,
  mayRefuseConnection,
  WIRE_PATHS,
  type AcquirerRequest,
  type LastTransactionBody,
  type QueryBody,
  type QueryResultLine,
} from '@tillstream/sandbox';
import {
  mayStillSend,
  systemClocks,
  type AnnulResult,
  type AttemptCall,
  type Inquiry,
  type InquiryResult,
  type ProcessorResponse,
  type SendClocks,
} from '../processor.port.js';
import { SandboxAdapter } from '../sandbox/sandbox.adapter.js';
import { toAnnulResult, toInquiryResult } from '../sandbox/sandbox-response.mapping.js';
import { lateResponses, sendPayment } from './payment.sender.js';
import type { SandboxClient } from './sandbox.client.js';

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
export class NetworkSandboxProcessor extends SandboxAdapter {
  private readonly late: ReturnType<typeof lateResponses>;
  private readonly now: SendClocks;

  constructor(private readonly options: NetworkSandboxOptions) {
    super(options.name);
    this.late = lateResponses(options.lateCallsMax);
    this.now = options.now ?? systemClocks;
  }

  async inquire({ key, account, deadlineMs }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(await this.find(WIRE_PATHS.inquire, { key, account }, deadlineMs));
  }

  async annul({ key, account, deadlineMs }: Inquiry): Promise<AnnulResult> {
    return toAnnulResult(await this.find(WIRE_PATHS.annul, { key, account }, deadlineMs));
  }

  async lastTransaction(terminalId: string, { key, account, deadlineMs }: Inquiry): Promise<InquiryResult> {
    return toInquiryResult(
      await this.find(WIRE_PATHS.lastTransaction, { key, account, terminalId }, deadlineMs),
    );
  }

  protected override async send(request: AcquirerRequest, call: AttemptCall): Promise<ProcessorResponse> {
    if (this.msLeftToSend(call) < 0) return { kind: 'NotSent', reason: 'sendBefore has passed' };
    if (mayRefuseConnection(request) && (await this.isRefused(request, this.msLeftToSend(call)))) {
      return { kind: 'NotSent', reason: await this.options.client.tryClosedPort() };
    }
    const window = {
      connectWithinMs: Math.max(0, this.msLeftToSend(call)),
      mayWrite: () => mayStillSend(call, this.now()),
    };
    return sendPayment({ ...this.options, late: this.late }, request, call, window);
  }

  /** Nothing of the payment is executed by this query. */
  private async isRefused(request: AcquirerRequest, withinMs: number): Promise<boolean> {
    const result = await this.options.client.query({
      path: WIRE_PATHS.refuses,
      body: { request },
      deadlineMs: Math.min(REFUSAL_QUERY_TIMEOUT_MS, withinMs),
      isLine: isConnectionRefusalLine,
    });
    return result.kind === 'Answered' && result.line.refuses;
  }

  /** Undefined if the outcome is unknown: only a line that names this call and this key is a result. */
  private async find(
    path: (typeof WIRE_PATHS)['inquire' | 'annul' | 'lastTransaction'],
    body: QueryBody | LastTransactionBody,
    deadlineMs: number,
  ): Promise<QueryResultLine['found'] | undefined> {
    const isLine = (value: unknown): value is QueryResultLine =>
      isQueryResultLine(value) && value.key === body.key;
    const result = await this.options.client.query({ path, body, deadlineMs, isLine });
    return result.kind === 'Answered' ? result.line.found : undefined;
  }

  private msLeftToSend({ sendBefore, startedAt, sendWithinMs }: AttemptCall): number {
    const { realMs, monotonicMs } = this.now();
    return Math.min(sendBefore - realMs, sendWithinMs - (monotonicMs - startedAt));
  }
}
