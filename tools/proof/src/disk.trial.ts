import { setTimeout } from 'node:timers/promises';
import {
  approvedIn,
  ask,
  namedOperation,
  saidError,
  type Asked,
  type AskedKind,
  type Heard,
} from './asked.js';
import { Client } from './client.js';
import { Histories } from './histories.js';
import { upTo } from './lanes.js';
import { makeOriginal } from './originals.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, terminalsOf, type Site } from './site.js';
import type { SmallDisk } from './small.disk.js';

/** The acquirer takes 5 s for it: time to fill the disk between request and outcome. */
const SLOW_AMOUNT = 920_005;
const RESOLVED_WITHIN_MS = 90_000;
const HEALTH_WITHIN_MS = 10_000;
/** What was allocated before the disk was full may still take a few. */
const MOST_THAT_FIT = 50;

/** One service on a small disk, and what is done to it. */
export class Trial {
  readonly asked: Asked[] = [];
  readonly complaints: string[] = [];
  readonly figures = { rejected: 0, 'fitted in': 0, interrupted: 0, 'ready 503': 0, 'read-only': '' };
  private service: ServiceProcess | undefined;

  constructor(
    private readonly site: Site,
    private readonly small: SmallDisk,
    private readonly port: number,
  ) {}

  async restart(): Promise<void> {
    this.service = await ServiceProcess.start(this.site, { port: this.port });
  }

  async end(): Promise<void> {
    await this.service?.stop();
  }

  /** The request can't be written: it is refused, and nobody is charged. The audit holds that against the ledger. */
  async fullBeforeTheSend(): Promise<void> {
    this.small.fill();
    const [paymentMethodId = ''] = terminalsOf(this.site);
    let refused: Asked | undefined;
    for (let sale = 0; sale < MOST_THAT_FIT && !refused; sale++) {
      const one = this.ask('Sale', { amount: 100 + upTo(50_000), paymentMethodId });
      const heard = await this.client.send(one);
      if (heard?.status === 200) this.figures['fitted in']++;
      else refused = one;
    }
    const [heard] = refused?.heard ?? [];
    this.expect(isRejected(heard), `a sale on a full disk was answered ${heard?.status} ${heard?.text}`);
    if (isRejected(heard)) this.figures.rejected++;
    await this.expectHealth(503);
    this.small.free();
    await this.expectHealth(200);
    if (!refused) return;
    // Nothing was stored, so its key is free.
    await this.client.insist(refused, RESOLVED_WITHIN_MS);
    this.expect(approvedIn(refused) !== undefined, `${refused.key}: not approved once there was room again`);
  }

  /** The acquirer charges, the outcome can't be written: nobody is told anything but "unknown", until it can. */
  async fullBeforeTheOutcome(killed: boolean): Promise<void> {
    const [first, second, third] = terminalsOf(this.site);
    const auth = await makeOriginal(this.client, 'Auth', SLOW_AMOUNT + 1_000, first, this.asked);
    const sale = await makeOriginal(this.client, 'Sale', SLOW_AMOUNT + 1_000, second, this.asked);
    const amount = SLOW_AMOUNT;
    const slow = [
      this.ask('Sale', { amount, ...(third !== undefined && { paymentMethodId: third }) }),
      this.ask('Capture', { amount, originalTransactionId: auth.id }),
      this.ask('Refund', { amount, originalTransactionId: sale.id }),
    ];
    const answers = slow.map((one) => this.client.send(one));
    const histories = await Histories.open(this.site);
    try {
      await this.untilWritten(histories, slow);
      this.small.fill();
      for (const heard of await Promise.all(answers)) {
        const isUnknown = heard !== undefined && isInterrupted(heard);
        this.expect(
          isUnknown,
          `its outcome could not be written, and it was answered ${heard?.status} ${heard?.text}`,
        );
        if (isUnknown) this.figures.interrupted++;
      }
      await this.expectHealth(503);
      if (killed) await this.service?.kill();
      this.small.free();
      if (killed) await this.restart();
      await this.expectHealth(200);
      const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
      this.complaints.push(...open.map((id) => `${id} is open though there is room again`));
    } finally {
      await histories.close();
    }
  }

  /** A file system that went read-only, as after an error of the disk. It can't while somebody writes there. */
  async readOnly(): Promise<void> {
    if (this.small.remount('ro')) this.figures['read-only'] = 'while it ran';
    else {
      await this.end();
      if (!this.small.remount('ro')) {
        this.figures['read-only'] = 'the mount refused';
        return this.restart();
      }
      this.service = ServiceProcess.spawn(this.site, { port: this.port });
      this.figures['read-only'] = 'from the start';
    }
    const ended = await this.service?.endedWithin(HEALTH_WITHIN_MS);
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
    const [paymentMethodId = ''] = terminalsOf(this.site);
    const sale = this.ask('Sale', { amount: 1_234, paymentMethodId });
    await this.client.insist(sale, RESOLVED_WITHIN_MS);
    this.expect(approvedIn(sale) !== undefined, 'no sale after the disk could be written again');
  }

  private get client(): Client {
    return new Client([`http://127.0.0.1:${this.port}`], factsOf(this.site).apiKey);
  }

  private ask(kind: AskedKind, body: Parameters<typeof ask>[1]): Asked {
    const one = ask(kind, body);
    this.asked.push(one);
    return one;
  }

  private expect(holds: boolean, complaint: string): void {
    if (!holds) this.complaints.push(complaint);
  }

  private async expectHealth(status: number): Promise<void> {
    const until = performance.now() + HEALTH_WITHIN_MS;
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

  private async untilWritten(histories: Histories, asked: readonly Asked[]): Promise<void> {
    const wanted = new Set(asked.map(({ body }) => body.referenceId));
    const until = performance.now() + 3_000;
    for (;;) {
      await histories.read();
      const operations = histories
        .all()
        .flatMap(({ state }) => (state.status === 'None' ? [] : state.operations));
      const written = operations.filter(({ referenceId = '' }) => wanted.has(referenceId)).length;
      if (written === wanted.size) return;
      if (performance.now() > until)
        throw new Error(`only ${written} of ${wanted.size} requests were written`);
      await setTimeout(20);
    }
  }
}

function isRejected(heard: Heard | undefined): boolean {
  const error = heard?.status === 500 ? saidError(heard) : undefined;
  return error?.code === 9000 && error.status === 'Rejected';
}

function isInterrupted(heard: Heard): boolean {
  const error = saidError(heard);
  return (
    heard.status === 500 &&
    error?.code === 3000 &&
    error.status === 'Interrupted' &&
    namedOperation(heard) !== undefined
  );
}
