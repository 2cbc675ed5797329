import type { EventConsumer, LeadingTask, LeaderLog } from '@tillstream/event-consumers';
import type { RecordedEvent } from '@tillstream/event-store';
import type { Compilable, Kysely } from 'kysely';

/**
 * The tables of an ordered projection, inside of the transaction that moves its checkpoint. Queries are built with
 * `build`, which speaks the dialect of the adapter and runs nothing.
 */
export interface OrderedTables<Tables> {
  readonly build: Kysely<Tables>;
  /** The rows of a query. */
  all<Row>(query: Compilable): Promise<readonly Row[]>;
  /** Runs a statement; gives how many rows it changed. */
  run(statement: Compilable): Promise<number>;
}

/**
 * A projection that handles the events of many streams in the order of the store, with tables of its own: numbers,
 * deliveries, sums over streams. Only the leading process runs it. Its tables are a function of the history alone, so they
 * can be made again beside the live ones and are equal.
 */
export interface OrderedProjection<Tables> {
  /** Its name: in status, logs and file names. Lower-case letters and underscores, and no list's name. */
  readonly name: string;
  /** Raise it when equal events would make other tables: they are made again while the old ones answer. */
  readonly version: number;
  /** Streams of these categories are read, and no others. */
  readonly categories: readonly string[];
  /** The statements that make its empty tables and their indexes. `progress` is no name for one of them. */
  schema(build: Kysely<Tables>): readonly Compilable[];
  /**
   * Applies one event. May read and write its own tables, and nothing else: no clock, no random number, no other stream.
   * Throws `UnknownEvent` for an event that this version does not know: the projection halts, visibly.
   */
  apply(tables: OrderedTables<Tables>, event: RecordedEvent): Promise<void>;
}

/**
 * The tables of an ordered projection in an adapter. `consumer` goes into a `ConsumerGroup`: the leader of the group
 * applies the events, and the checkpoint's compare-and-swap, in the transaction of the tables, fences a leader that was
 * paused.
 */
export interface OrderedReadModel<Tables> {
  /** Paused while `isOutdated`: nothing is written into tables that another version made. */
  readonly consumer: EventConsumer;
  /** Builds queries for `read`; runs nothing. */
  readonly build: Kysely<Tables>;
  /** Whether the tables have to be made again: by an older version, from another store, or their file was damaged. */
  readonly isOutdated: boolean;
  /** For the `tasks` of the same group: makes the tables again while `isOutdated`. */
  maintenanceTask(log: LeaderLog): LeadingTask;
  /** Rows of the live tables, as of the last page that was handled. */
  read<Row>(query: Compilable): Promise<readonly Row[]>;
  /**
   * Makes the tables again beside the live ones, and swaps when they have caught up; the live ones answer all the while.
   * Rejects with `RebuildRefused` where another process rebuilds it, and with the signal's reason.
   */
  rebuild(options?: { readonly signal?: AbortSignal }): Promise<{ readonly events: number }>;
  close(): void;
}
