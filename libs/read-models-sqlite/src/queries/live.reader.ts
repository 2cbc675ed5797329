import type { Kysely } from 'kysely';
import { withFileName } from '@tillstream/sqlite-driver';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { type ProjectionName, ReadModelUnavailable, tableShape } from '@tillstream/read-models';
import { kyselyOn, openFile, type GenerationTables } from '../tables/sqlite.dialect.js';

const BEING_MADE_AGAIN = 'its file was damaged and it is being made again';

interface OpenReader {
  readonly live: Generation;
  readonly tables: Kysely<GenerationTables>;
  users: number;
  replaced: boolean;
}

/** Asks the generation that is live at that moment. */
export class LiveReader {
  readonly #reading = new Map<ProjectionName, OpenReader>();
  readonly #live = new Map<ProjectionName, Generation>();
  #version = '';

  constructor(private readonly control: ControlDatabase) {}

  /** @throws ReadModelUnavailable where no generation can be asked. */
  async query<T>(
    projection: ProjectionName,
    query: (tables: Kysely<GenerationTables>, generation: number) => Promise<T>,
  ): Promise<T> {
    const reading = this.#readingOf(projection);
    reading.users += 1;
    try {
      return await query(reading.tables, reading.live.generation);
    } catch (error) {
      throw this.#refused(reading.live, error);
    } finally {
      reading.users -= 1;
      await closeIfOver(reading);
    }
  }

  async close(): Promise<void> {
    for (const reading of this.#reading.values()) {
      reading.replaced = true;
      await closeIfOver(reading);
    }
    this.#reading.clear();
  }

  #readingOf(projection: ProjectionName): OpenReader {
    const live = this.#liveOf(projection);
    const known = this.#reading.get(projection);
    if (known?.live.generation === live.generation) return known;
    const reading = { live, tables: this.#opened(live), users: 0, replaced: false };
    this.#reading.set(projection, reading);
    if (known) {
      known.replaced = true;
      void closeIfOver(known);
    }
    return reading;
  }

  #liveOf(projection: ProjectionName): Generation {
    const version = this.control.version();
    if (version !== this.#version) {
      this.#live.clear();
      for (const one of this.control.generations()) {
        if (one.status === 'Live') this.#live.set(one.projection, one);
      }
      this.#version = version;
    }
    const live = this.#live.get(projection);
    if (!live) {
      throw new ReadModelUnavailable(
        projection,
        this.control.isDamaged(projection) ? BEING_MADE_AGAIN : 'it has no tables yet',
      );
    }
    const { layout } = tableShape(projection);
    if (live.layout > layout) {
      throw new ReadModelUnavailable(projection, 'its tables were made by a newer program: start that one');
    }
    if (live.layout < layout) {
      throw new ReadModelUnavailable(
        projection,
        'its tables are of an older program and are being made anew',
      );
    }
    return live;
  }

  #opened(live: Generation): Kysely<GenerationTables> {
    try {
      return kyselyOn(openFile(this.control.fileOf(live), 'reader'));
    } catch (error) {
      const refused = this.#refused(live, error);
      if (refused instanceof ReadModelUnavailable) throw refused;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ReadModelUnavailable(live.projection, `its file can't be opened: ${reason}`);
    }
  }

  /** A damaged file is set aside: no row is read from it any more. */
  #refused(live: Generation, error: unknown): unknown {
    if (setAsideIfDamaged(this.control, live, error)) {
      return new ReadModelUnavailable(live.projection, BEING_MADE_AGAIN);
    }
    return withFileName(error, this.control.fileOf(live));
  }
}

async function closeIfOver({ tables, users, replaced }: OpenReader): Promise<void> {
  if (replaced && users === 0) await tables.destroy();
}
