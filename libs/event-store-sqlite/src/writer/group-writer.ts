import { EventStoreError, positionNumber } from '@tillstream/event-store';
import { isBusy } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { migrateCompanion, openWriter, PROBE } from '../schema.js';
import { sqliteCode, describeFault } from '../sqlite.faults.js';
import { AppendFailedMidway, UnitExecutor } from './unit-executor.js';
import type {
  CompanionMigration,
  WriterFailure,
  WriterOptions,
  WriterResult,
  SerialisedUnit,
} from './writer.messages.js';

/** About 4 MB of log. */
const GROUPS_PER_CHECKPOINT = 100;

interface Connection {
  readonly db: Database.Database;
  readonly executor: UnitExecutor;
  readonly begin: Database.Statement;
  readonly commit: Database.Statement;
}

/**
 * Commits groups of units, one transaction and one fsync each. Blocks its thread while it works: it belongs into one
 * of its own. Opening throws; after that every failure is an outcome.
 */
export class GroupWriter {
  #connection: Connection | undefined;
  #commitMs = 0;
  /** Committed since the last checkpoint. */
  #groups = 0;

  constructor(
    private readonly options: WriterOptions,
    private readonly open: (file: string) => Database.Database = openWriter,
  ) {
    this.#connection = this.#connect();
  }

  /** One outcome per unit, in order, given after the COMMIT. `Unavailable` promises that nothing was written. */
  commit(units: readonly SerialisedUnit[]): readonly WriterResult[] {
    let outcomes: WriterResult[];
    let before: number;
    try {
      const connection = this.#connect();
      this.#begin(connection);
      before = connection.executor.lastPosition();
      outcomes = this.#run(connection, units);
    } catch (error) {
      this.#abandon();
      return units.map(() => writerFailure('Unavailable', error));
    }
    try {
      const since = performance.now();
      this.#connect().commit.run();
      this.#commitMs = performance.now() - since;
      this.#groups += 1;
      return outcomes;
    } catch (error) {
      return this.#settle(units, outcomes, before, error);
    }
  }

  /** Hardly ever does an append break (an id that the store holds): only then all is begun anew, with savepoints. */
  #run(connection: Connection, units: readonly SerialisedUnit[]): WriterResult[] {
    const { db, executor } = connection;
    try {
      return units.map((unit) => executor.runWithoutSavepoint(unit));
    } catch (error) {
      if (!(error instanceof AppendFailedMidway)) throw error;
      db.exec('ROLLBACK');
      this.#begin(connection);
      return units.map((unit) => executor.run(unit));
    }
  }

  /** For when the last group was answered: nobody waits for a checkpoint then but the group that comes next. */
  checkpointIfDue(): void {
    if (this.#groups < GROUPS_PER_CHECKPOINT) return;
    this.#groups = 0;
    try {
      this.#connection?.db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // All is in the log, and stays there until it can be done. A disk that is full tells the next commit.
    }
  }

  /** What the last COMMIT took. */
  get commitMs(): number {
    return this.#commitMs;
  }

  migrate(migration: CompanionMigration): WriterFailure | undefined {
    try {
      migrateCompanion(this.#connect().db, migration);
      return undefined;
    } catch (error) {
      return writerFailure(error instanceof EventStoreError ? error.code : 'Unavailable', error);
    }
  }

  close(): void {
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  /**
   * COMMIT failed. SQLite promises neither outcome: a new connection reads which it was. If the group is not there,
   * its frames may still lie in the write-ahead log, where a crash could bring them back (an fsync that failed after
   * all was written), so it counts as not written only when another commit has taken their place. A full disk is the
   * exception: the last frame, which makes it a commit, was never written.
   */
  #settle(
    units: readonly SerialisedUnit[],
    outcomes: readonly WriterResult[],
    before: number,
    error: unknown,
  ): readonly WriterResult[] {
    this.#abandon();
    if (outcomes.every((outcome) => outcome.kind !== 'Done')) return outcomes;
    const all = (code: 'Unavailable' | 'Unknown'): WriterResult[] =>
      outcomes.map(() => writerFailure(code, error));
    try {
      const connection = this.#connect();
      const wrote = firstWritten(units, outcomes, before);
      if (wrote !== undefined && connection.executor.hasEventAt(wrote.id, wrote.position)) return outcomes;
      if (sqliteCode(error) === 'SQLITE_FULL') return all('Unavailable');
      // A group of companions' rows only leaves nothing to recognise it by.
      if (wrote === undefined) return all('Unknown');
      this.#begin(connection);
      connection.db.exec(PROBE);
      connection.commit.run();
      return all('Unavailable');
    } catch {
      this.#abandon();
      return all('Unknown');
    }
  }

  /**
   * Another process commits within milliseconds, so a short pause and another try beat SQLite's growing pauses, in
   * which a busy neighbour would keep the lock for itself.
   */
  #begin({ begin }: Connection): void {
    const deadline = performance.now() + this.options.busyTimeoutMs;
    for (;;) {
      try {
        begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        Atomics.wait(pauseCell, 0, 0, 0.2 + Math.random());
      }
    }
  }

  #connect(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    const db = this.open(this.options.file);
    this.#connection = {
      db,
      executor: new UnitExecutor(db),
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
    };
    return this.#connection;
  }

  /** After a fault nothing of the connection is trusted: closing it rolls back, and the next group opens another. */
  #abandon(): void {
    const db = this.#connection?.db;
    this.#connection = undefined;
    try {
      if (db?.inTransaction === true) db.exec('ROLLBACK');
    } catch {
      // Closing rolls back too.
    }
    db?.close();
  }
}

const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/** The id and position of an event that this group wrote itself: a repeat of an earlier append proves nothing. */
function firstWritten(
  units: readonly SerialisedUnit[],
  outcomes: readonly WriterResult[],
  before: number,
): { readonly id: string; readonly position: number } | undefined {
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind !== 'Done') continue;
    for (const [at, result] of outcome.steps.entries()) {
      const step = units[index]?.[at];
      if (result.kind !== 'Appended' || step?.kind !== 'append') continue;
      const id = step.events.at(-1)?.id;
      const position = positionNumber(result.position);
      if (id !== undefined && position > before) return { id, position };
    }
  }
  return undefined;
}

function writerFailure(code: WriterFailure['code'], error: unknown): WriterFailure {
  return { kind: 'Failed', code, message: describeFault(error) };
}
