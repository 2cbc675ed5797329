import { setImmediate } from 'node:timers/promises';
import type { Compilable, Kysely } from 'kysely';
import { UnknownEvent } from '@tillstream/domain';
import {
  LeadingTask,
  type Checkpoint,
  type ConsumerPage,
  type EventConsumer,
  type HandleResult,
  type LeaderLog,
} from '@tillstream/event-consumers';
import { historyWitness, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { BuildLease } from '../generations/build.lease.js';
import { ControlDatabase } from '../generations/control.database.js';
import type { Generation, GenerationShape } from '../generations/generation.js';
import { newHolder } from '../generations/lease.holder.js';
import {
  type OrderedProjection,
  type OrderedReadModel,
  type ReadModelsLog,
  ReadModelUnavailable,
  RebuildRefused,
} from '@tillstream/read-models';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import { warnOnSetAside } from '../damage/damaged-file.js';
import { compiler } from '../tables/sqlite.dialect.js';
import { findOrderedDamage } from './ordered-damage.detection.js';
import { OrderedFile } from './ordered.file.js';

export interface OrderedReadModelOptions {
  /** Shared with the lists, or of its own. On a local disk. */
  readonly directory: string;
  readonly store: EventStore;
  /** A name of the store: tables that were made from another one are made again. */
  readonly source: string;
  readonly log: ReadModelsLog;
}

const PAGE_EVENTS = 200;
const MAINTENANCE_INTERVAL_MS = 2_000;

/**
 * An ordered projection in SQLite. `consumer` goes into a `ConsumerGroup`: the leader of the group applies the events, and
 * the checkpoint's compare-and-swap, in the transaction of the tables, fences a leader that was paused.
 */
export class SqliteOrderedReadModel<Tables> implements OrderedReadModel<Tables> {
  readonly consumer: EventConsumer;
  /** Builds queries for `read`; runs nothing. */
  readonly build: Kysely<Tables> = compiler<Tables>();
  readonly #control: ControlDatabase;
  readonly #shape: GenerationShape;
  #written: { readonly generation: number; readonly file: OrderedFile<Tables> } | undefined;
  #reading: { readonly generation: number; readonly file: OrderedFile<Tables> } | undefined;

  constructor(
    private readonly options: OrderedReadModelOptions,
    private readonly projection: OrderedProjection<Tables>,
  ) {
    const { name, version, categories } = projection;
    this.#shape = { projection: name, rowsVersion: version, layout: version };
    this.#control = new ControlDatabase(options.directory, options.source, warnOnSetAside(options.log));
    const live = this.#control.live(name);
    const damage = live && findOrderedDamage(this.#control, live);
    if (live && damage !== undefined) this.#control.setAside(live, damage);
    this.#control.ensureLive(this.#shape, Date.now(), (file) => OrderedFile.create(file, projection).close());
    this.consumer = {
      name,
      categories,
      reads: 'Events',
      pageSize: PAGE_EVENTS,
      wakeUpDelayMs: 0,
      checkpoint: () => this.#noticingDamage(async () => this.#checkpoint()),
      handle: (page) => this.#noticingDamage(() => this.#handle(page)),
      reset: async () => this.#startAnew(),
      isPermanent: (error) => error instanceof UnknownEvent,
    };
  }

  /** Rows of the live tables, as of the last page that was handled. */
  read<Row>(query: Compilable): Promise<readonly Row[]> {
    return this.#noticingDamage(async () => {
      const live = this.#live();
      if (this.#reading?.generation !== live.generation) {
        this.#reading?.file.close();
        this.#reading = { generation: live.generation, file: this.#open(live, 'reader') };
      }
      return this.#reading.file.read<Row>(query);
    });
  }

  get isOutdated(): boolean {
    const live = this.#control.live(this.projection.name);
    if (!live) return true;
    return live.rowsVersion < this.projection.version || live.source !== this.options.source;
  }

  maintenanceTask(log: LeaderLog): LeadingTask {
    const { name } = this.projection;
    const run = async (signal: AbortSignal): Promise<'Idle'> => {
      if (!this.isOutdated) return 'Idle';
      this.options.log.info('rebuild-began', { projection: name, to: this.projection.version });
      const since = performance.now();
      try {
        const { events } = await this.rebuild({ signal });
        const durationMs = Math.round(performance.now() - since);
        this.options.log.info('rebuild-ended', { projection: name, events, durationMs });
      } catch (error) {
        // Another process makes them.
        if (!(error instanceof RebuildRefused)) throw error;
      }
      return 'Idle';
    };
    return new LeadingTask({ name: `tables of ${name}`, everyMs: MAINTENANCE_INTERVAL_MS, run }, log);
  }

  /**
   * Makes the tables again beside the live ones, and swaps when they have caught up; the live ones answer all the while.
   * Rejects with `RebuildRefused` where another process rebuilds it, and with the signal's reason.
   */
  async rebuild({ signal }: { readonly signal?: AbortSignal } = {}): Promise<{ readonly events: number }> {
    const { name } = this.projection;
    const builder = newHolder();
    const lease = new BuildLease(this.#control, builder, name);
    const stillMine = (): void => {
      signal?.throwIfAborted();
      if (!lease.hold()) {
        throw new RebuildRefused(name, 'another rebuild of it is running');
      }
    };
    stillMine();
    let built: Generation | undefined;
    let file: OrderedFile<Tables> | undefined;
    try {
      built = this.#control.startBuilding(this.#shape, builder, Date.now());
      file = OrderedFile.create(this.#control.fileOf(built), this.projection);
      await this.#catchUp(file, stillMine);
      if (!this.#control.announce(built, Date.now())) throw new RebuildRefused(name, 'it was superseded');
      await this.#catchUp(file, stillMine);
      const { events } = file.progress();
      if (!this.#control.swap(built, Date.now())) throw new RebuildRefused(name, 'it was superseded');
      built = undefined;
      return { events };
    } finally {
      file?.close();
      if (built) this.#abandon(built);
      lease.release();
    }
  }

  close(): void {
    this.#written?.file.close();
    this.#reading?.file.close();
    this.#control.close();
  }

  /** Of tables that are made again, none: a position of another store says nothing here. */
  #checkpoint(): Checkpoint | undefined {
    if (this.isOutdated) return undefined;
    const { position, witness } = this.#writer().progress();
    return position === undefined ? undefined : { position, witness: witness };
  }

  async #handle({ items, from, to, witness }: ConsumerPage<RecordedEvent>): Promise<HandleResult> {
    if (this.isOutdated) return { kind: 'Paused' };
    const step = { to, events: items.length, witness, now: Date.now() };
    const moved = await this.#writer().apply(items, from, step);
    return moved ? { kind: 'Moved', to } : { kind: 'Fenced' };
  }

  #startAnew(): void {
    this.#control.replaceWithEmpty(this.#live(), this.#shape, Date.now(), (file) =>
      OrderedFile.create(file, this.projection).close(),
    );
  }

  /** The file of the generation that is live now: a rebuild may have put another in its place. */
  #writer(): OrderedFile<Tables> {
    const live = this.#live();
    if (live.rowsVersion > this.projection.version) {
      throw new UnknownEvent(`tables of ${this.projection.name}`, live.rowsVersion);
    }
    if (this.#written?.generation !== live.generation) {
      this.#written?.file.close();
      this.#written = { generation: live.generation, file: this.#open(live, 'writer') };
    }
    return this.#written.file;
  }

  #live(): Generation {
    const live = this.#control.live(this.projection.name);
    if (!live) throw new ReadModelUnavailable(this.projection.name, 'its tables are being made again');
    return live;
  }

  /** A file that is found to be damaged is set aside, and its tables are made again. */
  async #noticingDamage<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const live = this.#control.live(this.projection.name);
      if (live) setAsideIfDamaged(this.#control, live, error, findOrderedDamage);
      throw error;
    }
  }

  #open(generation: Generation, as: 'writer' | 'reader'): OrderedFile<Tables> {
    return OrderedFile.open(this.#control.fileOf(generation), this.projection, as);
  }

  async #catchUp(file: OrderedFile<Tables>, between: () => void): Promise<void> {
    const { store } = this.options;
    const { categories } = this.projection;
    for (;;) {
      const { position } = file.progress();
      const page = await store.readAll({
        ...(position !== undefined && { after: position }),
        categories,
        limit: PAGE_EVENTS,
      });
      const last = page.events.at(-1);
      if (last) await file.apply(page.events, position, stepTo(last, page.events.length));
      between();
      if (page.end) return;
      await setImmediate();
    }
  }

  #abandon(built: Generation): void {
    const now = this.#control.generations().find(({ generation }) => generation === built.generation);
    if (now) this.#control.remove(now, Date.now());
  }
}

function stepTo(last: RecordedEvent, events: number) {
  const to: Position = last.position;
  return { to, events, witness: historyWitness(last), now: Date.now() };
}
