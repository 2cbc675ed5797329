import type Database from 'better-sqlite3';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Compilable, Kysely } from 'kysely';
import { createControlTables, hasControlTables } from './control.schema.js';
import { LeaseTable } from './lease.table.js';
import { compiler, dataVersion, openFile, type ControlTables } from '../tables/sqlite.dialect.js';
import type { TableShape } from '@tillstream/read-models';

/** What a generation is made for: another version or layout needs another generation. */
export type GenerationShape = { readonly projection: string } & Pick<TableShape, 'rowsVersion' | 'layout'>;

/**
 * `Building`: nobody but its builder knows it. `Next`: announced, everybody writes to it too. `Live`: lists are answered
 * from it. `Retired`: it was live. `Removed`: its files are gone.
 */
export type GenerationStatus = 'Building' | 'Next' | 'Live' | 'Retired' | 'Removed';

export interface Generation {
  /** Never used again. */
  readonly generation: number;
  /** A list's name, or that of an ordered projection. */
  readonly projection: string;
  readonly rowsVersion: number;
  readonly layout: number;
  /** Of its events. */
  readonly source: string;
  readonly status: GenerationStatus;
  readonly builder: string;
  /** Ms, real time: of the last change of its status. */
  readonly changedAt: number;
  /** Why nothing is projected into it. */
  readonly halted: string | undefined;
}

/**
 * The small database that says which generation of each projection is live, shared by all processes on the directory.
 * Every change is one transaction. Blocking: all of it is rare or takes microseconds.
 */
export class ControlDatabase {
  readonly #db: Database.Database;
  readonly #kysely: Kysely<ControlTables> = compiler();
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();
  readonly leaseTable: LeaseTable;
  #ownChanges = 0;

  /** `source`: a name of the store that generations are made from; positions of one mean nothing in another. */
  constructor(
    readonly directory: string,
    readonly source = '',
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#db = openFile(join(directory, 'control.db'), 'maker');
    try {
      // The usual start finds all done, and does not wait for those who write.
      if (!hasControlTables(this.#db)) this.#inTransaction(() => createControlTables(this.#db));
      this.leaseTable = new LeaseTable(this.#db);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Another text after each change, by this connection or another. Takes some microseconds. */
  version(): string {
    return `${dataVersion(this.#db)}.${this.#ownChanges}`;
  }

  generations(): Generation[] {
    const query = this.#kysely.selectFrom('generations').selectAll().orderBy('generation');
    return this.#all(query).map((row) => ({
      generation: row['generation'] as number,
      projection: row['projection'] as string,
      rowsVersion: row['rows_version'] as number,
      layout: row['layout'] as number,
      source: row['source'] as string,
      status: row['status'] as GenerationStatus,
      builder: row['builder'] as string,
      changedAt: row['changed_at'] as number,
      halted: (row['halted'] as string | null) ?? undefined,
    }));
  }

  live(projection: string): Generation | undefined {
    return this.generations().find((one) => one.projection === projection && one.status === 'Live');
  }

  fileOf({ projection, generation }: Pick<Generation, 'projection' | 'generation'>): string {
    return join(this.directory, `${projection}-${generation}.db`);
  }

  /** The live generation of a projection that has none: `make` makes its file before anybody can see it. */
  ensureLive(shape: GenerationShape, now: number, make: (file: string) => void): void {
    const isThere = (): boolean => {
      const live = this.live(shape.projection);
      return live !== undefined && existsSync(this.fileOf(live));
    };
    if (isThere()) return;
    this.#inTransaction(() => {
      if (isThere()) return;
      const lost = this.live(shape.projection);
      if (lost) this.#moved(lost, 'Removed', now);
      this.#insertLive(shape, now, make);
    });
  }

  /** An empty generation takes the place of this one. False where it is not live any more. */
  startAnew(live: Generation, shape: GenerationShape, now: number, make: (file: string) => void): boolean {
    return this.#inTransaction(() => {
      if (!this.#moved(live, 'Retired', now)) return false;
      this.#insertLive(shape, now, make);
      return true;
    });
  }

  /** A new generation that is being built; files left under its name are removed. */
  begin(shape: GenerationShape, builder: string, now: number): Generation {
    const generation = this.#inTransaction(() => this.#insert(shape, 'Building', builder, now));
    removeFiles(this.fileOf({ projection: shape.projection, generation }));
    const { projection, rowsVersion, layout } = shape;
    const status = 'Building';
    const { source } = this;
    return {
      generation,
      projection,
      rowsVersion,
      layout,
      source,
      status,
      builder,
      changedAt: now,
      halted: undefined,
    };
  }

  /** False where its builder lost it. */
  announce(built: Generation, now: number): boolean {
    return this.#moved({ ...built, status: 'Building' }, 'Next', now);
  }

  /** The live generation retires and this one takes its place, in one step. False where its builder lost it. */
  swap(built: Generation, now: number): boolean {
    return this.#inTransaction(() => {
      const next = this.generations().find(({ generation }) => generation === built.generation);
      if (next?.status !== 'Next' || next.builder !== built.builder) return false;
      const before = this.live(built.projection);
      if (before) this.#moved(before, 'Retired', now);
      return this.#moved(next, 'Live', now);
    });
  }

  /** False where its status is not what it was taken for. Whoever has its files open still reads what it knew. */
  remove(generation: Generation, now: number): boolean {
    if (!this.#moved(generation, 'Removed', now)) return false;
    removeFiles(this.fileOf(generation));
    return true;
  }

  /** The newest number stays, so that none is given twice. */
  forgetRemoved(): void {
    const newest = this.#kysely
      .selectFrom('generations')
      .select(({ fn }) => fn.max('generation').as('newest'));
    const query = this.#kysely
      .deleteFrom('generations')
      .where('status', '=', 'Removed')
      .where('generation', '<', newest);
    this.#run(query);
  }

  /** Undefined: it goes on. */
  halt(generation: number, reason: string | undefined): void {
    this.#run(
      this.#kysely
        .updateTable('generations')
        .set({ halted: reason ?? null })
        .where('generation', '=', generation),
    );
  }

  /** With nobody else changing anything meanwhile, so that no file is made without its number. */
  undisturbed<T>(work: () => T): T {
    return this.#inTransaction(work);
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #insertLive(shape: GenerationShape, now: number, make: (file: string) => void): void {
    const generation = this.#insert(shape, 'Live', '', now);
    const file = this.fileOf({ projection: shape.projection, generation });
    removeFiles(file);
    make(file);
  }

  #insert(shape: GenerationShape, status: GenerationStatus, builder: string, now: number): number {
    const newest = this.#all(
      this.#kysely.selectFrom('generations').select(({ fn }) => fn.max('generation').as('newest')),
    )[0]?.['newest'] as number | null;
    const generation = (newest ?? 0) + 1;
    const { projection, rowsVersion: rows_version, layout } = shape;
    const { source } = this;
    this.#run(
      this.#kysely.insertInto('generations').values({
        ...{ generation, projection, rows_version, layout, source, status, builder },
        ...{ changed_at: now, halted: null },
      }),
    );
    return generation;
  }

  #moved({ generation, status: from }: Generation, to: GenerationStatus, now: number): boolean {
    const query = this.#kysely
      .updateTable('generations')
      .set({ status: to, changed_at: now })
      .where('generation', '=', generation)
      .where('status', '=', from);
    return this.#run(query) === 1;
  }

  #statement(query: Compilable): [Database.Statement<unknown[]>, readonly unknown[]] {
    const { sql: text, parameters } = query.compile();
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.#db.prepare(text)));
    return [statement, parameters];
  }

  #all(query: Compilable): Record<string, unknown>[] {
    const [statement, parameters] = this.#statement(query);
    return statement.all(...parameters) as Record<string, unknown>[];
  }

  #run(query: Compilable): number {
    const [statement, parameters] = this.#statement(query);
    this.#ownChanges += 1;
    return statement.run(...parameters).changes;
  }

  #inTransaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}

/** A database and what SQLite keeps beside it. Whoever has it open still reads what it knew. */
export function removeFiles(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    if (existsSync(one)) rmSync(one, { force: true });
  }
}
