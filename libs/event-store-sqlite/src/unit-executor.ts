import {
  EventStoreError,
  positionOf,
  type AppendResult,
  type SerialisedEvent,
} from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { eventIdBytes } from './event-row.js';
import { describeFault, isStorageFault } from './sqlite.faults.js';
import type { StepResult, UnitResult } from './unit.js';
import type { WriterFailure, WriterStep, WriterUnit } from './writer.messages.js';

type AppendStep = Extract<WriterStep, { kind: 'append' }>;
type RunStep = Extract<WriterStep, { kind: 'run' }>;
type Refusal = Extract<UnitResult, { kind: 'Refused' }>['because'];

/** SQL of companions is a handful of texts; the bound only guards against SQL put together with values in it. */
const MOST_STATEMENTS = 500;

/** An append without a savepoint can't be undone by itself. */
export class AppendBroke extends Error {}

/** Runs units inside the transaction that is open on the connection, each in a savepoint of its own. */
export class UnitExecutor {
  readonly #savepoint: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #head: Database.Statement<[string], number | null>;
  readonly #insert: Database.Statement<[string, number, Buffer, string, string, string]>;
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
    this.#insert = db.prepare(
      'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#at = db.prepare('SELECT position, id FROM events WHERE stream = ? AND revision = ?');
    this.#byId = db.prepare('SELECT position, stream, revision FROM events WHERE id = ?');
    this.#last = db.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
  }

  /**
   * As `run`, but a unit of one append goes without a savepoint, which costs a tenth of it: an append refuses before it
   * writes, or writes all. Throws `AppendBroke` where it broke in the middle: the group is to be rolled back and run again.
   */
  runLightly(unit: WriterUnit): UnitResult | WriterFailure {
    const [step] = unit;
    if (step?.kind !== 'append' || unit.length > 1) return this.run(unit);
    try {
      const result = this.#append(step);
      if (result.kind === 'Conflict') return { kind: 'Refused', step: 0, because: result };
      return { kind: 'Done', steps: [result] };
    } catch (error) {
      if (isStorageFault(error) || !this.db.inTransaction) throw error;
      throw new AppendBroke();
    }
  }

  /**
   * All steps, or nothing of the unit. Throws only what concerns the whole group (a fault of the storage); an error
   * of the unit's own, such as a broken constraint, is its outcome.
   */
  run(unit: WriterUnit): UnitResult | WriterFailure {
    this.#savepoint.run();
    try {
      const steps: StepResult[] = [];
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
  holds(id: string, position: number): boolean {
    return this.#byId.get(eventIdBytes(id))?.position === position;
  }

  lastPosition(): number {
    return this.#last.get() ?? 0;
  }

  #refuse(step: number, because: Refusal): UnitResult {
    this.#rollBack();
    return { kind: 'Refused', step, because };
  }

  #rollBack(): void {
    this.#undo.run();
    this.#release.run();
  }

  #append(step: AppendStep): AppendResult {
    const { stream, expected, events } = step;
    const head = this.#head.get(stream) ?? -1;
    if (expected === 'any') {
      const first = events[0] && this.#byId.get(eventIdBytes(events[0].id));
      if (first?.stream === stream) return this.#earlier(stream, first.revision, events) ?? conflict(head);
    } else {
      const due = expected === 'none' ? -1 : expected;
      if (due !== head) return this.#earlier(stream, due + 1, events) ?? conflict(head);
    }
    let revision = head;
    let position = 0;
    for (const event of events) {
      revision += 1;
      position = this.#write(stream, revision, event);
    }
    return { kind: 'Appended', revision, position: positionOf(position) };
  }

  #write(stream: string, revision: number, event: SerialisedEvent): number {
    const id = eventIdBytes(event.id);
    try {
      return Number(
        this.#insert.run(stream, revision, id, event.type, event.data, event.metadata).lastInsertRowid,
      );
    } catch (error) {
      if (this.#byId.get(id) === undefined) throw error;
      throw new EventStoreError('Invalid', `the store already holds an event ${event.id}`);
    }
  }

  /** The result of the same append, if these events are in the stream in a row from `revision`. */
  #earlier(stream: string, revision: number, events: readonly SerialisedEvent[]): AppendResult | undefined {
    let position = 0;
    for (const [index, event] of events.entries()) {
      const row = this.#at.get(stream, revision + index);
      if (row === undefined || !eventIdBytes(event.id).equals(row.id)) return undefined;
      position = row.position;
    }
    return { kind: 'Appended', revision: revision + events.length - 1, position: positionOf(position) };
  }

  #runCompanion({ sql, params, mustChange }: RunStep): StepResult | { readonly kind: 'Unchanged' } {
    let statement = this.#companions.get(sql);
    if (statement === undefined) {
      if (this.#companions.size >= MOST_STATEMENTS) this.#companions.clear();
      statement = this.db.prepare(sql);
      this.#companions.set(sql, statement);
    }
    const { changes } = statement.run(...params);
    return mustChange && changes === 0 ? { kind: 'Unchanged' } : { kind: 'Ran', changes };
  }
}

function conflict(head: number): AppendResult {
  return { kind: 'Conflict', actual: head < 0 ? 'none' : head };
}
