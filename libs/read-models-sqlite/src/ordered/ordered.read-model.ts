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
import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import {
  applyToEnd,
  ORDERED_PAGE_EVENTS,
  orderedMaintenance,
  type OrderedProjection,
  type OrderedReadModel,
  type ReadModelsLog,
  ReadModelUnavailable,
} from '@tillstream/read-models';
import { findOrderedDamage, setAsideIfDamaged, setDamagedLiveAside } from '../damage/damage.detection.js';
import { ControlDatabase } from '../generations/control.database.js';
import { buildGeneration } from '../generations/generation.build.js';
import type { Generation, GenerationShape } from '../generations/generation.js';
import { compiler } from '../tables/sqlite.dialect.js';
import { OrderedFile } from './ordered.file.js';

export interface OrderedReadModelOptions {
  /** The directory of the lists, or another one. On a local disk. */
  readonly directory: string;
  readonly store: EventStore;
  /** The name of the store: tables that were made from another store are rebuilt. */
  readonly source: string;
  readonly log: ReadModelsLog;
}

interface OpenFile<Tables> {
  readonly generation: number;
  readonly file: OrderedFile<Tables>;
}

/** An ordered projection in SQLite; see `OrderedReadModel`. */
export class SqliteOrderedReadModel<Tables> implements OrderedReadModel<Tables> {
  readonly consumer: EventConsumer;
  readonly #control: ControlDatabase;
  readonly #shape: GenerationShape;
  readonly #files: { writer?: OpenFile<Tables>; reader?: OpenFile<Tables> } = {};

  constructor(
    private readonly options: OrderedReadModelOptions,
    private readonly projection: OrderedProjection<Tables>,
  ) {
    const { name, version, categories } = projection;
    this.#shape = { projection: name, rowsVersion: version, layout: version };
    this.#control = new ControlDatabase(options.directory, options.source, options.log);
    setDamagedLiveAside(this.#control, name, findOrderedDamage);
    this.#control.ensureLive(this.#shape, this.#createFile);
    this.consumer = {
      name,
      categories,
      reads: 'Events',
      pageSize: ORDERED_PAGE_EVENTS,
      wakeUpDelayMs: 0,
      checkpoint: () => this.#detectDamage(async () => this.#checkpoint()),
      handle: (page) => this.#detectDamage(() => this.#handle(page)),
      reset: async () => this.#control.replaceWithEmpty(this.#live(), this.#shape, this.#createFile),
      isPermanent: (error) => error instanceof UnknownEvent,
    };
  }

  read<Row>(query: (build: Kysely<Tables>) => Compilable): Promise<readonly Row[]> {
    return this.#detectDamage(async () => this.#liveFile('reader').read<Row>(query(compiler<Tables>())));
  }

  async isOutdated(): Promise<boolean> {
    return this.#isOutdated;
  }

  get #isOutdated(): boolean {
    const live = this.#control.live(this.projection.name);
    if (!live) return true;
    return live.rowsVersion < this.projection.version || live.source !== this.options.source;
  }

  maintenanceTask(log: LeaderLog): LeadingTask {
    const { projection, options } = this;
    const now = (): number => performance.now();
    return new LeadingTask(orderedMaintenance({ projection, model: this, log: options.log, now }), log);
  }

  rebuild({ signal }: { readonly signal?: AbortSignal } = {}): Promise<{ readonly events: number }> {
    return buildGeneration(this.#control, this.#shape, signal, async ({ path, proceed, goLive }) => {
      const file = OrderedFile.create(path, this.projection);
      try {
        await this.#catchUp(file, proceed);
        await goLive(() => this.#catchUp(file, proceed));
        return { events: file.progress().events };
      } finally {
        file.close();
      }
    });
  }

  async close(): Promise<void> {
    this.#files.writer?.file.close();
    this.#files.reader?.file.close();
    this.#control.close();
  }

  /** Undefined for outdated tables: their position may be one of another store. */
  #checkpoint(): Checkpoint | undefined {
    if (this.#isOutdated) return undefined;
    const { position, witness } = this.#writableFile().progress();
    return position === undefined ? undefined : { position, witness };
  }

  async #handle({ items, from, to, witness }: ConsumerPage<RecordedEvent>): Promise<HandleResult> {
    if (this.#isOutdated) return { kind: 'Paused' };
    const moved = await this.#writableFile().apply(items, from, { to, events: items.length, witness });
    return moved ? { kind: 'Moved', to } : { kind: 'Fenced' };
  }

  #writableFile(): OrderedFile<Tables> {
    const { rowsVersion } = this.#live();
    if (rowsVersion > this.projection.version) {
      throw new UnknownEvent(`tables of ${this.projection.name}`, rowsVersion);
    }
    return this.#liveFile('writer');
  }

  /** Opens another file after a rebuild has replaced the live generation. */
  #liveFile(as: 'writer' | 'reader'): OrderedFile<Tables> {
    const live = this.#live();
    const open = this.#files[as];
    if (open?.generation === live.generation) return open.file;
    open?.file.close();
    const file = OrderedFile.open(this.#control.fileOf(live), this.projection, as);
    this.#files[as] = { generation: live.generation, file };
    return file;
  }

  #live(): Generation {
    const live = this.#control.live(this.projection.name);
    if (!live) throw new ReadModelUnavailable(this.projection.name, 'its tables are being made again');
    return live;
  }

  readonly #createFile = (file: string): void => OrderedFile.create(file, this.projection).close();

  /** If `work` finds the file damaged, sets it aside. The maintenance task rebuilds its tables. */
  async #detectDamage<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const live = this.#control.live(this.projection.name);
      if (live) setAsideIfDamaged(this.#control, live, error, findOrderedDamage);
      throw error;
    }
  }

  #catchUp(file: OrderedFile<Tables>, betweenPages: () => void): Promise<void> {
    return applyToEnd(this.options.store, this.projection, file, async () => {
      betweenPages();
      await setImmediate();
    });
  }
}
