import { auditDeployment, type AuditReport } from '../audit/deployment.audit.js';
import { unresolvedAfter } from '../audit/histories.js';
import type { ClientRequest } from './client.request.js';
import { sandboxFacts, type Deployment } from './deployment.js';
import { PaymentClient } from './payment.client.js';

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
    const open = await unresolvedAfter(this.deployment, timeoutMs);
    this.complaints.push(...open.map((id) => `${id} has no outcome after ${timeoutMs} ms`));
  }

  /** Call it when all processes have ended. The complaints of the trial come first. */
  async audit(): Promise<AuditReport> {
    const { complaints, figures } = await auditDeployment(this.deployment, this.requests);
    return { complaints: [...this.complaints, ...complaints], figures };
  }
}
