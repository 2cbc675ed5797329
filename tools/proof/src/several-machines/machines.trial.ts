import { setTimeout } from 'node:timers/promises';
import { openEventStoreAt } from '@tillstream/platform';
import { withHistories } from '../audit/histories.js';
import { checkBatches } from '../batch-close/batch.checker.js';
import { roundCount, type Findings, type ProofOptions } from '../proof.types.js';
import { Operator } from '../settlements/shops.js';
import { ApiClient, describeResponse, transactionIn } from '../support/api.client.js';
import { unansweredRequests } from '../support/client.request.js';
import { pickOne, poll, Repetition } from '../support/concurrency.js';
import { freePort, sandboxFacts, terminalIds, type Deployment } from '../support/deployment.js';
import { PaymentTrial } from '../support/payment.trial.js';
import { payAtRandom } from '../support/random.payments.js';
import { checkReceivers } from '../webhooks/webhook.checks.js';
import { WebhookReceiver } from '../webhooks/webhook.receiver.js';
import { Machine, type Part } from './machine.js';
import type { SharedServers } from './shared.servers.js';
import { countUndelivered, describeUndelivered } from './undelivered.webhooks.js';

export const TERMINALS = 24;
const RECEIVERS = 2;
const RESPONSE_TIMEOUT_MS = 180_000;
/** The lease of a killed resolver ends after a minute. */
const RESOLUTION_TIMEOUT_MS = 180_000;
const BATCHED_TIMEOUT_MS = 300_000;
/** Without any progress. The claims of a killed dispatcher end after 30 s. */
const DELIVERED_TIMEOUT_MS = 120_000;
const DELIVERED_POLL_MS = 1_000;
const KILL_PAUSE_MS = { least: 300, most: 1_500 };
const CLOSING_PAUSE_MS = 2_000;

/** Two machines on shared servers, payments on both, an operator that closes batches, and receivers of webhooks. */
export class MachinesTrial {
  readonly counts = { payments: 0, kills: 0, restarts: 0, outages: 0, 'cuts of connections': 0 };
  private readonly trial: PaymentTrial;
  private readonly receivers: WebhookReceiver[] = [];
  private machines: readonly Machine[] = [];
  private closing: Repetition | undefined;

  constructor(
    private readonly servers: SharedServers,
    private readonly deployments: readonly [Deployment, Deployment],
    private readonly options: ProofOptions,
  ) {
    this.trial = new PaymentTrial(deployments[0]);
  }

  async start(): Promise<void> {
    await this.servers.startAcquirer(this.deployments[0]);
    // Both for the first time at once: one of them makes the tables and the demo merchant.
    const starting = this.deployments.map(async (one) => Machine.start(one, await freePort()));
    this.machines = await Promise.all(starting);
    for (let count = 0; count < RECEIVERS; count++) await this.receive();
    this.closing = new Repetition(async () => {
      await setTimeout(Math.random() * CLOSING_PAUSE_MS);
      await this.closeBatches();
    });
  }

  /** Kills one of six processes at a random moment, again and again. */
  async payUnderKills(): Promise<void> {
    const { counts, options } = this;
    const payments = roundCount(options, 5_000, 60);
    const kills = options.quick ? 6 : 50;
    let isKilled = false;
    const killing = this.killParts(kills).finally(() => (isKilled = true));
    await Promise.all([killing, this.pay(() => isKilled && counts.payments >= payments)]);
    await this.untilReady('after the kills');
  }

  /** Restarts the database, stops it for a while, and cuts its connections, in turn. */
  async payUnderFaults(): Promise<void> {
    const { counts, options, servers } = this;
    const rounds = options.quick ? 1 : 20;
    const outageMs = options.quick ? 5_000 : 30_000;
    let isOver = false;
    const paying = this.pay(() => isOver);
    try {
      for (let round = 1; round <= rounds; round++) {
        await servers.stopDatabase(0);
        counts.restarts += 1;
        await this.untilReady('after a restart of the database');
        await servers.cutConnections();
        counts['cuts of connections'] += 1;
        await setTimeout(KILL_PAUSE_MS.most);
        await servers.stopDatabase(outageMs);
        counts.outages += 1;
        await this.untilReady('after an outage of the database');
        options.say(`${round} of ${rounds} rounds of faults, ${counts.payments} payments`);
      }
    } finally {
      isOver = true;
      await paying;
    }
  }

  /** Until every operation has an outcome and is in a batch, and every webhook was delivered. */
  async settle(): Promise<void> {
    const { trial } = this;
    await this.closing?.stop();
    trial.complaints.push(...unansweredRequests(trial.requests));
    const left = await withHistories(trial.deployment, (histories) =>
      histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS),
    );
    trial.complaints.push(...left.map((what) => `${what} is open after ${RESOLUTION_TIMEOUT_MS} ms`));
    const open = await poll(
      () => this.closeBatches(),
      (count) => count === 0,
      BATCHED_TIMEOUT_MS,
    );
    trial.check(open === 0, `${open} batches were not closed in ${BATCHED_TIMEOUT_MS} ms`);
    this.options.say('all is resolved and in batches');
    const undelivered = await this.whileDelivered();
    if (undelivered > 0) {
      const some = await describeUndelivered(this.servers.rows, this.receivers);
      trial.complaints.push([`${undelivered} webhooks were not delivered, such as`, ...some].join('\n  '));
    }
    trial.complaints.push(...checkReceivers(this.receivers, this.completedOperations()));
  }

  /** Call it once the machines have stopped, and the servers not. */
  async finish(): Promise<Findings> {
    const { unbatched, complaints: wrong, items } = await this.checkedBatches();
    this.trial.complaints.push(...wrong);
    this.trial.check(unbatched === 0, `${unbatched} items are in no batch`);
    await this.servers.stopAcquirer();
    const { complaints, figures } = await this.trial.audit();
    const received = this.receivers.reduce((sum, one) => sum + one.received.size, 0);
    const requests = this.receivers.reduce((sum, one) => sum + one.requests, 0);
    const webhooks = { webhooks: received, 'webhooks sent again': requests - received };
    return { complaints, figures: { ...figures, ...this.counts, items, ...webhooks } };
  }

  async stopMachines(): Promise<void> {
    await this.closing?.stop();
    await Promise.all(this.machines.map((machine) => machine.stop()));
    for (const receiver of this.receivers) receiver.close();
  }

  /** Waits as long as webhooks are delivered: a slow machine has many left. @returns how many are left */
  private async whileDelivered(): Promise<number> {
    let left = await this.undelivered();
    for (;;) {
      const before = left;
      left = await poll(
        () => this.undelivered(),
        (count) => count < before || count === 0,
        DELIVERED_TIMEOUT_MS,
        DELIVERED_POLL_MS,
      );
      if (left === 0 || left >= before) return left;
    }
  }

  private async killParts(kills: number): Promise<void> {
    const parts = this.machines.flatMap((machine) => machine.parts) as [Part, ...Part[]];
    const { least, most } = KILL_PAUSE_MS;
    for (; this.counts.kills < kills; this.counts.kills += 1) {
      await setTimeout(least + Math.random() * (most - least));
      const part = pickOne(parts);
      await part.restart();
      if ((this.counts.kills + 1) % 10 === 0)
        this.options.say(`${this.counts.kills + 1} of ${kills} kills, ${this.counts.payments} payments`);
    }
  }

  /** At every terminal, with the first request on either machine. */
  private async pay(isOver: () => boolean): Promise<void> {
    const origins = this.machines.map(({ origin }) => origin);
    const payAt = async (terminal: string, index: number): Promise<void> => {
      const client = this.trial.client(...(index % 2 === 0 ? origins : origins.toReversed()));
      while (!isOver()) {
        this.counts.payments += 1;
        await payAtRandom(client, terminal, RESPONSE_TIMEOUT_MS);
      }
    };
    await Promise.all(terminalIds(this.trial.deployment).map(payAt));
  }

  private async untilReady(when: string): Promise<void> {
    for (const [index, machine] of this.machines.entries())
      this.trial.check(await machine.untilReady(), `machine ${index + 1} was not ready ${when}`);
  }

  /** Returns the number of batches that are neither empty nor closed. */
  private async closeBatches(): Promise<number> {
    const { merchantId } = sandboxFacts(this.trial.deployment);
    const machine = pickOne(this.machines as [Machine, Machine]);
    return new Operator(this.trial.deployment, machine.origin).closeBatches(merchantId);
  }

  private async receive(): Promise<void> {
    const receiver = await WebhookReceiver.open(`receiver ${this.receivers.length + 1}`, 'Answers');
    this.receivers.push(receiver);
    const api = new ApiClient(sandboxFacts(this.trial.deployment));
    const body = { url: receiver.url, eventTypes: ['*'] };
    const created = await api.send(this.machines[0]?.origin ?? '', 'POST', '/v1/webhook-endpoints', { body });
    if (created?.status !== 200 && created?.status !== 201)
      throw new Error(`the endpoint was not created: ${describeResponse(created)}`);
  }

  /** Operations that a response has called completed. Each makes one event. */
  private completedOperations(): ReadonlySet<string> {
    const ids = this.trial.requests.flatMap(({ responses }) =>
      responses.flatMap((response) => {
        const result = transactionIn(response);
        return result?.status === 'Completed' ? [result.id] : [];
      }),
    );
    return new Set(ids);
  }

  /** Operations that did not come, and deliveries that are not done. */
  private async undelivered(): Promise<number> {
    const completed = this.completedOperations();
    const missing = this.receivers.map(({ received }) => {
      const came = new Set([...received.values()].map(({ operationId }) => operationId));
      return [...completed].filter((id) => !came.has(id)).length;
    });
    const open = await countUndelivered(this.servers.rows, this.receivers);
    return missing.reduce((sum, one) => sum + one, open);
  }

  private async checkedBatches() {
    const store = await openEventStoreAt(this.servers.storeUrl, { readOnly: true });
    try {
      return await checkBatches(store);
    } finally {
      await store.close();
    }
  }
}
