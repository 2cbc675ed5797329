import { withFileName } from '@tillstream/sqlite-driver';
import {
  assertReadable,
  type LiveGeneration,
  type LiveGenerations,
  type ProjectionName,
  ReadModelUnavailable,
  type Tables,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { readProgress } from '../tables/progress.table.js';
import { kyselyOn, openFile } from '../tables/sqlite.dialect.js';

const BEING_MADE_AGAIN = 'its file was damaged and it is being made again';

interface OpenReader {
  readonly live: Generation;
  readonly tables: Tables;
  readonly forQueries: LiveGeneration;
  /** Queries that are running. */
  users: number;
  isReplaced: boolean;
}

/** Runs each query on the generation that is live when the query starts. */
export class LiveReader implements LiveGenerations {
  readonly #readers = new Map<ProjectionName, OpenReader>();

  constructor(private readonly control: ControlDatabase) {}

  /** @throws ReadModelUnavailable if no generation can answer */
  async query<T>(projection: ProjectionName, work: (live: LiveGeneration) => Promise<T>): Promise<T> {
    const reader = this.#readerOf(projection);
    reader.users += 1;
    try {
      return await work(reader.forQueries);
    } catch (error) {
      throw this.#toQueryError(reader.live, error);
    } finally {
      reader.users -= 1;
      await closeIfUnused(reader);
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) {
      reader.isReplaced = true;
      await closeIfUnused(reader);
    }
    this.#readers.clear();
  }

  #readerOf(projection: ProjectionName): OpenReader {
    const live = this.#liveOf(projection);
    const open = this.#readers.get(projection);
    if (open?.live.generation === live.generation) return open;
    const tables = this.#openTables(live);
    const reader = { live, tables, forQueries: toLive(live, tables), users: 0, isReplaced: false };
    this.#readers.set(projection, reader);
    if (open) {
      open.isReplaced = true;
      void closeIfUnused(open);
    }
    return reader;
  }

  #liveOf(projection: ProjectionName): Generation {
    const live = this.control.live(projection);
    if (!live) {
      const reason = this.control.isDamaged(projection) ? BEING_MADE_AGAIN : 'it has no tables yet';
      throw new ReadModelUnavailable(projection, reason);
    }
    assertReadable(live);
    return live;
  }

  #openTables(live: Generation): Tables {
    try {
      return kyselyOn(openFile(this.control.fileOf(live), 'reader'));
    } catch (error) {
      const queryError = this.#toQueryError(live, error);
      if (queryError instanceof ReadModelUnavailable) throw queryError;
      throw new ReadModelUnavailable(live.projection, `its file can't be opened: ${errorMessage(error)}`);
    }
  }

  /** If the error says that the file is damaged, sets the file aside, so that no later query reads it. */
  #toQueryError(live: Generation, error: unknown): unknown {
    if (setAsideIfDamaged(this.control, live, error)) {
      return new ReadModelUnavailable(live.projection, BEING_MADE_AGAIN);
    }
    return withFileName(error, this.control.fileOf(live));
  }
}

function toLive({ generation, source }: Generation, tables: Tables): LiveGeneration {
  return {
    generation,
    source,
    build: tables,
    all: async (query) => (await tables.executeQuery(query.compile())).rows,
    progress: () => readProgress(tables),
  };
}

async function closeIfUnused({ tables, users, isReplaced }: OpenReader): Promise<void> {
  if (isReplaced && users === 0) await tables.destroy();
}
