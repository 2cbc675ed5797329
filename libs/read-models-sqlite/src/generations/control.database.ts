import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Compilable, Kysely } from 'kysely';
import { withFileName } from '@tillstream/sqlite-driver';
import { openControlFile, replaceDamagedControl } from '../damage/control.recovery.js';
import { isDamage } from '../damage/damage.errors.js';
import { setAside, type OnSetAside } from '../damage/damaged-file.js';
import { compiler, dataVersion, type ControlTables } from '../tables/sqlite.dialect.js';
import type { ControlFile } from './control.file.js';
import { toGeneration, removeFiles } from './generation.js';
import type { Generation, GenerationShape, GenerationStatus } from './generation.js';
import type { LeaseTable } from './lease.table.js';

/** How soon a process notices that another one has replaced a damaged control database. */
const POLL_INTERVAL_MS = 250;

/**
 * The small database that says which generation of each projection is live, shared by all processes on the directory.
 * Every change is one transaction. Blocking: its operations are rare, or take microseconds.
 */
export class ControlDatabase {
  readonly #kysely: Kysely<ControlTables> = compiler();
  #file: ControlFile;
  #ownChanges = 0;
  #reopens = 0;
  #polledAt = performance.now();
  #isRecovering = false;

  /**
   * @param source the name of the event store that generations are made from. Positions of one store mean nothing in another
   * @param onSetAside enables recovery: damaged files are set aside, and this is called. If undefined, damage is thrown
   */
  constructor(
    readonly directory: string,
    readonly source = '',
    private readonly onSetAside?: OnSetAside,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#file = openControlFile(directory, onSetAside);
  }

  get setsDamagedAside(): boolean {
    return this.onSetAside !== undefined;
  }

  /** A different text after each change by any connection. Takes some microseconds. */
  version(): string {
    return this.#withRecovery(() => {
      this.#reopenIfReplaced();
      return `${this.#reopens}.${dataVersion(this.#file.db)}.${this.#ownChanges}`;
    });
  }

  withLeases<T>(work: (leases: LeaseTable) => T): T {
    return this.#withRecovery(() => work(this.#file.leases));
  }

  generations(): Generation[] {
    const query = this.#kysely.selectFrom('generations').selectAll().orderBy('generation');
    return this.#all<Record<string, unknown>>(query).map(toGeneration);
  }

  live(projection: string): Generation | undefined {
    return this.#withStatus(projection, 'Live')[0];
  }

  fileOf({ projection, generation }: Pick<Generation, 'projection' | 'generation'>): string {
    return join(this.directory, `${projection}-${generation}.db`);
  }

  /**
   * Creates the live generation of a projection that has none. `create` makes its file before other processes see it. A
   * damaged list is left to a rebuild: an empty generation would answer as if its rows had never existed.
   */
  ensureLive(shape: GenerationShape, now: number, create: (file: string) => void): void {
    const exists = (): boolean => {
      const live = this.live(shape.projection);
      return live ? existsSync(this.fileOf(live)) : this.isDamaged(shape.projection);
    };
    if (exists()) return;
    this.inTransaction(() => {
      if (exists()) return;
      const lost = this.live(shape.projection);
      if (lost) this.#changeStatus(lost, 'Removed', now);
      this.#insertLive(shape, now, create);
    });
  }

  /** Replaces a live generation with an empty one. False if it is no longer live. */
  replaceWithEmpty(
    live: Generation,
    shape: GenerationShape,
    now: number,
    create: (file: string) => void,
  ): boolean {
    return this.inTransaction(() => {
      if (!this.#changeStatus(live, 'Retired', now)) return false;
      this.#insertLive(shape, now, create);
      return true;
    });
  }

  /** Registers a new generation that `builder` builds, and removes files left under its name. */
  startBuilding(shape: GenerationShape, builder: string, now: number): Generation {
    const built = this.inTransaction(() => this.#insert(shape, 'Building', builder, now));
    removeFiles(this.fileOf(built));
    return built;
  }

  /** False if its builder lost it. */
  announce(built: Generation, now: number): boolean {
    return this.#changeStatus({ ...built, status: 'Building' }, 'Next', now);
  }

  /** In one step, the live generation retires and this one becomes live. False if its builder lost it. */
  swap(built: Generation, now: number): boolean {
    return this.inTransaction(() => {
      const next = this.generations().find(({ generation }) => generation === built.generation);
      if (next?.status !== 'Next' || next.builder !== built.builder) return false;
      const live = this.live(built.projection);
      if (live) this.#changeStatus(live, 'Retired', now);
      for (const damaged of this.#withStatus(built.projection, 'Damaged')) {
        this.#changeStatus(damaged, 'Removed', now);
      }
      return this.#changeStatus(next, 'Live', now);
    });
  }

  /** False if its status has changed. Connections that have its files open still read the old content. */
  remove(generation: Generation, now: number): boolean {
    if (!this.#changeStatus(generation, 'Removed', now)) return false;
    removeFiles(this.fileOf(generation));
    return true;
  }

  /** Removes a generation whose build has ended, unless it became live. */
  abandon(built: Generation, now: number): void {
    for (const status of ['Building', 'Next'] as const) this.remove({ ...built, status }, now);
  }

  /** Deletes the records of removed generations. The newest number stays, so that it is never used again. */
  forgetRemoved(): void {
    const removed = this.#kysely.deleteFrom('generations').where('status', '=', 'Removed');
    this.#run(removed.where('generation', '<', this.#newestNumber()));
  }

  /** Records why a generation has halted; undefined: it has resumed. */
  halt(generation: number, reason: string | undefined): void {
    const update = this.#kysely.updateTable('generations').set({ halted: reason ?? null });
    this.#run(update.where('generation', '=', generation));
  }

  /** No other connection writes while `work` runs. */
  inTransaction<T>(work: () => T): T {
    return this.#withRecovery(() => this.#file.db.transaction(work).immediate());
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Renames the damaged file of a live generation. The generation is no longer live, and its list is rebuilt. Does nothing
   * if the generation is not live, for example because another process has set it aside.
   */
  setAside(live: Generation, reason: string): void {
    const move = this.inTransaction(() =>
      this.#changeStatus(live, 'Damaged', Date.now()) ? setAside(this.fileOf(live), reason) : undefined,
    );
    if (move) this.onSetAside?.(move);
  }

  /** The file of the list was damaged, and the list can't answer until it is rebuilt. */
  isDamaged(projection: string): boolean {
    return !this.live(projection) && this.#withStatus(projection, 'Damaged').length > 0;
  }

  #insertLive(shape: GenerationShape, now: number, create: (file: string) => void): void {
    const file = this.fileOf(this.#insert(shape, 'Live', '', now));
    removeFiles(file);
    create(file);
  }

  #insert(shape: GenerationShape, status: GenerationStatus, builder: string, now: number): Generation {
    const [row] = this.#all<{ readonly newest: number | null }>(this.#newestNumber());
    const { projection, rowsVersion, layout } = shape;
    const { source } = this;
    const added = { generation: (row?.newest ?? 0) + 1, projection, layout, source, status, builder };
    const values = { ...added, rows_version: rowsVersion, changed_at: now, halted: null };
    this.#run(this.#kysely.insertInto('generations').values(values));
    return { ...added, rowsVersion, changedAt: now, halted: undefined };
  }

  #newestNumber() {
    return this.#kysely.selectFrom('generations').select(({ fn }) => fn.max('generation').as('newest'));
  }

  /** Compare-and-swap: false if the status is no longer that of `generation`. */
  #changeStatus({ generation, status: from }: Generation, to: GenerationStatus, now: number): boolean {
    const query = this.#kysely
      .updateTable('generations')
      .set({ status: to, changed_at: now })
      .where('generation', '=', generation)
      .where('status', '=', from);
    return this.#run(query) === 1;
  }

  #withStatus(projection: string, status: GenerationStatus): Generation[] {
    return this.generations().filter((known) => known.projection === projection && known.status === status);
  }

  #all<Row>(query: Compilable): Row[] {
    return this.#withRecovery(() => this.#file.statements.all<Row>(query));
  }

  #run(query: Compilable): number {
    this.#ownChanges += 1;
    return this.#withRecovery(() => this.#file.statements.run(query));
  }

  /** Replaces a damaged control database and repeats `work` once. Of nested calls only the outermost does so. */
  #withRecovery<T>(work: () => T): T {
    if (this.#isRecovering) return work();
    this.#isRecovering = true;
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (!this.onSetAside) throw withFileName(error, this.#file.path);
      replaceDamagedControl(this.directory, this.onSetAside);
      this.#reopen();
      return work();
    } finally {
      this.#isRecovering = false;
    }
  }

  /** If another process has replaced a damaged file, this connection has the old file open, which no longer changes. */
  #reopenIfReplaced(): void {
    const now = performance.now();
    if (now < this.#polledAt + POLL_INTERVAL_MS) return;
    this.#polledAt = now;
    if (this.#file.isReplaced()) this.#reopen();
  }

  #reopen(): void {
    const old = this.#file;
    this.#file = openControlFile(this.directory, this.onSetAside);
    this.#reopens += 1;
    old.close();
  }
}
