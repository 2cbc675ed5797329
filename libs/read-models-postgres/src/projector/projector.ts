import { ConsumerGroup, LeadingTask } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { PostgresLeases } from '@tillstream/postgres-driver';
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
import { LEASES } from '../control/control.tables.js';
import { cleanUpGenerations } from '../control/generation.build.js';
import { liveOf, type ListControl } from '../control/list.control.js';
import type { OpenGenerations } from '../control/open.generations.js';
import { PostgresList } from './postgres.list.js';
import { rebuild } from './rebuild.js';

export interface ProjectorParts {
  readonly store: EventStore;
  readonly control: ListControl;
  readonly open: OpenGenerations;
  readonly log: ReadModelsLog;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
}

/** How soon the leader notices generations that need a rebuild. */
const MAINTENANCE_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 15_000;

/**
 * Keeps every list at the head of the store. Each list is a consumer of one group, which one process of all machines leads at a
 * time. The leader also rebuilds outdated generations, and removes unused ones.
 */
export class Projector {
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  readonly #rebuilds: ListRebuilds;
  #started: Promise<void> | undefined;
  #isStopped = false;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ProjectorParts) {
    const { store, control, open, log, pageSize } = parts;
    const rebuildParts = { store, control, databases: open.databases, pageSize };
    this.#rebuilds = new ListRebuilds({
      rebuild: (projection, running) => rebuild(rebuildParts, projection, running),
      log,
      now: () => performance.now(),
    });
    const listOf = (name: ProjectionName): PostgresList => new PostgresList(name, control, open);
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
      leases: new PostgresLeases(control.database, LEASES),
      lease: PROJECTOR_LEASE,
      consumers: [...this.#lists.values()],
      tasks: [maintenance],
      log: consumerLog,
    });
  }

  start(): void {
    this.#started = this.#startGroup();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#rebuilds.stop(), this.#group.stop(), this.#started]);
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
      this.parts.log.failed('projector-failed', { reason: errorMessage(error) });
    }
  }

  async #maintain(): Promise<'Idle'> {
    const { control } = this.parts;
    const generations = await control.generations();
    for (const projection of PROJECTIONS) {
      const live = liveOf(generations, projection);
      if (live && isOutdated(live, control.source)) this.#rebuilds.begin(projection, live.rowsVersion);
    }
    const now = performance.now();
    if (now < this.#cleanedUpAt + CLEANUP_INTERVAL_MS) return 'Idle';
    this.#cleanedUpAt = now;
    await cleanUpGenerations(control);
    for (const list of this.#lists.values()) {
      // The consumers use the same store and tables and report their errors.
      if (!this.#isStopped) await list.advancePastOtherCategories().catch(() => undefined);
    }
    return 'Idle';
  }
}
