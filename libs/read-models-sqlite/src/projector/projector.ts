import type { EventStore } from '@tillstream/event-store';
import { ConsumerGroup, type ConsumerLog } from '@tillstream/event-consumers';
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
const POLL_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 15_000;
const REBUILD_RETRY_MS = 10_000;

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
  /** When to try a failed rebuild again, ms since 1970. */
  readonly #retryAt = new Map<ProjectionName, number>();
  readonly #rebuilds: RunningRebuilds;
  readonly #background = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #cleanedUpAt = -Infinity;

  constructor(private readonly options: ProjectorOptions) {
    const { directory, source, store, log, pageSize } = options;
    this.#control = new ControlDatabase(directory, source, log);
    this.#open = new OpenGenerations(this.#control);
    this.#checkpointer = new WalCheckpointer(this.#open);
    const { onRebuilds: onChange } = options;
    this.#rebuilds = new RunningRebuilds({
      log,
      now: () => performance.now(),
      ...(onChange && { onChange }),
    });
    const listOf = (name: ProjectionName) => new SqliteList(name, this.#control, this.#open);
    this.#lists = new Map(
      PROJECTIONS.map((name) => [name, new ListConsumer(name, { store, list: listOf(name), log, pageSize })]),
    );
    this.#group = new ConsumerGroup({
      store,
      leases: new SqliteLeases(this.#control),
      lease: PROJECTOR_LEASE,
      consumers: [...this.#lists.values()],
      log: this.#consumerLog(),
    });
  }

  start(): void {
    this.#runInBackground(this.#startGroup());
    this.#timer = setInterval(() => {
      if (this.#group.leads) this.#maintain();
    }, POLL_INTERVAL_MS);
    this.#checkpointer.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#checkpointer.stop();
    this.#rebuilds.abortAll();
    await this.#group.stop();
    await Promise.allSettled(this.#background);
    this.#open.close();
    this.#control.close();
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#rebuilds.list();
  }

  async rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    const { store, pageSize } = this.options;
    const parts = { store, control: this.#control, pageSize };
    const result = this.#rebuilds.run(projection, options, (running) => rebuild(parts, projection, running));
    this.#runInBackground(result);
    return result;
  }

  async #startGroup(): Promise<void> {
    await this.#group.start();
    if (this.#isStopped) return;
    if (this.#group.leads) return this.#maintain();
    // Another process has the lease. It may have been killed, so this one catches up without the lease.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.#logFailed('projector-failed', error);
    }
  }

  #maintain(): void {
    try {
      for (const projection of PROJECTIONS) this.#rebuildIfNeeded(projection);
      const now = performance.now();
      if (now < this.#cleanedUpAt + CLEANUP_INTERVAL_MS) return;
      this.#cleanedUpAt = now;
      cleanUpGenerations(this.#control);
      this.#runInBackground(this.#advanceCheckpoints());
    } catch (error) {
      this.#logFailed('projector-failed', error);
    }
  }

  /** Does not log errors: the consumers use the same store and files and report them. */
  async #advanceCheckpoints(): Promise<void> {
    for (const list of this.#lists.values()) {
      if (this.#isStopped) return;
      await list.advancePastOtherCategories().catch(() => undefined);
    }
  }

  #rebuildIfNeeded(projection: ProjectionName): void {
    if (this.#rebuilds.has(projection) || (this.#retryAt.get(projection) ?? 0) > Date.now()) return;
    const live = this.#control.live(projection);
    const isNeeded = live ? isOutdated(live, this.options.source) : this.#control.isDamaged(projection);
    if (!isNeeded) return;
    this.options.log.info('rebuild-began', {
      projection,
      ...(live && { from: live.rowsVersion }),
      to: tableShape(projection).rowsVersion,
    });
    this.#runInBackground(this.#rebuildAndLog(projection));
  }

  async #rebuildAndLog(projection: ProjectionName): Promise<void> {
    try {
      const { events, rows, durationMs } = await this.rebuild(projection);
      const fields = { projection, events, rows, durationMs: Math.round(durationMs) };
      this.options.log.info('rebuild-ended', fields);
    } catch (error) {
      if (this.#isStopped) return;
      this.#retryAt.set(projection, Date.now() + REBUILD_RETRY_MS);
      this.#logFailed('rebuild-failed', error, { projection });
    }
  }

  #consumerLog(): ConsumerLog {
    const { log } = this.options;
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
    this.options.log.failed(event, { ...fields, reason: errorMessage(error) });
  }
}
