import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Histories } from './histories.js';
import { MerchantCalls } from './merchant.calls.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, terminalsOf, type Site } from './site.js';
import { SteadyLoad } from './steady.load.js';
import { SteadyLooks } from './steady.looks.js';
import { endOf, runTool, type ToolRun } from './tool.process.js';

const PROJECTION = 'transactions';
const CAUGHT_UP_WITHIN_MS = 60_000;
const CLEANED_WITHIN_MS = 15_000;
/** Operations that are looked for when a process was killed: more than it was killed in the middle of. */
const LAST = 500;
/** So long a generation stays that was live: somebody may be in the middle of reading it. */
export const RETIRED_FOR_MS = 60_000;
/** What it says then. */
const SWAPPED = 'live now';
const GENERATION = /^([a-z_]+)-(\d+)\.db(-wal|-shm|-journal)?$/;

export class RebuildTrial {
  readonly complaints: string[] = [];
  kills = 0;
  serviceKills = 0;
  slowestTakeOverMs = 0;
  rebuildMs = 0;
  readonly load: SteadyLoad;
  readonly looks: SteadyLooks;
  /** When each rebuild swapped. */
  private readonly swaps: number[] = [];
  private readonly services: ServiceProcess[] = [];

  private constructor(
    private readonly site: Site,
    withinMs: number,
    first: ServiceProcess,
  ) {
    this.services.push(first);
    const calls = new MerchantCalls(factsOf(site));
    const origins = (): string[] =>
      this.services.filter(({ running }) => running).map(({ origin }) => origin);
    this.load = new SteadyLoad(calls, origins, terminalsOf(site));
    this.looks = new SteadyLooks(calls, origins, this.load.answered, withinMs);
  }

  static async start(site: Site, withinMs: number): Promise<RebuildTrial> {
    return new RebuildTrial(site, withinMs, await ServiceProcess.start(site, { port: await freePort() }));
  }

  /** For progress. */
  get lastComplaint(): string {
    const { length } = this.complaints;
    return length === 0 ? '' : `, ${length} complaints, the last: ${this.complaints[length - 1]}`;
  }

  get swapped(): number {
    return this.swaps.length;
  }

  /** To its end; then nothing is missing. */
  async rebuild(): Promise<void> {
    const run = await this.run();
    if (run.code === 0) {
      this.swaps.push(Date.now());
      this.rebuildMs = Math.round(run.ms);
    } else this.complaints.push(`rebuild: ${endOf(run)}`);
    await this.nothingIsMissing();
  }

  /** Killed somewhere in the middle, or, where it was quicker, right after its end. */
  async rebuildKilled(): Promise<void> {
    const run = await this.run(Math.random() * Math.max(300, this.rebuildMs));
    if (run.code === null) this.kills++;
    if (run.code === 0 || (run.code === null && run.output.includes(SWAPPED))) this.swaps.push(Date.now());
    else if (run.code !== null) this.complaints.push(`rebuild that was not killed yet: ${endOf(run)}`);
  }

  async nothingIsMissing(): Promise<void> {
    for (const { origin } of this.services) this.complaints.push(...(await this.looks.allOf(origin)));
  }

  /** Call it while nobody asks for anything. */
  async check(): Promise<void> {
    const histories = await Histories.open(this.site);
    const left = await histories.untilNoWorkIsLeft(CAUGHT_UP_WITHIN_MS);
    await histories.close();
    this.complaints.push(...left.map((what) => `${what} is left over`));
    const run = await runTool(this.site, 'rebuild', ['--all', '--check']);
    if (run.code !== 0) this.complaints.push(`incremental and rebuilt are not equal: ${endOf(run)}`);
  }

  /** Kills the process that is there longest, the one that projects, under load: the other one takes over. */
  async killService(writesPerSecond: number, replaced: boolean): Promise<void> {
    if (this.services.length < 2) await this.startAnother();
    this.load.start(writesPerSecond);
    await setTimeout(500 + Math.random() * 1_000);
    const [killed] = this.services.splice(0, 1);
    await killed?.kill();
    this.serviceKills++;
    await this.load.stop();
    const since = performance.now();
    await this.everythingIsListed();
    this.slowestTakeOverMs = Math.max(this.slowestTakeOverMs, Math.round(performance.now() - since));
    if (replaced) await this.startAnother();
  }

  /** The last that the histories have, also what nobody was answered for. */
  private async everythingIsListed(): Promise<void> {
    const histories = await Histories.open(this.site);
    await histories.read();
    const ids = histories
      .all()
      .flatMap(({ state }) => (state.status === 'None' ? [] : state.operations))
      .filter(({ kind }) => kind !== 'Reversal')
      .map(({ id }) => id);
    await histories.close();
    for (const id of ids) if (!this.load.answered.has(id)) this.load.answered.set(id, undefined);
    const until = performance.now() + CAUGHT_UP_WITHIN_MS;
    for (;;) {
      const missing = await this.looks.missingOf(this.services[0]?.origin ?? '', ids.slice(-LAST));
      if (missing.length === 0) return;
      if (performance.now() > until) return void this.complaints.push(...missing);
      await setTimeout(50);
    }
  }

  /** Stops all, starts one: then nothing is in the directory but what is live, or was a minute ago. */
  async leavesNothing(): Promise<void> {
    await this.stop();
    this.services.splice(0);
    await this.startAnother();
    const until = performance.now() + CLEANED_WITHIN_MS;
    for (;;) {
      const left = this.leftOver();
      if (left.length === 0) return;
      if (performance.now() > until) return void this.complaints.push(...left);
      await setTimeout(200);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.load.stop(), this.looks.stop()]);
    await Promise.all(this.services.map((service) => service.stop()));
  }

  private leftOver(): string[] {
    const generations = new Map<string, Set<string>>();
    const strange: string[] = [];
    for (const name of readdirSync(join(this.site.dataDir, 'read-models'))) {
      const [, projection = '', generation = ''] = GENERATION.exec(name) ?? [];
      if (projection === '') {
        if (!/^control\.db(-wal|-shm)?$/.test(name)) strange.push(`read-models/${name} is nothing known`);
      } else generations.set(projection, (generations.get(projection) ?? new Set()).add(generation));
    }
    const lately = this.swaps.filter((at) => Date.now() - at < RETIRED_FOR_MS + 5_000).length;
    const tooMany = [...generations].flatMap(([projection, { size }]) => {
      const allowed = 1 + (projection === PROJECTION ? lately : 0);
      return size > allowed
        ? [`read-models/ has ${size} generations of ${projection}, ${allowed} may be`]
        : [];
    });
    return [...strange, ...tooMany];
  }

  private run(killAfterMs?: number): Promise<ToolRun> {
    const options = killAfterMs === undefined ? {} : { killAfterMs };
    return runTool(this.site, 'rebuild', ['--projection', PROJECTION], options);
  }

  private async startAnother(): Promise<void> {
    this.services.push(await ServiceProcess.start(this.site, { port: await freePort() }));
  }
}
