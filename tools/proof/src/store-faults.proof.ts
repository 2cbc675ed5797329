import { setTimeout } from 'node:timers/promises';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
  type FaultTarget,
  type ObservedCall,
  type ServerFault,
} from '@tillstream/event-store-testing/eventstoredb';
import { approvedIn, ask, isDefinite, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine, together, type Examined } from './examination.js';
import { frozenStore } from './frozen-store.trial.js';
import { Histories } from './histories.js';
import { inLanes } from './lanes.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, terminalsOf, type Site } from './site.js';

const FAULTS: Readonly<Record<string, (server: EventStoreDbDouble) => ServerFault>> = {
  'connection dropped': () => ({ kind: 'DropConnection' }),
  'dropped in the middle': () => ({ kind: 'DropConnection', afterEvents: 1 }),
  'not ready': () => ({ kind: 'NotReady' }),
  'timeout told': () => ({ kind: 'Refuse', code: 10, details: 'Forwarding timeout' }),
  delayed: () => ({ kind: 'Delay', ms: 3 * STORE_DEADLINE_MS }),
  silent: () => ({ kind: 'Silence' }),
  'not the leader': ({ port }) => ({ kind: 'NotLeader', leader: { address: '127.0.0.1', port } }),
  'answer lost, dropped': () => ({ kind: 'LoseAnswer', then: 'drop' }),
  'answer lost, silent': () => ({ kind: 'LoseAnswer', then: 'silence' }),
  'late, before its repeat': () => ({ kind: 'CommitLate', then: 'silence', order: 'beforeRepeat' }),
  'late, after its repeat': () => ({ kind: 'CommitLate', then: 'silence', order: 'afterRepeat' }),
};

const follows =
  (revision: ObservedCall['expected']) =>
  ({ expected }: ObservedCall): boolean =>
    expected === revision;
const payment = /^payment-/;

/** Each call to the store on the way of a sale and of a refund of it, by the revision that it follows. */
const STEPS: Readonly<Record<string, FaultTarget>> = {
  'the claim of the reference': { call: 'batchAppend', stream: /^reference-/ },
  'the request': { call: 'batchAppend', stream: payment, when: follows('none') },
  'the outcome': { call: 'batchAppend', stream: payment, when: follows(1) },
  "the resolver's outcome": { call: 'batchAppend', stream: payment, when: follows(2) },
  'the load of the original': { call: 'read', stream: payment },
  'the request of the refund': { call: 'batchAppend', stream: payment, when: follows(3) },
  'the outcome of the refund': { call: 'batchAppend', stream: payment, when: follows(5) },
  'the feed of open work': { call: ['read', 'subscribe'], stream: '$all' },
};

const STORE_DEADLINE_MS = 400;
const LANES = 4;
const QUICK_SERVICES = 3;
const IN_FLIGHT = 10;
/** Appends that are repeated, the terminal's deadline and what a busy machine adds: far more is a hang. */
const ANSWERED_WITHIN_MS = 12_000;
const STEP_WITHIN_MS = 60_000;
/** Longer than the resolver's first look takes. */
const POLLS = 50;
const POLL_MS = 50;
const INSISTED_FOR_MS = 60_000;
const RESOLVED_WITHIN_MS = 60_000;
/** It never gets an answer, though the money moved: the resolver has to find out. */
const UNANSWERED = 920_001;

export const storeFaults: Proof = {
  name: 'store-faults',
  claim:
    'whatever EventStoreDB does at any step of a payment, also standing still while clients repeat under their keys, it is done once or found out later, and no client is told otherwise (rounds: payments per fault and step, and times that it stands still)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundsOf(options, 20, 1);
    const faults = Object.keys(FAULTS);
    // Each fault with a service of its own; in the short version, which spares starts, a service has several in turn.
    const turns = options.quick ? dealt(faults, QUICK_SERVICES) : faults.map((fault) => [fault]);
    const outcomes = await inLanes(turns, LANES, (some) => suffer(some, payments, options));
    const frozen = await frozenStore(roundsOf(options, 10, 2), options.say);
    const { complaints, ...figures } = together([...outcomes, frozen]);
    return {
      complaints,
      figures: {
        faults: faults.length,
        steps: Object.keys(STEPS).length,
        'faults met': outcomes.reduce((sum, { met }) => sum + met, 0),
        ...figures,
        'said while it stood still': Object.entries(frozen.words)
          .map(([word, count]) => `${count} × ${word}`)
          .join(', '),
        'slowest answer ms': Math.max(...outcomes.map(({ slowestMs }) => slowestMs)),
      },
    };
  },
};

interface Outcome extends Examined {
  readonly name: string;
  readonly met: number;
  readonly slowestMs: number;
}

function dealt(faults: readonly string[], hands: number): string[][] {
  return Array.from({ length: hands }, (_, hand) => faults.filter((_fault, index) => index % hands === hand));
}

async function suffer(faults: readonly string[], payments: number, { say }: ProofOptions): Promise<Outcome> {
  const name = faults.join(', ');
  const server = await startEventStoreDbDouble();
  const site = newSite({
    terminals: IN_FLIGHT,
    environment: {
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: server.url,
      EVENTSTOREDB_DEADLINE_MS: String(STORE_DEADLINE_MS),
      // One of the steps has the processor answer nobody, for as long as it takes.
      BREAKER_FAILURES: '0',
    },
  });
  const trial = new Trial(site, server);
  try {
    trial.service = await ServiceProcess.start(site, { port: await freePort() });
    for (const fault of faults)
      for (const step of Object.keys(STEPS)) await trial.step(fault, step, payments);
    await trial.untilResolved();
    await trial.service.stop();
    const examined = await examine(site, trial.asked);
    const complaints = [...trial.complaints, ...examined.complaints];
    say(
      `${name}: met ${trial.met} times, ${examined.operations} operations, ${complaints.length} complaints`,
    );
    return { ...examined, complaints, name, met: trial.met, slowestMs: trial.slowestMs };
  } finally {
    await trial.service?.kill();
    await server.close();
    site.remove();
  }
}

class Trial {
  readonly asked: Asked[] = [];
  readonly complaints: string[] = [];
  service: ServiceProcess | undefined;
  met = 0;
  slowestMs = 0;

  constructor(
    private readonly site: Site,
    private readonly server: EventStoreDbDouble,
  ) {}

  /** Payments until the fault was met so often: one of them can end an other's connection before it gets there. */
  async step(fault: string, step: string, times: number): Promise<void> {
    const client = new Client([this.service?.origin ?? ''], factsOf(this.site).apiKey);
    const goal = this.met + times;
    this.injectAt(FAULTS[fault]?.(this.server) ?? { kind: 'NotReady' }, STEPS[step] ?? {});
    for (const until = performance.now() + STEP_WITHIN_MS; this.met < goal && performance.now() < until;) {
      const amount = step === "the resolver's outcome" ? UNANSWERED : 1_000;
      const terminals = terminalsOf(this.site).slice(0, Math.min(IN_FLIGHT, goal - this.met));
      await Promise.all(terminals.map((terminal) => this.sellAndRefund(client, terminal, amount)));
      // The resolver and its feed come to their calls by themselves.
      for (let polls = 0; this.met < goal && polls < POLLS; polls++) await setTimeout(POLL_MS);
    }
    this.server.clearFaults();
    if (this.met < goal)
      this.complaints.push(`${goal - this.met} of ${times} times '${fault}' was not met at ${step}`);
  }

  private async sellAndRefund(client: Client, paymentMethodId: string, amount: number): Promise<void> {
    const approved = approvedIn(await this.insistOn(client, ask('Sale', { amount, paymentMethodId })));
    if (!approved) return;
    await this.insistOn(client, ask('Refund', { originalTransactionId: approved.id, amount: 100 }));
  }

  async untilResolved(): Promise<void> {
    const histories = await Histories.open(this.site);
    const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
    await histories.close();
    this.complaints.push(...open.map((id) => `${id} is open ${RESOLVED_WITHIN_MS} ms after the last fault`));
  }

  /** The first call of its kind on each stream; of those on all streams every second, so that the feed gets on. */
  private injectAt(fault: ServerFault, { when, ...place }: FaultTarget): void {
    const hit = new Set<string>();
    let ofAll = 0;
    const meets = (call: ObservedCall): boolean => {
      if (when?.(call) === false) return false;
      const { stream = '' } = call;
      const isNext = stream === '$all' ? ofAll++ % 2 === 0 : !hit.has(stream);
      hit.add(stream);
      if (isNext) this.met += 1;
      return isNext;
    };
    this.server.inject(fault, { ...place, times: Infinity, when: meets });
  }

  private async insistOn(client: Client, asked: Asked): Promise<Asked> {
    this.asked.push(asked);
    const first = await client.send(asked);
    if (first === undefined) this.complaints.push(`${asked.key} (${asked.kind}) got no answer at all`);
    if (first === undefined || !isDefinite(first)) await client.insist(asked, INSISTED_FOR_MS);
    for (const { sentAt, heardAt } of asked.heard)
      this.slowestMs = Math.max(this.slowestMs, heardAt - sentAt);
    if (this.slowestMs > ANSWERED_WITHIN_MS)
      this.complaints.push(`${asked.key} (${asked.kind}) was answered after ${this.slowestMs} ms`);
    if (!asked.heard.some(isDefinite))
      this.complaints.push(`${asked.key} (${asked.kind}) has no definite answer`);
    return asked;
  }
}
