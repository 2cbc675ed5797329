import { setTimeout } from 'node:timers/promises';
import {
  approvedTransaction,
  newRequest,
  operationIdIn,
  errorIn,
  type ClientRequest,
  type PaymentRequestKind,
  type ClientResponse,
} from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { Histories } from '../audit/histories.js';
import { randomUpTo } from '../support/concurrency.js';
import { makeOriginal } from '../support/original.payment.js';
import { ServiceProcess } from '../processes/service.process.js';
import { sandboxFacts, terminalIds, type Deployment } from '../support/deployment.js';
import type { SmallDisk } from './small.disk.js';

/** The acquirer takes 5 s for this amount: time to fill the disk between request and outcome. */
const SLOW_AMOUNT = 920_005;
const RESOLUTION_TIMEOUT_MS = 90_000;
const HEALTH_TIMEOUT_MS = 10_000;
/** Pages that were allocated before the disk was full may take a few more sales. */
const SALES_MAX = 50;

/** A service on a small disk. */
export class Trial {
  readonly requests: ClientRequest[] = [];
  readonly complaints: string[] = [];
  readonly figures = { rejected: 0, 'fitted in': 0, interrupted: 0, 'ready 503': 0, 'read-only': '' };
  private service: ServiceProcess | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly small: SmallDisk,
    private readonly port: number,
  ) {}

  async restart(): Promise<void> {
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async end(): Promise<void> {
    await this.service?.stop();
  }

  /** The request event can't be written, so the sale is refused. The audit compares this with the ledger. */
  async fullBeforeTheSend(): Promise<void> {
    this.small.fill();
    const [paymentMethodId = ''] = terminalIds(this.deployment);
    let refused: ClientRequest | undefined;
    for (let sale = 0; sale < SALES_MAX && !refused; sale++) {
      const one = this.newRequest('Sale', { amount: 100 + randomUpTo(50_000), paymentMethodId });
      const response = await this.client.send(one);
      if (response?.status === 200) this.figures['fitted in']++;
      else refused = one;
    }
    const [response] = refused?.responses ?? [];
    this.expect(
      isRejected(response),
      `a sale on a full disk was answered ${response?.status} ${response?.text}`,
    );
    if (isRejected(response)) this.figures.rejected++;
    await this.expectHealth(503);
    this.small.free();
    await this.expectHealth(200);
    if (!refused) return;
    // Nothing was stored, so the key is free.
    await this.client.insist(refused, RESOLUTION_TIMEOUT_MS);
    this.expect(
      approvedTransaction(refused) !== undefined,
      `${refused.key}: not approved once there was room again`,
    );
  }

  /** The acquirer charges and the outcome event can't be written: clients get "unknown" until there is room. */
  async fullBeforeTheOutcome(killed: boolean): Promise<void> {
    const [first, second, third] = terminalIds(this.deployment);
    const auth = await makeOriginal(this.client, 'Auth', SLOW_AMOUNT + 1_000, first, this.requests);
    const sale = await makeOriginal(this.client, 'Sale', SLOW_AMOUNT + 1_000, second, this.requests);
    const amount = SLOW_AMOUNT;
    const slow = [
      this.newRequest('Sale', { amount, ...(third !== undefined && { paymentMethodId: third }) }),
      this.newRequest('Capture', { amount, originalTransactionId: auth.id }),
      this.newRequest('Refund', { amount, originalTransactionId: sale.id }),
    ];
    const answers = slow.map((one) => this.client.send(one));
    const histories = await Histories.open(this.deployment);
    try {
      await this.untilWritten(histories, slow);
      this.small.fill();
      for (const response of await Promise.all(answers)) {
        const isUnknown = response !== undefined && isInterrupted(response);
        this.expect(
          isUnknown,
          `its outcome could not be written, and it was answered ${response?.status} ${response?.text}`,
        );
        if (isUnknown) this.figures.interrupted++;
      }
      await this.expectHealth(503);
      if (killed) await this.service?.kill();
      this.small.free();
      if (killed) await this.restart();
      await this.expectHealth(200);
      const open = await histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS);
      this.complaints.push(...open.map((id) => `${id} is open though there is room again`));
    } finally {
      await histories.close();
    }
  }

  /**
   * Makes the file system read-only, as Linux does after an I/O error. The kernel refuses it while a file is open for
   * writing.
   */
  async readOnly(): Promise<void> {
    if (this.small.remount('ro')) this.figures['read-only'] = 'while it ran';
    else {
      await this.end();
      if (!this.small.remount('ro')) {
        this.figures['read-only'] = 'the mount refused';
        return this.restart();
      }
      this.service = ServiceProcess.spawn(this.deployment, { port: this.port });
      this.figures['read-only'] = 'from the start';
    }
    const ended = await this.service?.exitWithin(HEALTH_TIMEOUT_MS);
    if (ended) {
      this.expect(ended.code !== 0, 'it ended as if all were well on a read-only disk');
      this.expect((this.service?.logged ?? '') !== '', 'it ended on a read-only disk and did not say why');
      this.figures['read-only'] += `: it said why and ended with ${ended.code}`;
    } else {
      await this.expectHealth(503);
      this.figures['read-only'] += ': 503';
    }
    await this.service?.kill();
    this.small.remount('rw');
    await this.restart();
    const [paymentMethodId = ''] = terminalIds(this.deployment);
    const sale = this.newRequest('Sale', { amount: 1_234, paymentMethodId });
    await this.client.insist(sale, RESOLUTION_TIMEOUT_MS);
    this.expect(approvedTransaction(sale) !== undefined, 'no sale after the disk could be written again');
  }

  private get client(): PaymentClient {
    return new PaymentClient([`http://127.0.0.1:${this.port}`], sandboxFacts(this.deployment).apiKey);
  }

  private newRequest(kind: PaymentRequestKind, body: Parameters<typeof newRequest>[1]): ClientRequest {
    const one = newRequest(kind, body);
    this.requests.push(one);
    return one;
  }

  private expect(holds: boolean, complaint: string): void {
    if (!holds) this.complaints.push(complaint);
  }

  private async expectHealth(status: number): Promise<void> {
    const until = performance.now() + HEALTH_TIMEOUT_MS;
    let health = await this.service?.health();
    while (health?.status !== status && performance.now() < until) {
      await setTimeout(100);
      health = await this.service?.health();
    }
    this.expect(
      health?.status === status,
      `/health/ready is ${health?.status}, not ${status}: ${health?.text}`,
    );
    if (status !== 503 || health?.status !== 503) return;
    this.figures['ready 503']++;
    const { reasons = [] } = JSON.parse(health.text) as { reasons?: readonly string[] };
    this.expect(reasons.length > 0, '/health/ready is 503 without a reason');
  }

  private async untilWritten(histories: Histories, requests: readonly ClientRequest[]): Promise<void> {
    const wanted = new Set(requests.map(({ body }) => body.referenceId));
    const until = performance.now() + 3_000;
    for (;;) {
      await histories.read();
      const operations = histories.paymentOperations();
      const written = operations.filter(({ referenceId = '' }) => wanted.has(referenceId)).length;
      if (written === wanted.size) return;
      if (performance.now() > until)
        throw new Error(`only ${written} of ${wanted.size} requests were written`);
      await setTimeout(20);
    }
  }
}

function isRejected(response: ClientResponse | undefined): boolean {
  const error = response?.status === 500 ? errorIn(response) : undefined;
  return error?.code === 9000 && error.status === 'Rejected';
}

function isInterrupted(response: ClientResponse): boolean {
  const error = errorIn(response);
  return (
    response.status === 500 &&
    error?.code === 3000 &&
    error.status === 'Interrupted' &&
    operationIdIn(response) !== undefined
  );
}
