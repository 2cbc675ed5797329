import { setImmediate } from 'node:timers/promises';
import type { Compilable, Kysely } from 'kysely';
import { UnknownEvent } from '@tillstream/domain';
import type { Checkpoint, ConsumerPage, EventConsumer, Handled } from '@tillstream/event-consumers';
import { landmarkOf, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { BuildLease } from '../generations/build.lease.js';
import { ControlDatabase } from '../generations/control.database.js';
import type { Generation, GenerationShape } from '../generations/generation.js';
import { newHolder } from '../generations/lease.holder.js';
import { type OrderedProjection, type OrderedReadModel, RebuildRefused } from '@tillstream/read-models';
import { compiler } from '../tables/sqlite.dialect.js';
import { OrderedFile } from './ordered.file.js';

export interface OrderedOptions {
  /** Shared with the lists, or of its own. On a local disk. */
  readonly directory: string;
  readonly store: EventStore;
  /** A name of the store: tables that were made from another one are made again. */
  readonly source: string;
}

const PAGE = 200;

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
    private readonly options: OrderedOptions,
    private readonly projection: OrderedProjection<Tables>,
  ) {
    const { name, version, categories } = projection;
    this.#shape = { projection: name, rowsVersion: version, layout: version };
    this.#control = new ControlDatabase(options.directory, options.source);
    this.#control.ensureLive(this.#shape, Date.now(), (file) => OrderedFile.create(file, projection).close());
    this.consumer = {
      name,
      categories,
      reads: 'Events',
      pageSize: PAGE,
      gatherMs: 0,
      checkpoint: async () => this.#checkpoint(),
      handle: (page) => this.#handle(page),
      startAnew: async () => this.#startAnew(),
      isPermanent: (error) => error instanceof UnknownEvent,
    };
  }

  /** Rows of the live tables, as of the last page that was handled. */
  read<Row>(query: Compilable): Promise<readonly Row[]> {
    const live = this.#live();
    if (this.#reading?.generation !== live.generation) {
      this.#reading?.file.close();
      this.#reading = { generation: live.generation, file: this.#open(live, 'reader') };
    }
    return this.#reading.file.read<Row>(query);
  }

  /** Whether the live tables were made by an older version of the projection, or from another store. */
  get isOld(): boolean {
    const { rowsVersion, source } = this.#live();
    return rowsVersion < this.projection.version || source !== this.options.source;
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
      built = this.#control.begin(this.#shape, builder, Date.now());
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

  #checkpoint(): Checkpoint | undefined {
    const { position, landmark } = this.#writer().progress();
    return position === undefined ? undefined : { position, witness: landmark };
  }

  async #handle({ items, from, to, witness }: ConsumerPage<RecordedEvent>): Promise<Handled> {
    const step = { to, events: items.length, landmark: witness, now: Date.now() };
    const moved = await this.#writer().apply(items, from, step);
    return moved ? { kind: 'Moved', to } : { kind: 'Fenced' };
  }

  #startAnew(): void {
    this.#control.startAnew(this.#live(), this.#shape, Date.now(), (file) =>
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
    if (!live) throw new Error(`${this.projection.name} has no live tables`);
    return live;
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
        limit: PAGE,
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
  return { to, events, landmark: landmarkOf(last), now: Date.now() };
}
