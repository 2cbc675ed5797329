import { sql } from 'kysely';
import { openPostgres, queryBuilder, type Postgres } from '@tillstream/postgres-driver';
import type { Advance, BulkWriter, TableRow } from '@tillstream/read-models';
import type { Generation } from '../control/generation.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';
import { listIndexes, vacuumed } from '../tables/generation.schema.js';

/** The longest statement: an index of many millions of rows. */
const BUILD_STATEMENT_MS = 60 * 60_000;

const build = queryBuilder();
const BACKEND = build.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid'));

export interface BulkLoadOptions {
  readonly signal: AbortSignal | undefined;
  /** Called after each index. Its error ends the load. */
  readonly onIndexed: () => void;
}

/** The connections of a rebuild: its statements may take long. */
export function openBuildDatabases({ synced, unsynced }: RowDatabases): RowDatabases {
  const open = (database: Postgres): Postgres =>
    openPostgres({ ...database.settings, connectionsMax: 1, statementWithinMs: BUILD_STATEMENT_MS });
  return { synced: open(synced), unsynced: open(unsynced) };
}

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

  constructor(
    private readonly databases: RowDatabases,
    private readonly generation: Generation,
    private readonly options: BulkLoadOptions,
  ) {
    this.rows = new GenerationRows(databases, generation);
  }

  async write(rows: readonly TableRow[]): Promise<void> {
    await this.#writing;
    this.#writing = this.rows.write(rows);
    // The next call rejects with its error.
    this.#writing.catch(() => undefined);
  }

  async finish(step: Advance | undefined): Promise<void> {
    await this.#writing;
    await this.#cancelledByAbort(async () => {
      const { unsynced } = this.databases;
      for (const statement of listIndexes(this.generation, this.rows.shape)) {
        await unsynced.run(statement);
        this.options.onIndexed();
      }
      for (const statement of vacuumed(this.generation, this.rows.shape)) await unsynced.run(statement);
    });
    // The later swap waits for the disk, and so for all commits before it.
    if (step) await this.rows.writeStep(undefined, step, []);
  }

  /** The abort ends the running statement, which may take minutes, and `work` rejects. */
  async #cancelledByAbort(work: () => Promise<void>): Promise<void> {
    const { synced, unsynced } = this.databases;
    const { signal } = this.options;
    // There is one connection, and it stays while it is in use.
    const [connection] = await unsynced.all(BACKEND);
    const cancel = (): void => {
      const cancelled = build.selectNoFrom(sql`pg_cancel_backend(${connection?.pid})`.as('cancelled'));
      // If it can't be sent, the statement ends by itself.
      synced.all(cancelled).catch(() => undefined);
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
