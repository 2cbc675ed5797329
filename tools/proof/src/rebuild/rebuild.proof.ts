import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withHistories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import { describeRun, runTool, type ToolRun } from '../processes/tool.process.js';
import { type Proof, roundCount } from '../proof.types.js';
import { ApiClient } from '../support/api.client.js';
import { isEmpty, poll } from '../support/concurrency.js';
import {
  type Deployment,
  longDeadlines,
  newDeployment,
  sandboxFacts,
  terminalIds,
} from '../support/deployment.js';
import { SteadyLoad } from '../support/steady.load.js';
import { SteadyReads } from './steady.reads.js';

const TERMINALS = 48;
export const rebuild: Proof = {
  name: 'rebuild',
  claim:
    'lists are rebuilt under load without a gap, and a killed rebuild or service leaves nothing behind (rounds: kills)',
  async run(options) {
    const { quick, say } = options;
    const kills = roundCount(options, 20, 2);
    const deployment = newDeployment(TERMINALS, {
      ...longDeadlines(quick ? 1_500 : 5_000),
      LATE_CHECKS_MS: '300',
    });
    const perSecond = quick ? 40 : 200;
    const service = await ServiceProcess.start(deployment);
    // In the tests, other specs use the cores too.
    const trial = new RebuildTrial(deployment, service, quick ? 5_000 : 1_000);
    try {
      await trial.load.make(quick ? 100 : 5_000);
      say(`${trial.load.answered.size} operations are there`);
      const [startedAt, before] = [performance.now(), trial.load.answered.size];
      trial.load.start(perSecond);
      trial.reads.start();
      await trial.rebuild();
      for (let kill = 0; kill < kills; kill++) {
        await trial.rebuildKilled();
        if (kill % 5 !== 4) continue;
        await trial.rebuild();
        say(`${trial.kills} kills, ${trial.swaps.length} swaps${trial.lastComplaint}`);
      }
      await trial.rebuild();
      const seconds = (performance.now() - startedAt) / 1_000;
      const written = trial.load.answered.size - before;
      await trial.load.stop();
      if (!quick) await trial.check();
      for (let kill = 0; kill < (quick ? 1 : 6); kill++) await trial.killService(perSecond, !quick);
      say(`${trial.serviceKills} services killed, taken over in ${trial.slowestTakeOverMs} ms at most`);
      await trial.reads.stop();
      await trial.check();
      if (!quick) await setTimeout(RETIRED_GENERATION_MS + 6_000);
      await trial.checkLeftoverFiles();
      await trial.checkListings();
      const { load, reads } = trial;
      return {
        complaints: [...trial.complaints, ...load.failures, ...reads.failures],
        figures: {
          operations: load.answered.size,
          'writes a second': Math.round(written / seconds),
          swaps: trial.swaps.length,
          kills: trial.kills,
          'services killed': trial.serviceKills,
          'taken over after ms': trial.slowestTakeOverMs,
          reads: reads.count,
          'failed reads': reads.failures.length,
          'slowest read ms': reads.slowestMs,
          'one rebuild ms': trial.rebuildMs,
        },
      };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};

const PROJECTION = 'transactions';
const CATCH_UP_TIMEOUT_MS = 60_000;
const CLEANUP_TIMEOUT_MS = 15_000;
/** Operations that are checked after a kill: more than can have been in flight. */
const LAST = 500;
/** A replaced generation stays so long, because a reader may still use it. */
const RETIRED_GENERATION_MS = 60_000;
/** The tool prints it after the swap. */
const SWAPPED = 'live now';
const GENERATION = /^([a-z_]+)-(\d+)\.db(-wal|-shm|-journal)?$/;

class RebuildTrial {
  readonly complaints: string[] = [];
  kills = 0;
  serviceKills = 0;
  slowestTakeOverMs = 0;
  rebuildMs = 0;
  readonly load: SteadyLoad;
  readonly reads: SteadyReads;
  readonly swaps: number[] = [];
  private readonly services: ServiceProcess[] = [];

  constructor(
    private readonly deployment: Deployment,
    first: ServiceProcess,
    timeoutMs: number,
  ) {
    this.services.push(first);
    const calls = new ApiClient(sandboxFacts(deployment));
    const origins = (): string[] =>
      this.services.filter(({ running }) => running).map(({ origin }) => origin);
    this.load = new SteadyLoad(calls, origins, terminalIds(deployment));
    this.reads = new SteadyReads(calls, origins, this.load.answered, timeoutMs);
  }

  get lastComplaint(): string {
    const { length } = this.complaints;
    return length === 0 ? '' : `, ${length} complaints, the last: ${this.complaints[length - 1]}`;
  }

  async rebuild(): Promise<void> {
    const run = await this.run();
    if (run.code === 0) {
      this.swaps.push(Date.now());
      this.rebuildMs = Math.round(run.ms);
    } else this.complaints.push(`rebuild: ${describeRun(run)}`);
    await this.checkListings();
  }

  /** Kills a rebuild at a random moment, at times right after its swap. */
  async rebuildKilled(): Promise<void> {
    const run = await this.run(Math.random() * Math.max(300, this.rebuildMs));
    if (run.code === null) this.kills++;
    if (run.code === 0 || (run.code === null && run.output.includes(SWAPPED))) this.swaps.push(Date.now());
    else if (run.code !== null) this.complaints.push(`rebuild that was not killed yet: ${describeRun(run)}`);
  }

  async checkListings(): Promise<void> {
    for (const { origin } of this.services) this.complaints.push(...(await this.reads.wrongListings(origin)));
  }

  /** Call it while no client sends requests. */
  async check(): Promise<void> {
    const left = await withHistories(this.deployment, (histories) =>
      histories.waitUntilNoWorkIsLeft(CATCH_UP_TIMEOUT_MS),
    );
    this.complaints.push(...left.map((what) => `${what} is left over`));
    const run = await runTool(this.deployment, 'rebuild', ['--all', '--check']);
    if (run.code !== 0) this.complaints.push(`incremental and rebuilt are not equal: ${describeRun(run)}`);
  }

  /** Kills the oldest process, which leads the projection, under load; the other one takes over. */
  async killService(writesPerSecond: number, replaced: boolean): Promise<void> {
    if (this.services.length < 2) await this.startAnother();
    this.load.start(writesPerSecond);
    await setTimeout(500 + Math.random() * 1_000);
    const [killed] = this.services.splice(0, 1);
    await killed?.kill();
    this.serviceKills++;
    await this.load.stop();
    const startedAt = performance.now();
    await this.waitUntilListed();
    this.slowestTakeOverMs = Math.max(this.slowestTakeOverMs, Math.round(performance.now() - startedAt));
    if (replaced) await this.startAnother();
  }

  /** The last operations of the events, also those without a response. */
  private async waitUntilListed(): Promise<void> {
    const operations = await withHistories(this.deployment, (histories) => histories.paymentOperations());
    const ids = operations.filter(({ kind }) => kind !== 'Reversal').map(({ id }) => id);
    for (const id of ids) if (!this.load.answered.has(id)) this.load.answered.set(id, undefined);
    const origin = this.services[0]?.origin ?? '';
    const unlisted = () => this.reads.unlisted(origin, ids.slice(-LAST));
    this.complaints.push(...(await poll(unlisted, isEmpty, CATCH_UP_TIMEOUT_MS, 50)));
  }

  /** Restarts one service. Then the directory has only live generations and those replaced a minute ago. */
  async checkLeftoverFiles(): Promise<void> {
    await this.stop();
    this.services.splice(0);
    await this.startAnother();
    this.complaints.push(...(await poll(() => this.leftOver(), isEmpty, CLEANUP_TIMEOUT_MS, 200)));
  }

  async stop(): Promise<void> {
    await Promise.all([this.load.stop(), this.reads.stop()]);
    await Promise.all(this.services.map((service) => service.stop()));
  }

  private leftOver(): string[] {
    const generations = new Map<string, Set<string>>();
    const strange: string[] = [];
    for (const name of readdirSync(join(this.deployment.dataDir, 'read-models'))) {
      const [, projection = '', generation = ''] = GENERATION.exec(name) ?? [];
      if (projection === '') {
        if (!/^control\.db(-wal|-shm)?$/.test(name)) strange.push(`read-models/${name} is nothing known`);
      } else generations.set(projection, (generations.get(projection) ?? new Set()).add(generation));
    }
    const lately = this.swaps.filter((at) => Date.now() - at < RETIRED_GENERATION_MS + 5_000).length;
    const tooMany = [...generations].flatMap(([projection, { size }]) => {
      const allowed = 1 + (projection === PROJECTION ? lately : 0);
      return size > allowed
        ? [`read-models/ has ${size} generations of ${projection}, ${allowed} may be`]
        : [];
    });
    return [...strange, ...tooMany];
  }

  private run(killAfterMs?: number): Promise<ToolRun> {
    return runTool(this.deployment, 'rebuild', ['--projection', PROJECTION], killAfterMs);
  }

  private async startAnother(): Promise<void> {
    this.services.push(await ServiceProcess.start(this.deployment));
  }
}
