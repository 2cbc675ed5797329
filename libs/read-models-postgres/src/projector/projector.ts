import { ConsumerGroup, LeadingTask, type ConsumerLog } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { PostgresLeases } from '@tillstream/postgres-driver';
import {
  isOutdated,
  ListConsumer,
  PROJECTIONS,
  PROJECTOR_LEASE,
  RunningRebuilds,
  tableShape,
  type ProjectionName,
  type ReadModelsLog,
  type RebuildOptions,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { LEASES } from '../control/control.tables.js';
import type { Generation } from '../control/generation.js';
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
const REBUILD_RETRY_MS = 10_000;

/**
 * Keeps every list at the head of the store. Each list is a consumer of one group, which one process of all machines leads at a
 * time. The leader also rebuilds outdated generations, and removes unused ones.
 */
export class Projector {
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  readonly #rebuilds: RunningRebuilds;
  /** When to try a failed rebuild again, ms of `performance.now()`. */
  readonly #retryAt = new Map<ProjectionName, number>();
  readonly #background = new Set<Promise<unknown>>();
  #isStopped = false;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ProjectorParts) {
    const { store, control, open, log, pageSize } = parts;
    this.#rebuilds = new RunningRebuilds({ log, now: () => performance.now() });
    const listOf = (name: ProjectionName): PostgresList => new PostgresList(name, control, open);
    this.#lists = new Map(
      PROJECTIONS.map((name) => [name, new ListConsumer(name, { store, list: listOf(name), log, pageSize })]),
    );
    const consumerLog = this.#consumerLog();
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
    this.#runInBackground(this.#startGroup());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#rebuilds.abortAll();
    await this.#group.stop();
    await Promise.allSettled(this.#background);
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#rebuilds.list();
  }

  rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    const { store, control, open, pageSize } = this.parts;
    const parts = { store, control, databases: open.databases, pageSize };
    const result = this.#rebuilds.run(projection, options, (running) => rebuild(parts, projection, running));
    this.#runInBackground(result);
    return result;
  }

  async #startGroup(): Promise<void> {
    await this.#group.start();
    if (this.#isStopped || this.#group.leads) return;
    // Another process has the lease. It may have been killed, so this one catches up without the lease.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.#logFailed('projector-failed', error);
    }
  }

  async #maintain(): Promise<'Idle'> {
    const { control } = this.parts;
    const generations = await control.generations();
    for (const projection of PROJECTIONS)
      this.#rebuildIfOutdated(projection, liveOf(generations, projection));
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

  #rebuildIfOutdated(projection: ProjectionName, live: Generation | undefined): void {
    if (!live || !isOutdated(live, this.parts.control.source)) return;
    if (this.#isStopped || this.#rebuilds.has(projection)) return;
    if ((this.#retryAt.get(projection) ?? Number.NEGATIVE_INFINITY) > performance.now()) return;
    const { log } = this.parts;
    log.info('rebuild-began', { projection, from: live.rowsVersion, to: tableShape(projection).rowsVersion });
    this.#runInBackground(this.#rebuildAndLog(projection));
  }

  async #rebuildAndLog(projection: ProjectionName): Promise<void> {
    try {
      const { events, rows, durationMs } = await this.rebuild(projection);
      const fields = { projection, events, rows, durationMs: Math.round(durationMs) };
      this.parts.log.info('rebuild-ended', fields);
    } catch (error) {
      if (this.#isStopped) return;
      this.#retryAt.set(projection, performance.now() + REBUILD_RETRY_MS);
      this.#logFailed('rebuild-failed', error, { projection });
    }
  }

  #consumerLog(): ConsumerLog {
    const { log } = this.parts;
    return {
      halted: (name, reason) => {
        const recorded = this.#lists.get(name)?.recordHalt(reason);
        recorded?.catch((error: unknown) => this.#logFailed('projector-failed', error));
      },
      failing: (name, reason) => {
        if (this.#lists.has(name)) log.failed('projection-failed', { projection: name, reason });
        else log.failed('projector-failed', { reason });
      },
      // The list itself logs both, also after a halt in another process.
      recovered: () => undefined,
      wasReset: () => undefined,
    };
  }

  #runInBackground(work: Promise<unknown>): void {
    this.#background.add(work);
    const forget = (): void => void this.#background.delete(work);
    work.then(forget, forget);
  }

  #logFailed(event: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.parts.log.failed(event, { ...fields, reason: errorMessage(error) });
  }
}
