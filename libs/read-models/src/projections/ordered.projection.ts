import type { EventConsumer, LeadingTask, LeaderLog } from '@tillstream/event-consumers';
import type { RecordedEvent } from '@tillstream/event-store';
import type { Compilable, Kysely } from 'kysely';

/**
 * The tables of an ordered projection, inside the transaction that moves its checkpoint. `build` builds queries in the
 * adapter's dialect; it runs nothing.
 */
export interface OrderedTables<Tables> {
  readonly build: Kysely<Tables>;
  /** The rows of a query. */
  all<Row>(query: Compilable): Promise<readonly Row[]>;
  /** Resolves to the number of rows that the statement changed. */
  run(statement: Compilable): Promise<number>;
}

/**
 * A projection that handles the events of many streams in the order of the store, with its own tables: numbers,
 * deliveries, sums over streams. Only the leading process runs it. Its tables follow from the history alone, so a rebuild
 * gives equal tables.
 */
export interface OrderedProjection<Tables> {
  /** Its name in status, logs and file names. Lower-case letters and underscores; different from every list's name. */
  readonly name: string;
  /** Raise it when equal events give other tables than before: they are rebuilt while the old ones answer. */
  readonly version: number;
  /** Only streams of these categories are read. */
  readonly categories: readonly string[];
  /** The statements that create its empty tables and their indexes. The name `progress` is taken. */
  schema(build: Kysely<Tables>): readonly Compilable[];
  /**
   * Applies one event. May use only its own tables: no clock, no random number, no other stream. Throws `UnknownEvent` for
   * an event that this version does not know: the projection halts, and its status says so.
   */
  apply(tables: OrderedTables<Tables>, event: RecordedEvent): Promise<void>;
}

/**
 * The tables of an ordered projection in an adapter. Put `consumer` into a `ConsumerGroup`: the group's leader applies the
 * events. A leader that was paused is fenced by the checkpoint, which moves by compare-and-swap in the tables' transaction.
 */
export interface OrderedReadModel<Tables> {
  /** Paused while the tables are outdated: it does not write into tables that another version made. */
  readonly consumer: EventConsumer;
  /** Whether the tables need a rebuild: an older version made them, another store, or their file was damaged. */
  isOutdated(): Promise<boolean>;
  /** For the `tasks` of the same group: rebuilds the tables while they are outdated. */
  maintenanceTask(log: LeaderLog): LeadingTask;
  /** Rows of the live tables, as of the last handled page. `query` builds its query for them. */
  read<Row>(query: (build: Kysely<Tables>) => Compilable): Promise<readonly Row[]>;
  /**
   * Makes new tables beside the live ones, and swaps when they have caught up. Until then the live ones answer. Rejects
   * with `RebuildRefused` if another process rebuilds them, and with the signal's reason when it aborts.
   */
  rebuild(options?: { readonly signal?: AbortSignal }): Promise<{ readonly events: number }>;
  close(): Promise<void>;
}
