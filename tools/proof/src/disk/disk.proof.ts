import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Histories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import { type Proof, roundCount } from '../proof.types.js';
import {
  approvedTransaction,
  type ClientRequest,
  type ClientResponse,
  errorIn,
  isRejection,
  operationIdIn,
} from '../support/client.request.js';
import { poll, randomUpTo } from '../support/concurrency.js';
import {
  type Deployment,
  freePort,
  newDeployment,
  newDirectory,
  removeDirectory,
  terminalIds,
} from '../support/deployment.js';
import { type PaymentClient, PaymentTrial } from '../support/payment.trial.js';
import { SmallDisk } from './small.disk.js';

const MEBIBYTES = 24;
/** Longer than the acquirer's slow response takes. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '8000', TERMINAL_DEADLINE_MS: '8000' };
/**
 * The whole disk is smaller than the reserve of a service, so the service must learn from failed writes that it is
 * full.
 */
const NO_DISK_RESERVE = { MIN_FREE_DISK_MB: '0' };

export const disk: Proof = {
  name: 'disk',
  claim:
    'on a full or read-only disk no charge lacks a record or is acknowledged too early, and all are resolved later (rounds)',
  async run(options) {
    const small = SmallDisk.mount(MEBIBYTES);
    if (!small) return { figures: { skipped: 'this user may not mount a file system' }, complaints: [] };
    const acquirer = newDirectory('acquirer');
    // The acquirer has its own disk and charges while the service's disk is full.
    symlinkSync(join(acquirer, 'sandbox.db'), join(small.folder, 'sandbox.db'));
    const deployment = newDeployment(4, { ...DEADLINES, ...NO_DISK_RESERVE }, small.folder);
    const trial = new DiskTrial(deployment, small, await freePort());
    try {
      await trial.restart();
      const rounds = roundCount(options, 4, 1);
      for (let round = 0; round < rounds; round++) {
        await trial.fullBeforeTheSend();
        await trial.fullBeforeTheOutcome(round % 2 === 1);
        options.say(`round ${round + 1} of ${rounds}: ${trial.complaints.length} complaints`);
      }
      await trial.readOnly();
      await trial.end();
      const { complaints, figures } = await trial.audit();
      return { complaints, figures: { ...trial.figures, ...figures } };
    } finally {
      await trial.end();
      small.unmount();
      removeDirectory(acquirer);
    }
  },
};

/** The acquirer takes 5 s for this amount: time to fill the disk between request and outcome. */
const SLOW_AMOUNT = 920_005;
const RESOLUTION_TIMEOUT_MS = 90_000;
const HEALTH_TIMEOUT_MS = 10_000;
/** Pages that were allocated before the disk was full may take a few more sales. */
const SALES_MAX = 50;

/** A service on a small disk. */
class DiskTrial extends PaymentTrial {
  readonly figures = { rejected: 0, 'fitted in': 0, interrupted: 0, 'ready 503': 0, 'read-only': '' };
  private service: ServiceProcess | undefined;

  constructor(
    deployment: Deployment,
    private readonly small: SmallDisk,
    private readonly port: number,
  ) {
    super(deployment);
  }

  async restart(): Promise<void> {
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async end(): Promise<void> {
    await this.service?.stop();
  }

  /** The request event can't be written, so the sale is refused. The audit compares this with the ledger. */
  async fullBeforeTheSend(): Promise<void> {
    this.small.fill();
    const client = this.clientOfService();
    const [paymentMethodId] = terminalIds(this.deployment);
    let refused: ClientRequest | undefined;
    for (let sale = 0; sale < SALES_MAX && !refused; sale++) {
      const one = client.newRequest('Sale', { amount: 100 + randomUpTo(50_000), paymentMethodId });
      const response = await client.send(one);
      if (response?.status === 200) this.figures['fitted in']++;
      else refused = one;
    }
    const [response] = refused?.responses ?? [];
    if (isRejection(response)) this.figures.rejected++;
    else this.complaints.push(`a sale on a full disk was answered ${response?.status} ${response?.text}`);
    await this.expectHealth(503);
    this.small.free();
    await this.expectHealth(200);
    if (!refused) return;
    // Nothing was stored, so the key is free.
    await client.insist(refused, RESOLUTION_TIMEOUT_MS);
    const isApproved = approvedTransaction(refused) !== undefined;
    this.check(isApproved, `${refused.key}: not approved once there was room again`);
  }

  /** The acquirer charges and the outcome event can't be written: clients get "unknown" until there is room. */
  async fullBeforeTheOutcome(killed: boolean): Promise<void> {
    const client = this.clientOfService();
    const [first, second, third] = terminalIds(this.deployment);
    const amount = SLOW_AMOUNT;
    const auth = await client.approved('Auth', amount + 1_000, first);
    const sale = await client.approved('Sale', amount + 1_000, second);
    const slow = [
      client.newRequest('Sale', { amount, paymentMethodId: third }),
      client.newRequest('Capture', { amount, originalTransactionId: auth }),
      client.newRequest('Refund', { amount, originalTransactionId: sale }),
    ];
    const answers = slow.map((one) => client.send(one));
    const histories = await Histories.open(this.deployment);
    try {
      await untilWritten(histories, slow);
      this.small.fill();
      for (const response of await Promise.all(answers)) {
        if (response && isInterrupted(response)) this.figures.interrupted++;
        else
          this.complaints.push(
            `its outcome could not be written, and it was answered ${response?.status} ${response?.text}`,
          );
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
      this.service = ServiceProcess.spawn(this.deployment, this.port);
      this.figures['read-only'] = 'from the start';
    }
    const ended = await this.service?.exitWithin(HEALTH_TIMEOUT_MS);
    if (ended) {
      this.check(ended.code !== 0, 'it ended as if all were well on a read-only disk');
      this.check((this.service?.logged ?? '') !== '', 'it ended on a read-only disk and did not say why');
      this.figures['read-only'] += `: it said why and ended with ${ended.code}`;
    } else {
      await this.expectHealth(503);
      this.figures['read-only'] += ': 503';
    }
    await this.service?.kill();
    this.small.remount('rw');
    await this.restart();
    const client = this.clientOfService();
    const [paymentMethodId] = terminalIds(this.deployment);
    const sale = client.newRequest('Sale', { amount: 1_234, paymentMethodId });
    await client.insist(sale, RESOLUTION_TIMEOUT_MS);
    this.check(approvedTransaction(sale) !== undefined, 'no sale after the disk could be written again');
  }

  private clientOfService(): PaymentClient {
    return this.client(`http://127.0.0.1:${this.port}`);
  }

  private async expectHealth(status: number): Promise<void> {
    const health = await poll(
      async () => this.service?.health(),
      (seen) => seen?.status === status,
      HEALTH_TIMEOUT_MS,
    );
    this.check(
      health?.status === status,
      `/health/ready is ${health?.status}, not ${status}: ${health?.text}`,
    );
    if (status !== 503 || health?.status !== 503) return;
    this.figures['ready 503']++;
    const { reasons = [] } = JSON.parse(health.text) as { reasons?: readonly string[] };
    this.check(reasons.length > 0, '/health/ready is 503 without a reason');
  }
}

async function untilWritten(histories: Histories, requests: readonly ClientRequest[]): Promise<void> {
  const wanted = new Set(requests.map(({ body }) => body.referenceId));
  const count = async (): Promise<number> => {
    await histories.read();
    return histories.paymentOperations().filter(({ referenceId = '' }) => wanted.has(referenceId)).length;
  };
  const written = await poll(count, (seen) => seen === wanted.size, 3_000, 20);
  if (written < wanted.size) throw new Error(`only ${written} of ${wanted.size} requests were written`);
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
