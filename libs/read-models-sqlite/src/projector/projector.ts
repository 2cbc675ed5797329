import type { EventStore } from '@tillstream/event-store';
import { ConsumerGroup, LeadingTask } from '@tillstream/event-consumers';
import {
  isOutdated,
  listConsumerLog,
  ListConsumer,
  ListRebuilds,
  PROJECTIONS,
  PROJECTOR_LEASE,
  type ProjectionName,
  type ReadModelsLog,
  type RebuildOptions,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { WalCheckpointer } from '../generations/wal.checkpointer.js';
import { cleanUpGenerations } from '../generations/generation.build.js';
import { ControlDatabase } from '../generations/control.database.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { SqliteLeases } from '../generations/sqlite.leases.js';
import { rebuild } from './rebuild.js';
import { SqliteList } from './sqlite.list.js';

export interface ProjectorOptions {
  readonly directory: string;
  readonly store: EventStore;
  readonly source: string;
  readonly log: ReadModelsLog;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onRebuilds?: (running: readonly RunningRebuild[]) => void;
}

/** How soon the leader notices generations that need a rebuild. */
const MAINTENANCE_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 15_000;

/**
 * Keeps every list at the head of the store. Each list is a consumer of one group, which one process leads at a time. The
 * leader also rebuilds outdated and damaged generations, and removes unused ones.
 */
export class Projector {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;
  readonly #checkpointer: WalCheckpointer;
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  readonly #rebuilds: ListRebuilds;
  #started: Promise<void> | undefined;
  #isStopped = false;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ProjectorOptions) {
    const { directory, source, store, log, pageSize, onRebuilds } = options;
    this.#control = new ControlDatabase(directory, source, log);
    this.#open = new OpenGenerations(this.#control);
    this.#checkpointer = new WalCheckpointer(this.#open);
    const parts = { store, control: this.#control, pageSize };
    this.#rebuilds = new ListRebuilds({
      rebuild: (projection, running) => rebuild(parts, projection, running),
      log,
      now: () => performance.now(),
      ...(onRebuilds && { onChange: onRebuilds }),
    });
    const listOf = (name: ProjectionName) => new SqliteList(name, this.#control, this.#open);
    this.#lists = new Map(
      PROJECTIONS.map((name) => [name, new ListConsumer(name, { store, list: listOf(name), log, pageSize })]),
    );
    const consumerLog = listConsumerLog(this.#lists, log);
    const maintenance = new LeadingTask(
      { name: 'maintenance of lists', everyMs: MAINTENANCE_INTERVAL_MS, run: () => this.#maintain() },
      consumerLog,
    );
    this.#group = new ConsumerGroup({
      store,
      leases: new SqliteLeases(this.#control),
      lease: PROJECTOR_LEASE,
      consumers: [...this.#lists.values()],
      tasks: [maintenance],
      log: consumerLog,
    });
  }

  start(): void {
    this.#started = this.#startGroup();
    this.#checkpointer.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#checkpointer.stop();
    await Promise.all([this.#rebuilds.stop(), this.#group.stop(), this.#started]);
    this.#open.close();
    this.#control.close();
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#rebuilds.list();
  }

  rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    return this.#rebuilds.run(projection, options);
  }

  async #startGroup(): Promise<void> {
    await this.#group.start();
    if (this.#isStopped || this.#group.leads) return;
    // Another process has the lease. It may have been killed, so this one catches up without the lease.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.options.log.failed('projector-failed', { reason: errorMessage(error) });
    }
  }

  async #maintain(): Promise<'Idle'> {
    for (const projection of PROJECTIONS) this.#rebuildIfNeeded(projection);
    const now = performance.now();
    if (now < this.#cleanedUpAt + CLEANUP_INTERVAL_MS) return 'Idle';
    this.#cleanedUpAt = now;
    cleanUpGenerations(this.#control);
    for (const list of this.#lists.values()) {
      // The consumers use the same store and files and report their errors.
      if (!this.#isStopped) await list.advancePastOtherCategories().catch(() => undefined);
    }
    return 'Idle';
  }

  #rebuildIfNeeded(projection: ProjectionName): void {
    const live = this.#control.live(projection);
    const isNeeded = live ? isOutdated(live, this.options.source) : this.#control.isDamaged(projection);
    if (isNeeded) this.#rebuilds.begin(projection, live?.rowsVersion);
  }
}
