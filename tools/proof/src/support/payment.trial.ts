import { setTimeout } from 'node:timers/promises';
import type { SandboxFacts } from '@tillstream/contracts';
import { auditDeployment, type AuditReport } from '../audit/deployment.audit.js';
import { withHistories } from '../audit/histories.js';
import type { Findings } from '../proof.types.js';
import { ApiClient } from './api.client.js';
import {
  approvedTransaction,
  isDefinite,
  newRequest,
  REQUEST_PATHS,
  type ClientRequest,
  type ClientResponse,
} from './client.request.js';
import { sandboxFacts, type Deployment } from './deployment.js';

const PAUSE_MS = 100;
const TIMEOUT_MS = 20_000;
const APPROVAL_TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;

/** A merchant's program. Without a response it sends the same request again under the same key. */
export class PaymentClient {
  private readonly api: ApiClient;

  constructor(
    /** Used in turn, as by a load balancer. */
    readonly origins: readonly string[],
    keys: Pick<SandboxFacts, 'apiKey' | 'adminKey'>,
    /** Gets every new request, for the audit. */
    private readonly requests: ClientRequest[],
  ) {
    this.api = new ApiClient(keys);
  }

  newRequest(...[kind, body]: Parameters<typeof newRequest>): ClientRequest {
    const request = newRequest(kind, body);
    this.requests.push(request);
    return request;
  }

  /** Returns undefined without a complete response; then the client knows nothing of the outcome. */
  async send(
    { kind, key, body, responses }: ClientRequest,
    origin = this.origins[0] ?? '',
    timeoutMs = TIMEOUT_MS,
  ): Promise<ClientResponse | undefined> {
    const sentAt = Date.now();
    const headers = { 'idempotency-key': key };
    const answer = await this.api.send(origin, 'POST', REQUEST_PATHS[kind], { body, headers, timeoutMs });
    if (!answer) return undefined;
    const { status, text, replayed } = answer;
    const response = { status, text, replayed, sentAt, receivedAt: Date.now() };
    responses.push(response);
    return response;
  }

  async sendAtOnce(requests: readonly ClientRequest[]): Promise<void> {
    const { origins } = this;
    await Promise.all(requests.map((one, index) => this.send(one, origins[index % origins.length])));
  }

  async insist(request: ClientRequest, timeoutMs: number): Promise<ClientResponse | undefined> {
    const until = performance.now() + timeoutMs;
    for (let attempt = 0; performance.now() < until; attempt++) {
      const response = await this.send(request, this.origins[attempt % this.origins.length]);
      if (response && isDefinite(response)) return response;
      await setTimeout(PAUSE_MS + Math.random() * PAUSE_MS);
    }
    return undefined;
  }

  /** Returns the id of an approved sale or authorization. Repeats with a new request if a busy machine misses a deadline. */
  async approved(
    kind: 'Sale' | 'Auth',
    amount: number,
    paymentMethodId: string | undefined,
  ): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const request = this.newRequest(kind, { amount, paymentMethodId });
      await this.insist(request, APPROVAL_TIMEOUT_MS);
      const approved = approvedTransaction(request);
      if (approved) return approved.id;
    }
    throw new Error(`no ${kind} was approved in ${ATTEMPTS_MAX} attempts`);
  }
}

/** A deployment, the requests of its clients, and complaints about it. */
export class PaymentTrial {
  readonly requests: ClientRequest[] = [];
  readonly complaints: string[] = [];

  constructor(readonly deployment: Deployment) {}

  /** A client of running services; the audit checks its requests. */
  client(...origins: string[]): PaymentClient {
    return new PaymentClient(origins, sandboxFacts(this.deployment), this.requests);
  }

  check(holds: boolean, complaint: string): void {
    if (!holds) this.complaints.push(complaint);
  }

  /** Waits until every operation has an outcome. */
  async untilResolved(timeoutMs: number): Promise<void> {
    const open = await withHistories(this.deployment, (histories) => histories.waitUntilResolved(timeoutMs));
    this.complaints.push(...open.map((id) => `${id} has no outcome after ${timeoutMs} ms`));
  }

  /** Call it when all processes have ended. The complaints of the trial come first. */
  async audit(): Promise<AuditReport> {
    const { complaints, figures } = await auditDeployment(this.deployment, this.requests);
    return { complaints: [...this.complaints, ...complaints], figures };
  }

  /** Audits and removes the deployment. @param figures shown before those of the audit */
  async finish(figures: Findings['figures']): Promise<Findings> {
    const report = await this.audit();
    this.deployment.remove();
    return { complaints: report.complaints, figures: { ...figures, ...report.figures } };
  }
}
