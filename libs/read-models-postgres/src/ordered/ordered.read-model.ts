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
import { openPostgres, type Postgres } from '@tillstream/postgres-driver';
import {
  applyToEnd,
  ORDERED_PAGE_EVENTS,
  orderedMaintenance,
  ReadModelUnavailable,
  type OrderedProjection,
  type OrderedReadModel,
  type ReadModelsLog,
} from '@tillstream/read-models';
import type { Generation, GenerationShape } from '../control/generation.js';
import { buildGeneration } from '../control/generation.build.js';
import { ListControl, type MakeTables } from '../control/list.control.js';
import { tablesOf } from '../tables/generation.tables.js';
import { OrderedGeneration } from './ordered.generation.js';

export interface OrderedReadModelOptions {
  /** Has the tables of `LISTS_MIGRATIONS`. The tables use further connections with its settings. The caller closes it. */
  readonly database: Postgres;
  readonly store: EventStore;
  /** The name of the store: tables that were made from another store are rebuilt. */
  readonly source: string;
  readonly log: ReadModelsLog;
}

/** Opens an ordered projection in PostgreSQL, and makes its tables if there are none, empty. Rejects with a `PostgresError`. */
export async function openPostgresOrdered<Tables>(
  options: OrderedReadModelOptions,
  projection: OrderedProjection<Tables>,
): Promise<OrderedReadModel<Tables>> {
  const control = new ListControl(options.database, options.source);
  const model = new PostgresOrderedReadModel(options, projection, control);
  await control.ensureLive(model.shape, model.make);
  return model;
}

class PostgresOrderedReadModel<Tables> implements OrderedReadModel<Tables> {
  readonly consumer: EventConsumer;
  readonly shape: GenerationShape;
  readonly make: MakeTables;
  readonly #unsynced: Postgres;

  constructor(
    private readonly options: OrderedReadModelOptions,
    private readonly projection: OrderedProjection<Tables>,
    private readonly control: ListControl,
  ) {
    const { name, version, categories } = projection;
    this.shape = { projection: name, rowsVersion: version, layout: version };
    this.make = (generation) => projection.schema(tablesOf<Tables>(generation));
    this.#unsynced = openPostgres({ ...options.database.settings, commits: 'Unsynced' });
    this.consumer = {
      name,
      categories,
      reads: 'Events',
      pageSize: ORDERED_PAGE_EVENTS,
      wakeUpDelayMs: 0,
      checkpoint: () => this.#checkpoint(),
      handle: (page) => this.#handle(page),
      reset: async () => this.control.replaceWithEmpty(await this.#live(), this.shape, this.make),
      isPermanent: (error) => error instanceof UnknownEvent,
    };
  }

  async read<Row>(query: (build: Kysely<Tables>) => Compilable): Promise<readonly Row[]> {
    return this.#tables(await this.#live()).read(query);
  }

  async isOutdated(): Promise<boolean> {
    const live = await this.control.live(this.projection.name);
    return !live || this.#isOutdated(live);
  }

  maintenanceTask(log: LeaderLog): LeadingTask {
    const { projection, options } = this;
    const now = (): number => performance.now();
    return new LeadingTask(orderedMaintenance({ projection, model: this, log: options.log, now }), log);
  }

  rebuild({ signal }: { readonly signal?: AbortSignal } = {}): Promise<{ readonly events: number }> {
    const { shape, make } = this;
    return buildGeneration(this.control, { shape, make, signal }, async ({ generation, proceed, goLive }) => {
      const tables = this.#tables(generation);
      const catchUp = (): Promise<void> =>
        applyToEnd(this.options.store, this.projection, tables, async () => {
          proceed();
          await setImmediate();
        });
      await catchUp();
      await goLive(catchUp);
      return { events: (await tables.progress()).events };
    });
  }

  close(): Promise<void> {
    return this.#unsynced.close();
  }

  /** Undefined for outdated tables: their position may be one of another store. */
  async #checkpoint(): Promise<Checkpoint | undefined> {
    const live = await this.#live();
    if (this.#isOutdated(live)) return undefined;
    const { position, witness } = await this.#writable(live).progress();
    return position === undefined ? undefined : { position, witness };
  }

  async #handle({ items, from, to, witness }: ConsumerPage<RecordedEvent>): Promise<HandleResult> {
    const live = await this.#live();
    if (this.#isOutdated(live)) return { kind: 'Paused' };
    const moved = await this.#writable(live).apply(items, from, { to, events: items.length, witness });
    return moved ? { kind: 'Moved', to } : { kind: 'Fenced' };
  }

  #isOutdated({ rowsVersion, source }: Generation): boolean {
    return rowsVersion < this.projection.version || source !== this.options.source;
  }

  #writable(live: Generation): OrderedGeneration<Tables> {
    if (live.rowsVersion > this.projection.version) {
      throw new UnknownEvent(`tables of ${this.projection.name}`, live.rowsVersion);
    }
    return this.#tables(live);
  }

  #tables(generation: Generation): OrderedGeneration<Tables> {
    return new OrderedGeneration({ unsynced: this.#unsynced }, generation, this.projection);
  }

  async #live(): Promise<Generation> {
    const live = await this.control.live(this.projection.name);
    if (!live) throw new ReadModelUnavailable(this.projection.name, 'its tables are being made again');
    return live;
  }
}
