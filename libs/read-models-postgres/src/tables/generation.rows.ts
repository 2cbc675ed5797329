import { LRUCache } from 'lru-cache';
import type { Position } from '@tillstream/event-store';
import type { Postgres, PostgresSession } from '@tillstream/postgres-driver';
import {
  tableShape,
  type Advance,
  type ComparedTable,
  type IdRange,
  type ListProgress,
  type ListTable,
  type RowSet,
  type TableRow,
  type TableShape,
} from '@tillstream/read-models';
import type { NumberedGeneration } from '../control/generation.js';
import { moveCheckpoint, progressOf } from '../control/generation.progress.js';
import { RowStatements } from './row.statements.js';

/** Of one statement. */
const ROWS_PER_STATEMENT_MAX = 1_000;
const IDS_PER_STATEMENT_MAX = 5_000;
/** Combinations of all families that are known to have numbers. */
const KNOWN_FACETS_MAX = 20_000;

export interface RowDatabases {
  /** For the numbers of combinations: they are on the disk before a row names them. */
  readonly synced: Postgres;
  /** For rows and checkpoints, which can be made again. */
  readonly unsynced: Postgres;
}

/** The rows of one generation of a list. */
export class GenerationRows implements ListTable, ComparedTable {
  readonly shape: TableShape;
  readonly #statements: RowStatements;
  readonly #knownFacets = new LRUCache<string, true>({ max: KNOWN_FACETS_MAX });

  constructor(
    private readonly databases: RowDatabases,
    private readonly generation: NumberedGeneration,
  ) {
    this.shape = tableShape(generation.projection);
    this.#statements = new RowStatements(generation, this.shape);
  }

  progress(): Promise<ListProgress> {
    return progressOf(this.databases.unsynced, this.generation.generation);
  }

  async revisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const chunk of chunks(ids, IDS_PER_STATEMENT_MAX)) {
      const rows = await this.databases.unsynced.all(this.#statements.revisions(chunk));
      for (const { id, revision } of rows) found.set(id, revision);
    }
    return found;
  }

  async newestRevisions(ranges: readonly IdRange[]): Promise<readonly (number | undefined)[]> {
    const found: (number | undefined)[] = [];
    for (const chunk of chunks(ranges, IDS_PER_STATEMENT_MAX)) {
      const rows = await this.databases.unsynced.all(this.#statements.newestRevisions(chunk));
      found.push(...rows.map(({ newest }) => newest ?? undefined));
    }
    return found;
  }

  writeStep(from: Position | undefined, step: Advance, rows: readonly TableRow[]): Promise<boolean> {
    return this.#withFacets(rows, () =>
      this.databases.unsynced.transaction(async (session) => {
        if (!(await moveCheckpoint(session, this.generation.generation, from, step))) return false;
        await this.#upsert(session, rows);
        return true;
      }),
    );
  }

  /** A row whose revision is not higher than that of the stored row changes nothing. */
  async write(rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { unsynced } = this.databases;
    await this.#withFacets(rows, () =>
      rows.length <= ROWS_PER_STATEMENT_MAX
        ? this.#upsert({ all: (statement) => unsynced.returning(statement) }, rows)
        : unsynced.transaction((session) => this.#upsert(session, rows)),
    );
  }

  /** @returns the sets that were not written, because their `after` is not here */
  async writeSets(sets: readonly RowSet[]): Promise<readonly RowSet[]> {
    const needed = sets.flatMap(({ after }) => (after ? [after.id] : []));
    const revisions = needed.length > 0 ? await this.revisions(needed) : new Map<string, number>();
    const isMissing = ({ after }: RowSet): boolean =>
      after !== undefined && (revisions.get(after.id) ?? -1) < after.revision;
    // Rows only gain revisions, so what is here now is here when the rows are written.
    await this.write(sets.filter((set) => !isMissing(set)).flatMap(({ rows }) => rows));
    return sets.filter(isMissing);
  }

  async count(): Promise<number> {
    const [row] = await this.databases.unsynced.all(this.#statements.count());
    return row?.count ?? 0;
  }

  page(afterId: string, limit: number): Promise<readonly TableRow[]> {
    return this.databases.unsynced.all(this.#statements.page(afterId, limit));
  }

  async rows(ids: readonly string[]): Promise<readonly TableRow[]> {
    const found: TableRow[] = [];
    for (const chunk of chunks(ids, IDS_PER_STATEMENT_MAX)) {
      found.push(...(await this.databases.unsynced.all(this.#statements.rows(chunk))));
    }
    return found;
  }

  /** Numbers the combinations of the rows first. After a crash of the server, the numbers of known ones may be lost. */
  async #withFacets<T>(rows: readonly TableRow[], work: () => Promise<T>): Promise<T> {
    await this.#addFacets(rows);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LostFacets)) throw error;
      this.#knownFacets.clear();
      await this.#addFacets(rows);
      return work();
    }
  }

  async #addFacets(rows: readonly TableRow[]): Promise<void> {
    for (const family of this.shape.families) {
      const keyOf = (row: TableRow): string =>
        [family.name, ...family.columns.map((column) => row[column])].join('\u0000');
      const unknown = new Map(rows.map((row) => [keyOf(row), row]));
      for (const key of unknown.keys()) if (this.#knownFacets.has(key)) unknown.delete(key);
      if (unknown.size === 0) continue;
      await this.databases.synced.run(this.#statements.addFacets(family, [...unknown.values()]));
      for (const key of unknown.keys()) this.#knownFacets.set(key, true);
    }
  }

  async #upsert(session: Pick<PostgresSession, 'all'>, rows: readonly TableRow[]): Promise<void> {
    // A statement can't write a row twice.
    const newest = new Map<string, TableRow>();
    for (const row of rows) {
      if ((newest.get(row.id)?.revision ?? -1) <= row.revision) newest.set(row.id, row);
    }
    const sorted = [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const chunk of chunks(sorted, ROWS_PER_STATEMENT_MAX)) {
      const [result] = await session.all(this.#statements.upsert(chunk));
      if (result?.numbered !== chunk.length) throw new LostFacets();
    }
  }
}

/** The server has crashed and lost combinations that this process had numbered. */
class LostFacets extends Error {
  override readonly name = 'LostFacets';
  constructor() {
    super('rows name combinations that the database does not have');
  }
}

function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
