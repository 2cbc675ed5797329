import {
  EventStoreError,
  positionFromNumber,
  type AppendResult,
  type SerialisedEvent,
} from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { eventIdBytes } from '../reader/event-row.js';
import { describeFault, isStorageFault } from '../sqlite.faults.js';
import type { WriteStepResult, WriteUnitResult } from './write-unit.js';
import type { WriterFailure, SerialisedStep, SerialisedUnit } from './writer.messages.js';

type AppendStep = Extract<SerialisedStep, { kind: 'append' }>;
type RunStep = Extract<SerialisedStep, { kind: 'run' }>;
type UnitRefusal = Extract<WriteUnitResult, { kind: 'Refused' }>['because'];

/** Companions use few SQL texts. The limit guards against SQL texts that contain values. */
const STATEMENTS_MAX = 500;
/** Payments append far fewer events at a time. */
const ROWS_PER_INSERT_MAX = 50;

/** An append without a savepoint failed after it had written rows. */
export class AppendFailedMidway extends Error {}

/** Runs units inside the open transaction of the connection. */
export class UnitExecutor {
  readonly #savepoint: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #head: Database.Statement<[string], number | null>;
  /** By the number of events. */
  readonly #insert: StatementByCount;
  readonly #at: Database.Statement<[string, number], { position: number; id: Buffer }>;
  readonly #byId: Database.Statement<[Buffer], { position: number; stream: string; revision: number }>;
  readonly #last: Database.Statement<[], number | null>;
  readonly #companions: LRUCache<string, Database.Statement<unknown[]>>;

  constructor(private readonly db: Database.Database) {
    this.#companions = new LRUCache({ max: STATEMENTS_MAX, memoMethod: (sql) => db.prepare(sql) });
    this.#savepoint = db.prepare('SAVEPOINT unit');
    this.#release = db.prepare('RELEASE unit');
    this.#undo = db.prepare('ROLLBACK TO unit');
    this.#head = db
      .prepare<[string], number | null>('SELECT max(revision) FROM events WHERE stream = ?')
      .pluck();
    this.#at = db.prepare('SELECT position, id FROM events WHERE stream = ? AND revision = ?');
    this.#byId = db.prepare('SELECT position, stream, revision FROM events WHERE id = ?');
    this.#last = db.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
    this.#insert = prepareOncePerCount(db, (count) => `${INSERT} VALUES ${valuesClause(count)}`);
  }

  /**
   * As `run`, but without a savepoint for a unit of one append: it refuses before it writes, or writes all. The savepoint
   * would cost a tenth of the append. Throws `AppendFailedMidway` if the caller has to roll back the group and run it again.
   */
  runWithoutSavepoint(unit: SerialisedUnit): WriteUnitResult | WriterFailure {
    const [step] = unit;
    if (step?.kind !== 'append' || unit.length > 1) return this.run(unit);
    try {
      const result = this.#append(step);
      if (result.kind === 'Conflict') return { kind: 'Refused', step: 0, because: result };
      return { kind: 'Done', steps: [result] };
    } catch (error) {
      if (isStorageFault(error) || !this.db.inTransaction) throw error;
      throw new AppendFailedMidway();
    }
  }

  /**
   * Runs all steps, or none. Throws only storage faults, which concern the whole group. An error of the unit itself, such as
   * a broken constraint, is its result.
   */
  run(unit: SerialisedUnit): WriteUnitResult | WriterFailure {
    this.#savepoint.run();
    try {
      const steps: WriteStepResult[] = [];
      for (const [index, step] of unit.entries()) {
        const result = step.kind === 'append' ? this.#append(step) : this.#runCompanion(step);
        if (result.kind === 'Conflict' || result.kind === 'Unchanged') return this.#refuse(index, result);
        steps.push(result);
      }
      this.#release.run();
      return { kind: 'Done', steps };
    } catch (error) {
      // After some errors SQLite itself rolls back the whole transaction.
      if (isStorageFault(error) || !this.db.inTransaction) throw error;
      this.#rollBack();
      const message = error instanceof EventStoreError ? error.message : describeFault(error);
      return { kind: 'Failed', code: 'Invalid', message };
    }
  }

  /** Whether the event has this position. */
  hasEventAt(id: string, position: number): boolean {
    return this.#byId.get(eventIdBytes(id))?.position === position;
  }

  lastPosition(): number {
    return this.#last.get() ?? 0;
  }

  #refuse(step: number, because: UnitRefusal): WriteUnitResult {
    this.#rollBack();
    return { kind: 'Refused', step, because };
  }

  #rollBack(): void {
    this.#undo.run();
    this.#release.run();
  }

  #append({ stream, expected, events }: AppendStep): AppendResult {
    if (expected === 'any') {
      const first = events[0] && this.#byId.get(eventIdBytes(events[0].id));
      if (first?.stream === stream) {
        return this.#findEarlierAppend(stream, first.revision, events) ?? conflict(this.#headOf(stream));
      }
    }
    const last = expected === 'any' ? this.#headOf(stream) : expected === 'none' ? -1 : expected;
    return (
      this.#write(stream, last, events) ??
      this.#findEarlierAppend(stream, last + 1, events) ??
      conflict(this.#headOf(stream))
    );
  }

  /** Returns undefined and writes nothing if the last revision of the stream is not `last`. */
  #write(stream: string, last: number, events: readonly SerialisedEvent[]): AppendResult | undefined {
    // The transaction has the lock of writers, so no other event can follow before these.
    if (this.#headOf(stream) !== last) return undefined;
    let position = 0;
    for (let from = 0; from < events.length; from += ROWS_PER_INSERT_MAX) {
      position = this.#writeRows(stream, last + from, events.slice(from, from + ROWS_PER_INSERT_MAX));
    }
    return { kind: 'Appended', revision: last + events.length, position: positionFromNumber(position) };
  }

  /** Returns the position of the last event. */
  #writeRows(stream: string, last: number, events: readonly SerialisedEvent[]): number {
    const params: (string | number | Buffer)[] = [];
    let revision = last;
    for (const { id, type, data, metadata } of events) {
      params.push(stream, ++revision, eventIdBytes(id), type, data, metadata);
    }
    try {
      return Number(this.#insert(events.length).run(...params).lastInsertRowid);
    } catch (error) {
      const duplicate = events.find(({ id }) => this.#byId.get(eventIdBytes(id)) !== undefined);
      if (duplicate === undefined) throw error;
      throw new EventStoreError('Invalid', `the store already holds an event ${duplicate.id}`);
    }
  }

  #headOf(stream: string): number {
    return this.#head.get(stream) ?? -1;
  }

  /** The result of an earlier identical append: the stream has these events in a row from `revision`. */
  #findEarlierAppend(
    stream: string,
    revision: number,
    events: readonly SerialisedEvent[],
  ): AppendResult | undefined {
    let position = 0;
    for (const [index, event] of events.entries()) {
      const row = this.#at.get(stream, revision + index);
      if (row === undefined || !eventIdBytes(event.id).equals(row.id)) return undefined;
      position = row.position;
    }
    return {
      kind: 'Appended',
      revision: revision + events.length - 1,
      position: positionFromNumber(position),
    };
  }

  #runCompanion({ sql, params, mustChange }: RunStep): WriteStepResult | { readonly kind: 'Unchanged' } {
    const { changes } = this.#companions.memo(sql).run(...params);
    return mustChange && changes === 0 ? { kind: 'Unchanged' } : { kind: 'Ran', changes };
  }
}

const INSERT = 'INSERT INTO events (stream, revision, id, type, data, metadata)';

type StatementByCount = (events: number) => Database.Statement<unknown[]>;

function prepareOncePerCount(db: Database.Database, sqlOf: (events: number) => string): StatementByCount {
  const prepared: Database.Statement<unknown[]>[] = [];
  return (events) => (prepared[events] ??= db.prepare(sqlOf(events)));
}

const valuesClause = (count: number): string => Array(count).fill('(?, ?, ?, ?, ?, ?)').join(', ');

function conflict(head: number): AppendResult {
  return { kind: 'Conflict', actual: head < 0 ? 'none' : head };
}
