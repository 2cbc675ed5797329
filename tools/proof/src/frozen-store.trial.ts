import { setTimeout } from 'node:timers/promises';
import { approvedIn, ask, saidError, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine, type Examined } from './examination.js';
import { Histories } from './histories.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, terminalsOf, type Site } from './site.js';
import { StoreProcess } from './store.process.js';

const CLIENTS = 10;
/** A client that hears nothing for so long sends the same again under its key. */
const CLIENT_WAITS_MS = 1_200;
const PAUSE_MS = 150;
/** Answers after which a client gives up on a request: enough for several while the store stands still. */
const ASKED_AT_MOST = 12;
const FROZEN_MS = 5_500;
const BETWEEN_MS = 1_500;
const RESOLVED_WITHIN_MS = 90_000;

export interface Frozen extends Examined {
  readonly name: string;
  /** How often each word was said. */
  readonly words: Readonly<Record<string, number>>;
}

/** The store stands still (SIGSTOP), again and again, while clients sell, refund, and repeat under their keys. */
export async function frozenStore(times: number, say: (line: string) => void): Promise<Frozen> {
  const store = await StoreProcess.start();
  const site = newSite({
    terminals: CLIENTS,
    environment: {
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: store.url,
      EVENTSTOREDB_DEADLINE_MS: '400',
      BREAKER_FAILURES: '0',
    },
  });
  let service: ServiceProcess | undefined;
  const clients = new RepeatingClients(site);
  try {
    service = await ServiceProcess.start(site, { port: await freePort() });
    clients.start(service.origin);
    for (let time = 1; time <= times; time++) {
      await setTimeout(BETWEEN_MS);
      store.freeze();
      await setTimeout(FROZEN_MS);
      store.thaw();
      say(`frozen ${time} of ${times} times, ${clients.asked.length} requests`);
    }
    await setTimeout(BETWEEN_MS);
    await clients.stop();
    const open = await openAfterAll(site);
    await service.stop();
    const examined = await examine(site, clients.asked);
    const complaints = [...open, ...examined.complaints];
    return { ...examined, name: 'standing still', complaints, words: wordsOf(clients.asked) };
  } finally {
    await clients.stop();
    await service?.kill();
    await store.stop();
    site.remove();
  }
}

async function openAfterAll(site: Site): Promise<string[]> {
  const histories = await Histories.open(site);
  const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
  await histories.close();
  return open.map((id) => `${id} is open ${RESOLVED_WITHIN_MS} ms after the last thaw`);
}

function wordsOf(asked: readonly Asked[]): Record<string, number> {
  const words: Record<string, number> = {};
  for (const heard of asked.flatMap((one) => one.heard)) {
    const error = saidError(heard);
    const word = error ? `${heard.status} ${error.status}` : String(heard.status);
    words[word] = (words[word] ?? 0) + 1;
  }
  return words;
}

/** Each sells and refunds on a terminal of its own, one request at a time, and insists. */
class RepeatingClients {
  readonly asked: Asked[] = [];
  private lanes: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly site: Site) {}

  start(origin: string): void {
    const client = new Client([origin], factsOf(this.site).apiKey);
    const terminals = terminalsOf(this.site).slice(0, CLIENTS);
    this.lanes = Promise.all(terminals.map((terminal) => this.goOn(client, terminal)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes;
  }

  private async goOn(client: Client, paymentMethodId: string): Promise<void> {
    while (!this.stopped) {
      const sale = await this.insist(client, ask('Sale', { amount: 1_000, paymentMethodId }));
      const approved = approvedIn(sale);
      if (!approved) continue;
      await this.insist(client, ask('Refund', { originalTransactionId: approved.id, amount: 100 }));
      await setTimeout(PAUSE_MS);
    }
  }

  /** Until it is told an outcome, whatever it is told before. */
  private async insist(client: Client, asked: Asked): Promise<Asked> {
    this.asked.push(asked);
    for (let time = 1; time <= ASKED_AT_MOST; time++) {
      const heard = await client.send(asked, undefined, CLIENT_WAITS_MS);
      if (heard?.status === 200) break;
      await setTimeout(PAUSE_MS);
    }
    return asked;
  }
}
