import { sql, type Compilable } from 'kysely';
import { openPostgres, queryBuilder } from '@tillstream/postgres-driver';
import type { Advance, BulkWriter, TableRow } from '@tillstream/read-models';
import type { Generation, NumberedGeneration } from '../control/generation.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';
import { listIndexes, vacuumed } from '../tables/generation.schema.js';

/** The longest statement: an index of many millions of rows. */
const BUILD_STATEMENT_MS = 60 * 60_000;

/** Gathered for one statement, whose text takes as long to make as a hundred rows. */
const ROWS_WRITTEN_MIN = 900;

/** Indexes that are made at the same time, without helpers: with them, one after the other took longer by half. */
const INDEXES_AT_ONCE = 2;

export interface BulkLoadOptions {
  readonly signal: AbortSignal | undefined;
  /** Called after each index. Its error ends the load. */
  readonly onIndexed: () => void;
}

/** The connections of a rebuild: its statements may take long. */
export function openBuildDatabases(
  { synced, unsynced }: RowDatabases,
  generation: NumberedGeneration,
): RowDatabases {
  const statementWithinMs = BUILD_STATEMENT_MS;
  return {
    synced: openPostgres({ ...synced.settings, statementWithinMs, connectionsMax: 1 }),
    unsynced: openPostgres({
      ...unsynced.settings,
      ...{ statementWithinMs, connectionsMax: INDEXES_AT_ONCE, indexHelpersMax: 0 },
      applicationName: nameOfBuild(generation),
    }),
  };
}

/** The name that the server knows the connections by that write the generation. */
const nameOfBuild = ({ projection, generation }: NumberedGeneration): string =>
  `tillstream rebuild ${projection} ${generation}`;

export async function closeBuildDatabases({ synced, unsynced }: RowDatabases): Promise<void> {
  await Promise.all([synced.close(), unsynced.close()]);
}

/**
 * Fills a new generation. The server writes one page while the caller folds the next one. Indexes come at the end: sorting all
 * rows at once is faster than adding random values to an index that does not fit into the cache.
 */
export class BulkLoad implements BulkWriter {
  readonly rows: GenerationRows;
  #writing: Promise<void> = Promise.resolve();
  #gathered: TableRow[] = [];

  constructor(
    private readonly databases: RowDatabases,
    private readonly generation: Generation,
    private readonly options: BulkLoadOptions,
  ) {
    this.rows = new GenerationRows(databases, generation);
  }

  async write(rows: readonly TableRow[]): Promise<void> {
    this.#gathered.push(...rows);
    if (this.#gathered.length >= ROWS_WRITTEN_MIN) await this.#writeGathered();
  }

  async finish(step: Advance | undefined): Promise<void> {
    await this.#writeGathered();
    await this.#writing;
    await this.#cancelledByAbort(async () => {
      await this.#makeIndexes();
      for (const statement of vacuumed(this.generation, this.rows.shape)) {
        await this.databases.unsynced.run(statement);
      }
    });
    // The later swap waits for the disk, and so for all commits before it.
    if (step) await this.rows.writeStep(undefined, step, []);
  }

  async #writeGathered(): Promise<void> {
    await this.#writing;
    this.#writing = this.rows.write(this.#gathered.splice(0));
    // The next call rejects with its error.
    this.#writing.catch(() => undefined);
  }

  async #makeIndexes(): Promise<void> {
    const indexes = listIndexes(this.generation, this.rows.shape);
    // An error in one loop ends the generator, and with it the other loop.
    const remaining = (function* () {
      yield* indexes;
    })();
    const makeRemaining = async (): Promise<void> => {
      for (const index of remaining) {
        await this.databases.unsynced.run(index);
        this.options.onIndexed();
      }
    };
    await Promise.all(Array.from({ length: INDEXES_AT_ONCE }, makeRemaining));
  }

  /** The abort ends the running statements, which may take minutes, and `work` rejects. */
  async #cancelledByAbort(work: () => Promise<void>): Promise<void> {
    const { signal } = this.options;
    const cancel = (): void => {
      // If it can't be sent, the statements end by themselves.
      this.databases.synced.all(cancelStatements(nameOfBuild(this.generation))).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel);
    try {
      await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }
}

/** Of all connections with this name to this database. */
function cancelStatements(applicationName: string): Compilable<unknown> {
  return queryBuilder()
    .selectFrom(sql`pg_stat_activity`.as('activity'))
    .select(sql`pg_cancel_backend(pid)`.as('cancelled'))
    .where(sql<boolean>`datname = current_database() and application_name = ${applicationName}`);
}
