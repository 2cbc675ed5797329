import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setAside, type DamageLog } from '../damage/file.damage.js';
import { ControlConnection } from './control.connection.js';
import { removeFiles, type Generation, type GenerationShape, type GenerationStatus } from './generation.js';

/**
 * The small database that says which generation of each projection is live, shared by all processes on the directory.
 * Every change is one transaction. Blocking: its operations are rare, or take microseconds.
 */
export class ControlDatabase extends ControlConnection {
  #readVersion = '';
  #generations: readonly Generation[] = [];

  /** @param source the name of the event store that generations are made from. Positions of one store mean nothing in another */
  constructor(
    directory: string,
    readonly source = '',
    log?: DamageLog,
  ) {
    super(directory, log);
  }

  /** The same array until any process changes the control database. */
  generations(): readonly Generation[] {
    const version = this.version();
    if (version === this.#readVersion) return this.#generations;
    const query = this.build
      .selectFrom('generations')
      .select(['generation', 'projection', 'rows_version as rowsVersion', 'layout', 'source', 'status'])
      .select(['builder', 'changed_at as changedAt', 'halted'])
      .orderBy('generation');
    const rows = this.all<Generation & { readonly halted: string | null | undefined }>(query);
    this.#generations = rows.map((row) => ({ ...row, halted: row.halted ?? undefined }));
    // Read before the generations: the next call notices a change between the two reads.
    this.#readVersion = version;
    return this.#generations;
  }

  live(projection: string): Generation | undefined {
    return this.#withStatus(projection, 'Live');
  }

  /** The file of the list was damaged, and the list can't answer until it is rebuilt. */
  isDamaged(projection: string): boolean {
    return !this.live(projection) && this.#withStatus(projection, 'Damaged') !== undefined;
  }

  fileOf({ projection, generation }: Pick<Generation, 'projection' | 'generation'>): string {
    return join(this.directory, `${projection}-${generation}.db`);
  }

  /**
   * Creates the live generation of a projection that has none. `create` makes its file before other processes see it. A
   * damaged list is left to a rebuild: an empty generation would answer as if its rows had never existed.
   */
  ensureLive(shape: GenerationShape, create: (file: string) => void): void {
    const exists = (): boolean => {
      const live = this.live(shape.projection);
      return live ? existsSync(this.fileOf(live)) : this.isDamaged(shape.projection);
    };
    if (exists()) return;
    this.inTransaction(() => {
      if (exists()) return;
      const lost = this.live(shape.projection);
      if (lost) this.#changeStatus(lost, 'Removed');
      this.#insertLive(shape, create);
    });
  }

  /** Replaces a live generation with an empty one, unless it is no longer live. */
  replaceWithEmpty(live: Generation, shape: GenerationShape, create: (file: string) => void): void {
    this.inTransaction(() => {
      if (this.#changeStatus(live, 'Retired')) this.#insertLive(shape, create);
    });
  }

  /** Registers a new generation that `builder` builds, and removes files left under its name. */
  startBuilding(shape: GenerationShape, builder: string): Generation {
    const built = this.inTransaction(() => this.#insert(shape, 'Building', builder));
    removeFiles(this.fileOf(built));
    return built;
  }

  /** False if its builder lost it. */
  announce(built: Generation): boolean {
    return this.#changeStatus({ ...built, status: 'Building' }, 'Next');
  }

  /** In one step, the live generation retires and this one becomes live. False if its builder lost it. */
  swap(built: Generation): boolean {
    return this.inTransaction(() => {
      const known = this.generations();
      const next = known.find(({ generation }) => generation === built.generation);
      if (next?.status !== 'Next' || next.builder !== built.builder) return false;
      for (const other of known.filter(({ projection }) => projection === built.projection)) {
        if (other.status === 'Live') this.#changeStatus(other, 'Retired');
        if (other.status === 'Damaged') this.#changeStatus(other, 'Removed');
      }
      return this.#changeStatus(next, 'Live');
    });
  }

  /** Does nothing if its status has changed. Connections that have its files open still read the old content. */
  remove(generation: Generation): void {
    if (this.#changeStatus(generation, 'Removed')) removeFiles(this.fileOf(generation));
  }

  /** Removes a generation whose build has ended, unless it became live. */
  abandon(built: Generation): void {
    for (const status of ['Building', 'Next'] as const) this.remove({ ...built, status });
  }

  /** Deletes the records of removed generations. The newest number stays, so that it is never used again. */
  forgetRemoved(): void {
    const removed = this.build.deleteFrom('generations').where('status', '=', 'Removed');
    this.run(removed.where('generation', '<', this.#newestNumber()));
  }

  /** Records why a generation has halted; undefined: it has resumed. */
  halt(generation: number, reason: string | undefined): void {
    const update = this.build.updateTable('generations').set({ halted: reason ?? null });
    this.run(update.where('generation', '=', generation));
  }

  /** Renames the damaged file of a live generation, whose list is then rebuilt. Does nothing if it is no longer live. */
  setAside(live: Generation, reason: string): void {
    const move = this.inTransaction(() =>
      this.#changeStatus(live, 'Damaged') ? setAside(this.fileOf(live), reason) : undefined,
    );
    if (move) this.log?.warn('list-damaged', move);
  }

  #insertLive(shape: GenerationShape, create: (file: string) => void): void {
    const file = this.fileOf(this.#insert(shape, 'Live', ''));
    removeFiles(file);
    create(file);
  }

  #insert(shape: GenerationShape, status: GenerationStatus, builder: string): Generation {
    const { projection, rowsVersion, layout } = shape;
    const { source } = this;
    const changedAt = Date.now();
    const added = { generation: this.#newestNumber() + 1, projection, layout, source, status, builder };
    const values = { ...added, rows_version: rowsVersion, changed_at: changedAt, halted: null };
    this.run(this.build.insertInto('generations').values(values));
    return { ...added, rowsVersion, changedAt, halted: undefined };
  }

  #newestNumber(): number {
    return this.generations().at(-1)?.generation ?? 0;
  }

  /** Compare-and-swap: false if the status is no longer that of `generation`. */
  #changeStatus({ generation, status: from }: Generation, to: GenerationStatus): boolean {
    const query = this.build
      .updateTable('generations')
      .set({ status: to, changed_at: Date.now() })
      .where('generation', '=', generation)
      .where('status', '=', from);
    return this.run(query) === 1;
  }

  #withStatus(projection: string, status: GenerationStatus): Generation | undefined {
    return this.generations().find((known) => known.projection === projection && known.status === status);
  }
}
