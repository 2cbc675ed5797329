import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { checkBatches } from '../batch-close/batch.checker.js';
import { KilledCloser } from '../processes/killed.closer.js';
import { ServiceProcess } from '../processes/service.process.js';
import { describeRun, runTool } from '../processes/tool.process.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { pickOne, poll, randomUpTo, Repetition } from '../support/concurrency.js';
import { newDeployment, type Deployment } from '../support/deployment.js';
import { PaymentTrial } from '../support/payment.trial.js';
import { advanceClock } from '../support/sandbox.clock.js';
import { listErrors, readLists, type ListedSettlements } from './listed.settlements.js';
import { settlementErrors } from './settlement.checker.js';
import { SettlementRecords } from './settlement.records.js';
import { payAtShops } from './shop.load.js';
import { openShops, Operator, type Shop } from './shops.js';

const LANES_PER_CURRENCY = 3;
const CLOSING_PAUSE_MAX_MS = 700;
/** Moves of the clock among the closings. */
const CUT_OFF_SHARE = 0.2;
/** Less than the life of an idempotency key, so that a repeated request keeps its operation. */
const CUT_OFF_S = 20 * 3_600;
/** A month ends in this time. */
const MONTH_S = 32 * 24 * 3_600;
/** Longer than a weekend with holidays, after which cards are funded. */
const FUNDING_S = 8 * 24 * 3_600;
const SETTLED_TIMEOUT_MS = 300_000;
const RESOLUTION_TIMEOUT_MS = 120_000;

const isNone = (left: number): boolean => left === 0;

export const settlements: Proof = {
  name: 'settlements',
  claim:
    'while the settlement projector is killed and payments go on, each closed batch is settled once and whole, with fees to the cent, and the lists show it (rounds: payments)',
  least: { kills: 3, 'closings hit by a kill': 1, settlements: 6, items: 150, 'months charged': 2 },
  async run(options) {
    const trial = new SettlementTrial(options);
    try {
      await trial.start();
      await trial.payUnderKills();
      await trial.settleAll();
      const lists = await trial.readLists();
      await trial.stop();
      return await trial.finish(lists);
    } finally {
      await trial.stop();
      trial.deployment.remove();
    }
  },
};

class SettlementTrial {
  readonly deployment = newDeployment(0);
  private readonly trial = new PaymentTrial(this.deployment);
  private readonly kills: number;
  private api: ServiceProcess | undefined;
  private closer: KilledCloser | undefined;
  private shops: readonly Shop[] = [];

  constructor(private readonly options: ProofOptions) {
    this.kills = options.quick ? 3 : 50;
  }

  async start(): Promise<void> {
    this.api = await ServiceProcess.start(this.deployment);
    this.shops = await openShops(this.deployment, this.origin, this.trial.requests, LANES_PER_CURRENCY);
    this.closer = new KilledCloser(this.deployment, this.options.say);
  }

  /** An operator closes batches and the clock passes cut-offs all the time. */
  async payUnderKills(): Promise<void> {
    const { shops, options } = this;
    const operator = new Operator(this.deployment, this.origin);
    const closings = new EventEmitter();
    const closing = new Repetition(async () => {
      await setTimeout(randomUpTo(CLOSING_PAUSE_MAX_MS));
      if (Math.random() < CUT_OFF_SHARE) await advanceClock(this.deployment, this.origin, CUT_OFF_S, false);
      else {
        closings.emit('requested');
        await operator.closeBatches(pickOne(shops as [Shop, ...Shop[]]).merchantId);
      }
    });
    const killing = this.closer?.kill(this.kills, () => once(closings, 'requested'));
    await payAtShops(shops, roundCount(options, 20_000, 300), options.say);
    await killing;
    await closing.stop();
    options.say('all payments were made');
    await this.trial.untilResolved(RESOLUTION_TIMEOUT_MS);
  }

  /** Until a month has ended, no batch has an item, every settlement is funded, and nothing is due. */
  async settleAll(): Promise<void> {
    const operator = new Operator(this.deployment, this.origin);
    const closeAll = async (): Promise<void> => {
      const close = async (): Promise<number> => {
        const left = await Promise.all(this.shops.map(({ merchantId }) => operator.closeBatches(merchantId)));
        return left.reduce((sum, one) => sum + one, 0);
      };
      const open = await poll(close, isNone, SETTLED_TIMEOUT_MS);
      this.trial.check(open === 0, `${open} batches were not closed in time: ${this.log}`);
    };
    const pass = async (seconds: number): Promise<void> => {
      const move = async (by: number): Promise<number> =>
        (await advanceClock(this.deployment, this.origin, by))?.pending ?? -1;
      const pending = await move(seconds);
      const left = pending === 0 ? 0 : await poll(() => move(1), isNone, SETTLED_TIMEOUT_MS);
      this.trial.check(left === 0, `${left} pieces of work were left of what was due: ${this.log}`);
    };
    await pass(CUT_OFF_S);
    await closeAll();
    this.options.say('all batches are closed');
    await pass(MONTH_S);
    await closeAll();
    await pass(FUNDING_S);
  }

  readLists(): Promise<readonly ListedSettlements[]> {
    return Promise.all(this.shops.map((shop) => readLists(this.origin, shop)));
  }

  async stop(): Promise<void> {
    await this.closer?.stop();
    await this.api?.stop();
  }

  async finish(lists: readonly ListedSettlements[]): Promise<Findings> {
    const { deployment, trial } = this;
    const { records, batches } = await readRecords(deployment);
    const { complaints: wrong, unbatched, ...batched } = batches;
    trial.complaints.push(...wrong, ...settlementErrors(records));
    trial.complaints.push(...lists.flatMap((listed) => listErrors(listed, records)));
    trial.check(unbatched === 0, `${unbatched} items are in no batch`);
    const rows = await runTool(deployment, 'rebuild', ['--all', '--check']);
    trial.check(rows.code === 0, `rows differ from the events: ${describeRun(rows)}`);
    const audit = await runTool(deployment, 'audit', []);
    trial.check(audit.code === 0, `the audit found differences: ${describeRun(audit)}`);
    const fees = lists.flatMap(({ feeCharges }) => feeCharges);
    const { complaints, figures } = await trial.audit();
    return {
      complaints,
      figures: {
        kills: this.kills,
        'closings hit by a kill': hits(records, this.closer?.killedAt ?? []),
        ...batched,
        settlements: records.settlements.size,
        'months charged': [...records.months.values()].filter(({ charged }) => charged === 1).length,
        'fee charges': fees.length,
        'fees in cents': fees.reduce((sum, { amount }) => sum + amount, 0),
        ...figures,
      },
    };
  }

  private get origin(): string {
    return this.api?.origin ?? '';
  }

  private get log(): string {
    return this.closer?.logged.slice(-1_000) ?? '';
  }
}

async function readRecords({ dataDir }: Deployment) {
  const store = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
  try {
    return { records: await SettlementRecords.read(store), batches: await checkBatches(store) };
  } finally {
    await store.close();
  }
}

/** Kills between the start of a batch's closing and the end of its settlements. */
function hits({ batches }: SettlementRecords, killedAt: readonly number[]): number {
  return killedAt.filter((at) =>
    [...batches.values()].some(({ closingAt, settled }) => closingAt <= at && at <= (settled?.at ?? 0)),
  ).length;
}
