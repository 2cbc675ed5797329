import {
  EventStoreError,
  positionFromNumber,
  type AppendResult,
  type SerialisedEvent,
} from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { eventIdBytes } from '../reader/event-row.js';
import { describeFault, isStorageFault, isUniqueViolation } from '../sqlite.faults.js';
import type { WriteStepResult, WriteUnitResult } from './write-unit.js';
import type { WriterFailure, SerialisedStep, SerialisedUnit } from './writer.messages.js';

type AppendStep = Extract<SerialisedStep, { kind: 'append' }>;
type RunStep = Extract<SerialisedStep, { kind: 'run' }>;
type UnitRefusal = Extract<WriteUnitResult, { kind: 'Refused' }>['because'];

/** SQL of companions is a handful of texts; the bound only guards against SQL put together with values in it. */
const STATEMENTS_MAX = 500;
/** In one statement; what payments append at a time is far less. */
const ROWS_PER_INSERT_MAX = 50;

/** An append without a savepoint can't be undone by itself. */
export class AppendFailedMidway extends Error {}

/** Runs units inside the transaction that is open on the connection, each in a savepoint of its own. */
export class UnitExecutor {
  readonly #savepoint: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #head: Database.Statement<[string], number | null>;
  /** By the number of events: of a new stream nothing has to be looked up, its index refuses a second first event. */
  readonly #beginning: StatementByCount;
  readonly #following: StatementByCount;
  readonly #at: Database.Statement<[string, number], { position: number; id: Buffer }>;
  readonly #byId: Database.Statement<[Buffer], { position: number; stream: string; revision: number }>;
  readonly #last: Database.Statement<[], number | null>;
  readonly #companions = new Map<string, Database.Statement<unknown[]>>();

  constructor(private readonly db: Database.Database) {
    this.#savepoint = db.prepare('SAVEPOINT unit');
    this.#release = db.prepare('RELEASE unit');
    this.#undo = db.prepare('ROLLBACK TO unit');
    this.#head = db
      .prepare<[string], number | null>('SELECT max(revision) FROM events WHERE stream = ?')
      .pluck();
    this.#at = db.prepare('SELECT position, id FROM events WHERE stream = ? AND revision = ?');
    this.#byId = db.prepare('SELECT position, stream, revision FROM events WHERE id = ?');
    this.#last = db.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
    this.#beginning = prepareOncePerCount(db, (count) => `${INSERT} VALUES ${valuesClause(count)}`);
    this.#following = prepareOncePerCount(
      db,
      (count) => `${INSERT} SELECT * FROM (VALUES ${valuesClause(count)})
        WHERE (SELECT coalesce(max(revision), -1) FROM events WHERE stream = ?) = ?`,
    );
  }

  /**
   * As `run`, but a unit of one append goes without a savepoint, which costs a tenth of it: an append refuses before it
   * writes, or writes all. Throws `AppendFailedMidway` where it broke in the middle: the group is to be rolled back and run again.
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
   * All steps, or nothing of the unit. Throws only what concerns the whole group (a fault of the storage); an error
   * of the unit's own, such as a broken constraint, is its outcome.
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
      // SQLite ends the whole transaction by itself on some errors.
      if (isStorageFault(error) || !this.db.inTransaction) throw error;
      this.#rollBack();
      const message = error instanceof EventStoreError ? error.message : describeFault(error);
      return { kind: 'Failed', code: 'Invalid', message };
    }
  }

  /** Whether this event lies at this position. */
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
        return this.#earlier(stream, first.revision, events) ?? conflict(this.#headOf(stream));
      }
    }
    const due = expected === 'any' ? this.#headOf(stream) : expected === 'none' ? -1 : expected;
    return (
      this.#write(stream, due, events) ??
      this.#earlier(stream, due + 1, events) ??
      conflict(this.#headOf(stream))
    );
  }

  /** Undefined, and nothing written, where the stream does not end at `due`. */
  #write(stream: string, due: number, events: readonly SerialisedEvent[]): AppendResult | undefined {
    let result: AppendResult | undefined;
    for (let from = 0; from < events.length; from += ROWS_PER_INSERT_MAX) {
      result = this.#writeRows(stream, due + from, events.slice(from, from + ROWS_PER_INSERT_MAX));
      if (result === undefined) return undefined;
    }
    return result;
  }

  /** Check and write in one statement: it costs little more than one row by itself. */
  #writeRows(stream: string, due: number, events: readonly SerialisedEvent[]): AppendResult | undefined {
    const params: (string | number | Buffer)[] = [];
    let revision = due;
    for (const { id, type, data, metadata } of events) {
      params.push(stream, ++revision, eventIdBytes(id), type, data, metadata);
    }
    const isFirst = due < 0;
    try {
      const { changes, lastInsertRowid } = isFirst
        ? this.#beginning(events.length).run(...params)
        : this.#following(events.length).run(...params, stream, due);
      return changes === 0
        ? undefined
        : { kind: 'Appended', revision, position: positionFromNumber(Number(lastInsertRowid)) };
    } catch (error) {
      if (isFirst && isUniqueViolation(error) && this.#headOf(stream) >= 0) return undefined;
      const held = events.find(({ id }) => this.#byId.get(eventIdBytes(id)) !== undefined);
      if (held === undefined) throw error;
      throw new EventStoreError('Invalid', `the store already holds an event ${held.id}`);
    }
  }

  #headOf(stream: string): number {
    return this.#head.get(stream) ?? -1;
  }

  /** The result of the same append, if these events are in the stream in a row from `revision`. */
  #earlier(stream: string, revision: number, events: readonly SerialisedEvent[]): AppendResult | undefined {
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
    let statement = this.#companions.get(sql);
    if (statement === undefined) {
      if (this.#companions.size >= STATEMENTS_MAX) this.#companions.clear();
      statement = this.db.prepare(sql);
      this.#companions.set(sql, statement);
    }
    const { changes } = statement.run(...params);
    return mustChange && changes === 0 ? { kind: 'Unchanged' } : { kind: 'Ran', changes };
  }
}

const INSERT = 'INSERT INTO events (stream, revision, id, type, data, metadata)';

type StatementByCount = (events: number) => Database.Statement<unknown[]>;

function prepareOncePerCount(db: Database.Database, sqlOf: (events: number) => string): StatementByCount {
  const prepared = new Map<number, Database.Statement<unknown[]>>();
  return (events) => {
    let statement = prepared.get(events);
    if (statement === undefined) {
      statement = db.prepare(sqlOf(events));
      prepared.set(events, statement);
    }
    return statement;
  };
}

const valuesClause = (count: number): string => Array(count).fill('(?, ?, ?, ?, ?, ?)').join(', ');

function conflict(head: number): AppendResult {
  return { kind: 'Conflict', actual: head < 0 ? 'none' : head };
}
