import type { EventStore } from '@tillstream/event-store';
import { ConsumerGroup, type ConsumerLog } from '@tillstream/event-consumers';
import {
  PROJECTIONS,
  PROJECTOR_LEASE,
  RebuildRefused,
  tableShape,
  type ProjectionName,
  type ReadModelsLog,
  type RebuildOptions,
  type RebuildResult,
} from '@tillstream/read-models';
import { WalCheckpointer } from '../generations/wal.checkpointer.js';
import { cleanUpGenerations } from '../generations/generation.cleanup.js';
import { ControlDatabase } from '../generations/control.database.js';
import { newHolder } from '../generations/lease.holder.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { SqliteLeases } from '../generations/sqlite.leases.js';
import { warnOnSetAside } from '../damage/damaged-file.js';
import { ListConsumer } from './list.consumer.js';
import { rebuild } from './rebuild.js';

export interface ProjectorOptions {
  readonly directory: string;
  readonly store: EventStore;
  readonly source: string;
  readonly log: ReadModelsLog;
  /** Events handled in one go. */
  readonly pageSize: number;
}

/** How soon what an older program made is noticed. */
const POLL_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 15_000;
const REBUILD_RETRY_MS = 10_000;

/**
 * Brings every list to the head of the store and keeps it there: each is a consumer of one group, which one process at a
 * time leads. The leader also makes anew what an older program made, and tidies up.
 */
export class Projector {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;
  readonly #checkpoints: WalCheckpointer;
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  /** Of a rebuild that failed: when to try again. */
  readonly #notBefore = new Map<ProjectionName, number>();
  readonly #rebuilding = new Map<ProjectionName, AbortController>();
  readonly #background = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #tidiedAt = -Infinity;

  constructor(private readonly options: ProjectorOptions) {
    const { directory, source, store, log, pageSize } = options;
    const control = new ControlDatabase(directory, source, warnOnSetAside(log));
    const open = new OpenGenerations(control);
    this.#control = control;
    this.#open = open;
    this.#checkpoints = new WalCheckpointer(open);
    const parts = { store, control, open, log, pageSize };
    this.#lists = new Map(PROJECTIONS.map((name) => [name, new ListConsumer(name, parts)]));
    this.#group = new ConsumerGroup({
      store,
      leases: new SqliteLeases(control, newHolder()),
      lease: PROJECTOR_LEASE,
      consumers: [...this.#lists.values()],
      log: this.#consumerLog(),
    });
  }

  start(): void {
    this.#inBackground(this.#begin());
    const look = (): void => {
      if (this.#group.leads) this.#lookAfterLists();
    };
    this.#timer = setInterval(look, POLL_INTERVAL_MS);
    this.#checkpoints.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#checkpoints.stop();
    for (const rebuilding of this.#rebuilding.values()) rebuilding.abort();
    await this.#group.stop();
    await Promise.allSettled(this.#background);
    this.#open.close();
    this.#control.close();
  }

  async rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    const stop = new AbortController();
    if (this.#rebuilding.has(projection)) {
      throw new RebuildRefused(projection, 'another rebuild of it is running');
    }
    this.#rebuilding.set(projection, stop);
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const { store, pageSize } = this.options;
    const parts = { store, control: this.#control, pageSize };
    const done = rebuild(parts, projection, { ...options, signal });
    this.#inBackground(done);
    try {
      return await done;
    } finally {
      this.#rebuilding.delete(projection);
    }
  }

  async #begin(): Promise<void> {
    await this.#group.start();
    if (this.#stopped) return;
    if (this.#group.leads) return this.#lookAfterLists();
    // A process that starts catches up first, also while another one has the lease: that one may have been killed.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.#failed('projector-failed', error);
    }
  }

  #lookAfterLists(): void {
    try {
      for (const projection of PROJECTIONS) this.#rebuildIfNeeded(projection);
      const now = performance.now();
      if (now < this.#tidiedAt + CLEANUP_INTERVAL_MS) return;
      this.#tidiedAt = now;
      cleanUpGenerations(this.#control, Date.now());
      this.#inBackground(this.#passOthers());
    } catch (error) {
      this.#failed('projector-failed', error);
    }
  }

  /** Reports nothing: the consumers read the same store and the same files. */
  async #passOthers(): Promise<void> {
    for (const list of this.#lists.values()) {
      if (this.#stopped) return;
      await list.advancePastOtherCategories().catch(() => undefined);
    }
  }

  #rebuildIfNeeded(projection: ProjectionName): void {
    const live = this.#open.live(projection);
    const shape = tableShape(projection);
    const isOld =
      live !== undefined &&
      live.rowsVersion <= shape.rowsVersion &&
      live.layout <= shape.layout &&
      (live.rowsVersion < shape.rowsVersion ||
        live.layout < shape.layout ||
        live.source !== this.options.source);
    const isDamaged = live === undefined && this.#control.isDamaged(projection);
    if (!(isOld || isDamaged) || this.#rebuilding.has(projection)) return;
    if ((this.#notBefore.get(projection) ?? 0) > Date.now()) return;
    const from = live?.rowsVersion;
    this.options.log.info('rebuild-began', {
      projection,
      ...(from !== undefined && { from }),
      to: shape.rowsVersion,
    });
    this.#inBackground(this.#rebuildLogged(projection));
  }

  async #rebuildLogged(projection: ProjectionName): Promise<void> {
    try {
      const { events, rows, durationMs } = await this.rebuild(projection);
      const took = Math.round(durationMs);
      this.options.log.info('rebuild-ended', { projection, events, rows, durationMs: took });
    } catch (error) {
      if (this.#stopped) return;
      this.#notBefore.set(projection, Date.now() + REBUILD_RETRY_MS);
      this.#failed('rebuild-failed', error, { projection });
    }
  }

  #consumerLog(): ConsumerLog {
    const { log } = this.options;
    return {
      halted: (name, reason) => this.#lists.get(name)?.recordHalt(reason),
      failing: (name, reason) => {
        if (this.#lists.has(name)) log.failed('projection-failed', { projection: name, reason });
        else log.failed('projector-failed', { reason });
      },
      // The list itself says so, also of a halt that another process met.
      recovered: () => undefined,
      wasReset: () => undefined,
    };
  }

  #inBackground(work: Promise<unknown>): void {
    this.#background.add(work);
    const over = (): void => void this.#background.delete(work);
    work.then(over, over);
  }

  #failed(event: string, error: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    this.options.log.failed(event, { ...more, reason: errorMessage(error) });
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
