import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Compilable, Kysely } from 'kysely';
import { withFileName } from '@tillstream/sqlite-driver';
import { openControlFile, replaceDamagedControl } from '../damage/control.recovery.js';
import { isDamage } from '../damage/damage.errors.js';
import { setAside, type OnSetAside } from '../damage/damaged-file.js';
import { compiler, dataVersion, type ControlTables } from '../tables/sqlite.dialect.js';
import type { ControlFile } from './control.file.js';
import {
  toGeneration,
  removeFiles,
  type Generation,
  type GenerationShape,
  type GenerationStatus,
} from './generation.js';
import type { LeaseTable } from './lease.table.js';

/** How soon a process notices that another one replaced a damaged control database. A look costs some microseconds. */
const POLL_INTERVAL_MS = 250;

/**
 * The small database that says which generation of each projection is live, shared by all processes on the directory.
 * Every change is one transaction. Blocking: all of it is rare or takes microseconds.
 */
export class ControlDatabase {
  readonly #kysely: Kysely<ControlTables> = compiler();
  #file: ControlFile;
  #ownChanges = 0;
  /** Counts the files that were opened under its name. */
  #opened = 0;
  #lookedAt = performance.now();
  #isGuarded = false;

  /**
   * @param source a name of the store that generations are made from; positions of one mean nothing in another
   * @param tell makes it mend: damaged files are set aside, and this is called. Left out: damage is thrown
   */
  constructor(
    readonly directory: string,
    readonly source = '',
    private readonly tell?: OnSetAside,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#file = openControlFile(directory, tell);
  }

  get setsDamagedAside(): boolean {
    return this.tell !== undefined;
  }

  /** Another text after each change, by this connection or another. Takes some microseconds. */
  version(): string {
    return this.#guarded(() => {
      this.#followReplaced();
      return `${this.#opened}.${dataVersion(this.#file.db)}.${this.#ownChanges}`;
    });
  }

  withLeases<T>(work: (leases: LeaseTable) => T): T {
    return this.#guarded(() => work(this.#file.leases));
  }

  generations(): Generation[] {
    const query = this.#kysely.selectFrom('generations').selectAll().orderBy('generation');
    return this.#all(query).map(toGeneration);
  }

  live(projection: string): Generation | undefined {
    return this.generations().find((one) => one.projection === projection && one.status === 'Live');
  }

  fileOf({ projection, generation }: Pick<Generation, 'projection' | 'generation'>): string {
    return join(this.directory, `${projection}-${generation}.db`);
  }

  /**
   * The live generation of a projection that has none: `make` makes its file before anybody can see it. What was damaged is
   * made again by a rebuild instead: rows that are missing would be taken for ones that never were.
   */
  ensureLive(shape: GenerationShape, now: number, make: (file: string) => void): void {
    const isThere = (): boolean => {
      const live = this.live(shape.projection);
      if (!live) return this.#damaged(shape.projection).length > 0;
      return existsSync(this.fileOf(live));
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
  replaceWithEmpty(
    live: Generation,
    shape: GenerationShape,
    now: number,
    make: (file: string) => void,
  ): boolean {
    return this.#inTransaction(() => {
      if (!this.#moved(live, 'Retired', now)) return false;
      this.#insertLive(shape, now, make);
      return true;
    });
  }

  /** A new generation that is being built; files left under its name are removed. */
  startBuilding(shape: GenerationShape, builder: string, now: number): Generation {
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
      for (const damaged of this.#damaged(built.projection)) this.#moved(damaged, 'Removed', now);
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
  inTransaction<T>(work: () => T): T {
    return this.#inTransaction(work);
  }

  close(): void {
    this.#file.close();
  }

  /**
   * The file of a live generation is damaged: renames it. The generation is live no more, and its list is made again.
   * Does nothing where it is not live any more, as after another process did this.
   */
  setAside(live: Generation, reason: string): void {
    const aside = this.#inTransaction(() =>
      this.#moved(live, 'Damaged', Date.now()) ? setAside(this.fileOf(live), reason) : undefined,
    );
    if (aside) this.tell?.(aside);
  }

  /** Whether the list is made again because its file was damaged: nothing of it can be asked until then. */
  isDamaged(projection: string): boolean {
    return !this.live(projection) && this.#damaged(projection).length > 0;
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

  #damaged(projection: string): Generation[] {
    return this.generations().filter((one) => one.projection === projection && one.status === 'Damaged');
  }

  #all(query: Compilable): Record<string, unknown>[] {
    return this.#guarded(() => this.#file.all(query));
  }

  #run(query: Compilable): number {
    this.#ownChanges += 1;
    return this.#guarded(() => this.#file.run(query));
  }

  #inTransaction<T>(work: () => T): T {
    return this.#guarded(() => this.#file.db.transaction(work).immediate());
  }

  /** A damaged control database is replaced, and `work` done once more. The outermost of several calls does it. */
  #guarded<T>(work: () => T): T {
    if (this.#isGuarded) return work();
    this.#isGuarded = true;
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (!this.tell) throw withFileName(error, this.#file.path);
      replaceDamagedControl(this.directory, this.tell);
      this.#reopen();
      return work();
    } finally {
      this.#isGuarded = false;
    }
  }

  /** Another process may have replaced a damaged file: what is open here is that one, and nobody else writes to it. */
  #followReplaced(): void {
    const now = performance.now();
    if (now < this.#lookedAt + POLL_INTERVAL_MS) return;
    this.#lookedAt = now;
    if (this.#file.isReplaced()) this.#reopen();
  }

  #reopen(): void {
    const before = this.#file;
    this.#file = openControlFile(this.directory, this.tell);
    this.#opened += 1;
    before.close();
  }
}
