import { setImmediate } from 'node:timers/promises';
import { EventStoreError, type EventStore } from '@tillstream/event-store';
import { Checkpoints } from '../generations/checkpoints.js';
import { cleanUp } from '../generations/clean.up.js';
import { ControlDatabase, type Generation } from '../generations/control.database.js';
import { newHolder } from '../generations/lease.holder.js';
import { SqliteLeases } from '../generations/sqlite.leases.js';
import { canWrite, OpenGenerations } from '../generations/open.generations.js';
import {
  type ProjectionName,
  PROJECTIONS,
  PROJECTOR_LEASE,
  type ReadModelsLog,
  type RebuildOptions,
  RebuildRefused,
  type RebuildResult,
  shapeOf,
  StateCache,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { isOfThisHistory } from '../tables/progress.js';
import { projectPage } from './page.projection.js';
import { rebuild } from './rebuild.js';

export interface ProjectorOptions {
  readonly directory: string;
  readonly store: EventStore;
  readonly source: string;
  readonly log: ReadModelsLog;
  /** Events handled in one go. */
  readonly pageSize: number;
}

const LEASE_MS = 5_000;
/** What is written through needs no hurry; the rest is listed this much later. */
const TICK_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;
/** A newer program may have been started meanwhile, and have gone on. */
const TRY_HALTED_AGAIN_MS = 10_000;
const CLEAN_UP_EVERY_MS = 15_000;
const STATES = 2_000;
const OTHER_HISTORY =
  'it was made from events that the store does not have: an older copy of it was restored';
/** Pages of one projection before the next has its turn. */
const PAGES = 20;

/**
 * Brings every projection to the head of the store and keeps it there. One process at a time does it; safety does not
 * rest on that: a checkpoint that another one moved makes a page change nothing.
 */
export class Projector {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;
  readonly #checkpoints: Checkpoints;
  readonly #leases: SqliteLeases;
  readonly #states: ReadonlyMap<ProjectionName, StateCache>;
  /** By projection, and by rebuild of one: when to try again after a failure. */
  readonly #notBefore = new Map<string, number>();
  readonly #rebuilding = new Map<ProjectionName, AbortController>();
  readonly #background = new Set<Promise<unknown>>();
  readonly #ofThisHistory = new Set<ProjectionName>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;
  /** Whoever starts catches up first, also where a process that was killed has the lease for some seconds yet. */
  #starting = true;
  #cleanedAt = -Infinity;

  constructor(private readonly options: ProjectorOptions) {
    this.#control = new ControlDatabase(options.directory, options.source);
    this.#leases = new SqliteLeases(this.#control, newHolder());
    this.#open = new OpenGenerations(this.#control);
    this.#checkpoints = new Checkpoints(this.#open);
    this.#states = new Map(PROJECTIONS.map((name) => [name, new StateCache(options.store, STATES)]));
  }

  start(): void {
    const tick = async (): Promise<void> => {
      const busy = await this.#tick().catch((error: unknown) => {
        this.#failed('projector-failed', error);
        return false;
      });
      if (!this.#stopped) this.#timer = setTimeout(() => (this.#running = tick()), busy ? 0 : TICK_MS);
    };
    this.#running = tick();
    this.#checkpoints.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#checkpoints.stop();
    for (const rebuilding of this.#rebuilding.values()) rebuilding.abort();
    await this.#running;
    await Promise.allSettled(this.#background);
    this.#leases.release(PROJECTOR_LEASE);
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
    this.#background.add(done);
    try {
      return await done;
    } finally {
      this.#rebuilding.delete(projection);
      this.#background.delete(done);
    }
  }

  /** Whether there is more to do at once. */
  async #tick(): Promise<boolean> {
    const leads = this.#leases.hold(PROJECTOR_LEASE, LEASE_MS);
    if (!leads && !this.#starting) return false;
    if (leads) this.#cleanSometimes();
    let more = false;
    for (const projection of PROJECTIONS) {
      if (this.#stopped) return false;
      if (leads) this.#rebuildIfOld(projection);
      if ((this.#notBefore.get(projection) ?? 0) > Date.now()) continue;
      more = (await this.#project(projection)) || more;
    }
    if (!more) this.#starting = false;
    return more;
  }

  async #project(projection: ProjectionName): Promise<boolean> {
    const live = this.#open.live(projection);
    if (!live || !canWrite(live) || live.source !== this.options.source) return false;
    try {
      if (!(await this.#isOfThisHistory(live))) return this.#startAnew(live);
      return await this.#projectPages(live);
    } catch (error) {
      this.#troubled(live, error);
      return false;
    }
  }

  /** Asked once: a store is exchanged for an older copy of itself while nobody has it open. */
  async #isOfThisHistory(live: Generation): Promise<boolean> {
    if (this.#ofThisHistory.has(live.projection)) return true;
    const isSo = await isOfThisHistory(this.options.store, this.#open.fileOf(live).progress());
    if (isSo) this.#ofThisHistory.add(live.projection);
    return isSo;
  }

  /** Its rows tell of events that never happened. Better a list that is not complete yet than one that is wrong. */
  #startAnew(live: Generation): boolean {
    const { projection } = live;
    this.#control.startAnew(live, shapeOf(projection), Date.now(), (file) =>
      GenerationFile.create(file, shapeOf(projection), { bulk: false }).close(),
    );
    this.options.log.info('list-started-anew', { projection, reason: OTHER_HISTORY });
    return true;
  }

  async #projectPages(live: Generation): Promise<boolean> {
    const { store, pageSize } = this.options;
    const file = this.#open.fileOf(live);
    const states = this.#states.get(live.projection);
    if (!states) return false;
    for (let page = 0; page < PAGES; page++) {
      const outcome = await projectPage(store, file, states, { limit: pageSize, now: Date.now });
      if (outcome.kind === 'Fenced') return true;
      if (live.halted !== undefined && page === 0) this.#goOn(live);
      if (outcome.end || this.#stopped) return false;
      await setImmediate();
      // Another may be live by now.
      if (this.#open.live(live.projection)?.generation !== live.generation) return true;
    }
    return true;
  }

  /** A store or a disk that fails now may work soon; what can't be folded stays so until a newer program comes. */
  #troubled(live: Generation, error: unknown): void {
    const { projection } = live;
    if (isPassing(error)) {
      this.#notBefore.set(projection, Date.now() + AFTER_FAILURE_MS);
      this.#failed('projection-failed', error, { projection });
      return;
    }
    this.#notBefore.set(projection, Date.now() + TRY_HALTED_AGAIN_MS);
    const reason = reasonOf(error);
    if (live.halted === reason) return;
    this.#control.halt(live.generation, reason);
    this.options.log.failed('projection-halted', { projection, reason });
  }

  #goOn({ projection, generation }: Generation): void {
    this.#control.halt(generation, undefined);
    this.options.log.info('projection-goes-on', { projection });
  }

  #rebuildIfOld(projection: ProjectionName): void {
    const live = this.#open.live(projection);
    const shape = shapeOf(projection);
    const isOld =
      live !== undefined &&
      live.rowsVersion <= shape.rowsVersion &&
      live.layout <= shape.layout &&
      (live.rowsVersion < shape.rowsVersion ||
        live.layout < shape.layout ||
        live.source !== this.options.source);
    if (!isOld || this.#rebuilding.has(projection)) return;
    if ((this.#notBefore.get(`rebuild ${projection}`) ?? 0) > Date.now()) return;
    this.options.log.info('rebuild-began', { projection, from: live.rowsVersion, to: shape.rowsVersion });
    const done = this.rebuild(projection).then(
      ({ events, rows, durationMs }) =>
        this.options.log.info('rebuild-ended', {
          projection,
          events,
          rows,
          durationMs: Math.round(durationMs),
        }),
      (error: unknown) => {
        if (this.#stopped) return;
        this.#notBefore.set(`rebuild ${projection}`, Date.now() + TRY_HALTED_AGAIN_MS);
        this.#failed('rebuild-failed', error, { projection });
      },
    );
    this.#background.add(done);
    void done.finally(() => this.#background.delete(done));
  }

  #cleanSometimes(): void {
    const now = performance.now();
    if (now < this.#cleanedAt + CLEAN_UP_EVERY_MS) return;
    this.#cleanedAt = now;
    cleanUp(this.#control, Date.now());
  }

  #failed(event: string, error: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    this.options.log.failed(event, { ...more, reason: reasonOf(error) });
  }
}

/** The store's own errors, and SQLite's. */
function isPassing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return error instanceof EventStoreError || (typeof code === 'string' && code.startsWith('SQLITE_'));
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
