import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import type { NamedReport } from '../audit/deployment.audit.js';
import { advanceClock } from '../support/sandbox.clock.js';
import type { Environment } from '../support/deployment.js';
import { Repetition } from '../support/concurrency.js';
import { checkReceivers } from './webhook.checks.js';
import { WebhookTrial } from './webhook.trial.js';

/** After the start of the dispatcher; it numbers and sends meanwhile. */
const KILLED_AFTER_MS = { least: 100, most: 700 };
const CUT_EVERY_MS = 400;
/** The claims of a killed process end after 30 s. */
const CLAIMS_END_MS = 90_000;
const FIRST_RETRY_S = 10;
const MADE_AGAIN_MS = 120_000;

export interface KillOptions {
  readonly name: string;
  readonly kills: number;
  readonly events: number;
  readonly environment?: Environment;
  /** Its connections are cut now and then. */
  readonly store?: EventStoreDbDouble;
  say(line: string): void;
}

/** Kills the dispatcher again and again while a merchant sells, and loses its tables at the end. */
export async function dispatcherKills(options: KillOptions): Promise<NamedReport> {
  const { name, kills, events, say, store } = options;
  const trial = new WebhookTrial(options.environment);
  let cuts: Repetition | undefined;
  try {
    await trial.start();
    for (const behaviour of ['Answers', 'Answers', 'Fails sometimes'] as const)
      await trial.receive(behaviour);
    cuts = store && new Repetition(() => cutConnections(store));
    for (let kill = 1; kill <= kills; kill++) {
      // Each dispatcher has new events to number and to send when it is killed.
      const selling = trial.sell(Math.ceil(events / kills));
      await trial.startDispatcher();
      await setTimeout(
        KILLED_AFTER_MS.least + Math.random() * (KILLED_AFTER_MS.most - KILLED_AFTER_MS.least),
      );
      await trial.killDispatcher();
      await selling;
      if (kill % 10 === 0) say(`${name}: ${kill} of ${kills} kills, ${trial.operationIds.size} events`);
    }
    await cuts?.stop();
    await trial.startDispatcher();
    await advanceClock(trial.deployment, trial.origin, FIRST_RETRY_S, false);
    await trial.untilReceived(trial.receivers, CLAIMS_END_MS);
    const repeated = repeats(trial);
    const complaints = checkReceivers(trial.receivers, trial.operationIds);
    complaints.push(...(await madeAgain(trial)));
    return {
      name,
      complaints: [...trial.complaints, ...complaints],
      figures: { kills, events: trial.operationIds.size, 'sent again': repeated },
    };
  } finally {
    await cuts?.stop();
    await trial.close();
  }
}

async function cutConnections(store: EventStoreDbDouble): Promise<void> {
  await setTimeout(CUT_EVERY_MS);
  store.dropConnections();
}

/** Without its tables the dispatcher sends everything again: the same ids, numbers and bytes. */
async function madeAgain(trial: WebhookTrial): Promise<string[]> {
  await trial.killDispatcher('SIGTERM');
  rmSync(join(trial.deployment.dataDir, 'webhooks'), { recursive: true, force: true });
  const quick = trial.receivers.filter(({ behaviour }) => behaviour === 'Answers');
  const before = new Map(quick.map(({ name, requests }) => [name, requests]));
  await trial.startDispatcher();
  const until = performance.now() + MADE_AGAIN_MS;
  const isBack = (): boolean =>
    quick.every(({ name, requests, received }) => requests - (before.get(name) ?? 0) >= received.size);
  while (!isBack() && performance.now() < until) await setTimeout(CUT_EVERY_MS);
  const complaints = isBack() ? [] : ['after the loss of the tables not everything was sent again'];
  return [...complaints, ...checkReceivers(trial.receivers, trial.operationIds)];
}

function repeats({ receivers }: WebhookTrial): number {
  return receivers.reduce((sum, { requests, received }) => sum + requests - received.size, 0);
}
