import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
  type FaultTarget,
  type ObservedCall,
  type ServerFault,
} from '@tillstream/event-store-testing/eventstoredb';
import { mergeReports, type NamedReport } from '../audit/deployment.audit.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import {
  approvedTransaction,
  hasDefiniteResponse,
  isDefinite,
  type ClientRequest,
} from '../support/client.request.js';
import { inParallel, poll } from '../support/concurrency.js';
import { newDeployment, terminalIds, type Deployment } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';
import { frozenStore } from './frozen-store.trial.js';

const FAULTS: Readonly<Record<string, (server: EventStoreDbDouble) => ServerFault>> = {
  'connection dropped': () => ({ kind: 'DropConnection' }),
  'dropped in the middle': () => ({ kind: 'DropConnection', afterEvents: 1 }),
  'not ready': () => ({ kind: 'NotReady' }),
  'timeout reported': () => ({ kind: 'Refuse', code: 10, details: 'Forwarding timeout' }),
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

/** The store calls of a sale and its refund, each by the revision that it follows. */
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
const CONCURRENCY = 4;
const QUICK_SERVICES = 3;
const IN_FLIGHT = 10;
/** Repeated appends, the terminal's deadline and the delay of a busy machine; far more is a hang. */
const RESPONSE_TIMEOUT_MS = 12_000;
const STEP_TIMEOUT_MS = 60_000;
/** Longer than the resolver's first inquiry takes. */
const RESOLVER_CALL_MS = 2_500;
const INSISTED_FOR_MS = 60_000;
const RESOLUTION_TIMEOUT_MS = 60_000;
/** The sandbox never answers this amount, though the money moves: the resolver must find the outcome. */
const UNANSWERED = 920_001;

export const storeFaults: Proof = {
  name: 'store-faults',
  claim:
    'after any fault of EventStoreDB at any step of a payment, also a freeze while clients repeat requests, the payment is made once or resolved later, and no response is wrong (rounds: payments per fault and step, and freezes)',
  least: { 'faults met': 1 },
  async run(options) {
    const payments = roundCount(options, 20, 1);
    const faults = Object.keys(FAULTS);
    // Each fault has its own service; in the short version, a service has several faults in turn.
    const turns = options.quick ? partition(faults, QUICK_SERVICES) : faults.map((fault) => [fault]);
    const reports = await inParallel(turns, CONCURRENCY, (some) => runWithFaults(some, payments, options));
    const frozen = await frozenStore(roundCount(options, 10, 2), options.say);
    const { complaints, figures } = mergeReports([...reports, frozen]);
    return {
      complaints,
      figures: {
        faults: faults.length,
        steps: Object.keys(STEPS).length,
        ...figures,
        'responses during freezes': frozen.responseCounts,
      },
    };
  },
};

function partition(faults: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, part) => faults.filter((_fault, index) => index % count === part));
}

async function runWithFaults(
  faults: readonly string[],
  payments: number,
  { say }: ProofOptions,
): Promise<NamedReport> {
  const name = faults.join(', ');
  const server = await startEventStoreDbDouble();
  const deployment = newDeployment(IN_FLIGHT, {
    EVENT_STORE: 'eventstoredb',
    EVENTSTOREDB_URL: server.url,
    EVENTSTOREDB_DEADLINE_MS: String(STORE_DEADLINE_MS),
    // In one step the processor never answers, which must not open the breaker.
    BREAKER_FAILURES: '0',
  });
  const trial = new FaultTrial(deployment, server);
  let service: ServiceProcess | undefined;
  try {
    service = await ServiceProcess.start(deployment);
    const client = trial.client(service.origin);
    for (const fault of faults)
      for (const step of Object.keys(STEPS)) await trial.step(client, fault, step, payments);
    await trial.untilResolved(RESOLUTION_TIMEOUT_MS);
    await service.stop();
    const { complaints, figures } = await trial.audit();
    const { met, slowestMs } = trial;
    const operations = figures['operations'];
    say(`${name}: met ${met} times, ${operations} operations, ${complaints.length} complaints`);
    return { name, complaints, figures: { 'faults met': met, 'slowest answer ms': slowestMs, ...figures } };
  } finally {
    await service?.kill();
    await server.close();
    deployment.remove();
  }
}

class FaultTrial extends PaymentTrial {
  met = 0;
  slowestMs = 0;

  constructor(
    deployment: Deployment,
    private readonly server: EventStoreDbDouble,
  ) {
    super(deployment);
  }

  /**
   * Makes payments until the fault has occurred `times` times: one fault can break the connection of another payment.
   */
  async step(client: PaymentClient, fault: string, step: string, times: number): Promise<void> {
    const goal = this.met + times;
    const isMet = (): boolean => this.met >= goal;
    this.injectAt(FAULTS[fault]?.(this.server) ?? { kind: 'NotReady' }, STEPS[step] ?? {});
    for (const until = performance.now() + STEP_TIMEOUT_MS; !isMet() && performance.now() < until;) {
      const amount = step === "the resolver's outcome" ? UNANSWERED : 1_000;
      const terminals = terminalIds(this.deployment).slice(0, goal - this.met);
      await Promise.all(terminals.map((terminal) => this.sellAndRefund(client, terminal, amount)));
      // The resolver makes its calls without a request of a client.
      await poll(isMet, Boolean, RESOLVER_CALL_MS, 50);
    }
    this.server.clearFaults();
    this.check(isMet(), `${goal - this.met} of ${times} times '${fault}' was not met at ${step}`);
  }

  private async sellAndRefund(client: PaymentClient, paymentMethodId: string, amount: number): Promise<void> {
    const sale = client.newRequest('Sale', { amount, paymentMethodId });
    await this.sendUntilDefinite(client, sale);
    const approved = approvedTransaction(sale);
    if (!approved) return;
    const refund = client.newRequest('Refund', { originalTransactionId: approved.id, amount: 100 });
    await this.sendUntilDefinite(client, refund);
  }

  /** The fault hits the first call on each stream, and every second call on $all so that the feed makes progress. */
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

  private async sendUntilDefinite(client: PaymentClient, request: ClientRequest): Promise<void> {
    const name = `${request.key} (${request.kind})`;
    const first = await client.send(request);
    this.check(first !== undefined, `${name} got no answer at all`);
    if (!first || !isDefinite(first)) await client.insist(request, INSISTED_FOR_MS);
    for (const { sentAt, receivedAt } of request.responses)
      this.slowestMs = Math.max(this.slowestMs, receivedAt - sentAt);
    this.check(this.slowestMs <= RESPONSE_TIMEOUT_MS, `${name} was answered after ${this.slowestMs} ms`);
    this.check(hasDefiniteResponse(request), `${name} has no definite answer`);
  }
}
