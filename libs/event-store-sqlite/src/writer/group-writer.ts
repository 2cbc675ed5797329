import { EventStoreError, positionNumber } from '@tillstream/event-store';
import { blockWhileBusy, errorCode } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { migrateCompanion, openWriter, PROBE } from '../schema.js';
import { describeFault } from '../sqlite.faults.js';
import { AppendFailedMidway, UnitExecutor } from './unit-executor.js';
import type {
  CompanionMigration,
  WriterFailure,
  WriterOptions,
  WriterResult,
  SerialisedUnit,
} from './writer.messages.js';

/** About 4 MB of the write-ahead log. */
const GROUPS_PER_CHECKPOINT = 100;

const LOCK_PAUSE_MS = 1;

type Connection = ReturnType<typeof prepareConnection>;

/**
 * Commits groups of units, with one transaction and one fsync each. It blocks its thread, so it needs a thread of its own.
 * The constructor throws if the file can't be opened; later failures are results.
 */
export class GroupWriter {
  /** Duration of the last COMMIT. */
  commitMs = 0;
  #connection: Connection | undefined;
  #groupsSinceCheckpoint = 0;

  constructor(
    private readonly options: WriterOptions,
    private readonly open: (file: string) => Database.Database = openWriter,
  ) {
    this.#connection = this.#connect();
  }

  /** Returns one result per unit, in order, after the COMMIT. After `Unavailable` nothing was written. */
  commit(units: readonly SerialisedUnit[]): readonly WriterResult[] {
    let results: WriterResult[];
    let headBefore: number;
    try {
      const connection = this.#connect();
      this.#begin(connection);
      headBefore = connection.executor.lastPosition();
      results = this.#run(connection, units);
    } catch (error) {
      this.#abandon();
      return units.map(() => writerFailure('Unavailable', error));
    }
    try {
      const startedAt = performance.now();
      this.#connect().commit.run();
      this.commitMs = performance.now() - startedAt;
      this.#groupsSinceCheckpoint += 1;
      return results;
    } catch (error) {
      return this.#settleFailedCommit(units, results, headBefore, error);
    }
  }

  /** Runs the units without savepoints first. If an append fails midway (a duplicate event id), it starts again with them. */
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

  /** Call it after the reply to a group, so that only the next group waits for the checkpoint. */
  checkpointIfDue(): void {
    if (this.#groupsSinceCheckpoint < GROUPS_PER_CHECKPOINT) return;
    this.#groupsSinceCheckpoint = 0;
    try {
      this.#connection?.db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // The events stay in the log until a later checkpoint succeeds. If the disk is full, the next commit reports it.
    }
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
   * Finds the results after COMMIT failed. SQLite does not say whether the group is written, so a new connection reads it.
   * If the group is missing, its frames may still be in the write-ahead log (an fsync failed after the write), and a crash
   * could bring them back. So the group counts as not written only after another commit has overwritten the frames. A full
   * disk is the exception: the last frame, which completes a commit, was never written.
   */
  #settleFailedCommit(
    units: readonly SerialisedUnit[],
    results: readonly WriterResult[],
    headBefore: number,
    error: unknown,
  ): readonly WriterResult[] {
    this.#abandon();
    if (results.every((result) => result.kind !== 'Done')) return results;
    const failAll = (code: 'Unavailable' | 'Unknown'): WriterResult[] =>
      results.map(() => writerFailure(code, error));
    try {
      const connection = this.#connect();
      const written = firstWritten(units, results, headBefore);
      if (written !== undefined && connection.executor.hasEventAt(written.id, written.position))
        return results;
      if (errorCode(error) === 'SQLITE_FULL') return failAll('Unavailable');
      // A group with rows of companions only has no event to look for.
      if (written === undefined) return failAll('Unknown');
      this.#begin(connection);
      connection.db.exec(PROBE);
      connection.commit.run();
      return failAll('Unavailable');
    } catch {
      this.#abandon();
      return failAll('Unknown');
    }
  }

  /** Waits for the lock with short pauses, because other processes commit within milliseconds. */
  #begin({ begin }: Connection): void {
    blockWhileBusy(() => begin.run(), this.options.busyTimeoutMs, LOCK_PAUSE_MS);
  }

  #connect(): Connection {
    return (this.#connection ??= prepareConnection(this.open(this.options.file)));
  }

  /** Closes the connection after a fault, which rolls back. The next group opens another one. */
  #abandon(): void {
    const db = this.#connection?.db;
    this.#connection = undefined;
    try {
      if (db?.inTransaction === true) db.exec('ROLLBACK');
    } catch {
      // `close` rolls back too.
    }
    db?.close();
  }
}

function prepareConnection(db: Database.Database) {
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  return { db, executor: new UnitExecutor(db), begin, commit };
}

/** The id and position of an event that this group wrote; a repeat of an earlier append does not count. */
function firstWritten(
  units: readonly SerialisedUnit[],
  results: readonly WriterResult[],
  headBefore: number,
): { readonly id: string; readonly position: number } | undefined {
  for (const [index, unitResult] of results.entries()) {
    if (unitResult.kind !== 'Done') continue;
    for (const [at, result] of unitResult.steps.entries()) {
      const step = units[index]?.[at];
      if (result.kind !== 'Appended' || step?.kind !== 'append') continue;
      const id = step.events.at(-1)?.id;
      const position = positionNumber(result.position);
      if (id !== undefined && position > headBefore) return { id, position };
    }
  }
  return undefined;
}

function writerFailure(code: WriterFailure['code'], error: unknown): WriterFailure {
  return { kind: 'Failed', code, message: describeFault(error) };
}
