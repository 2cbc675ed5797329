import { openPostgres, type Postgres } from '@tillstream/postgres-driver';
import type { Advance, BulkWriter, TableRow } from '@tillstream/read-models';
import type { Generation } from '../control/generation.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';
import { listIndexes, vacuumed } from '../tables/generation.schema.js';

/** The longest statement: an index of many millions of rows. */
const BUILD_STATEMENT_MS = 60 * 60_000;

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

  /** @param onIndexed called after each index; its error ends the load */
  constructor(
    private readonly databases: RowDatabases,
    private readonly generation: Generation,
    private readonly onIndexed: () => void,
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
    const { unsynced } = this.databases;
    for (const statement of listIndexes(this.generation, this.rows.shape)) {
      await unsynced.run(statement);
      this.onIndexed();
    }
    for (const statement of vacuumed(this.generation, this.rows.shape)) await unsynced.run(statement);
    // The later swap waits for the disk, and so for all commits before it.
    if (step) await this.rows.writeStep(undefined, step, []);
  }
}
