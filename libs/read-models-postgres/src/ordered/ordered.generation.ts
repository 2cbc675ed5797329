import type { Compilable, Kysely } from 'kysely';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import type { PostgresSession } from '@tillstream/postgres-driver';
import type {
  Advance,
  ListProgress,
  OrderedProjection,
  OrderedTable,
  OrderedTables,
} from '@tillstream/read-models';
import type { NumberedGeneration } from '../control/generation.js';
import { moveCheckpoint, progressOf } from '../control/generation.progress.js';
import type { RowDatabases } from '../tables/generation.rows.js';
import { tablesOf } from '../tables/generation.tables.js';

/** One generation of an ordered projection: a schema with the projection's tables. */
export class OrderedGeneration<Tables> implements OrderedTable {
  constructor(
    private readonly databases: Pick<RowDatabases, 'unsynced'>,
    private readonly generation: NumberedGeneration,
    private readonly projection: OrderedProjection<Tables>,
  ) {}

  progress(): Promise<ListProgress> {
    return progressOf(this.databases.unsynced, this.generation.generation);
  }

  apply(events: readonly RecordedEvent[], from: Position | undefined, step: Advance): Promise<boolean> {
    return this.databases.unsynced.transaction(async (session) => {
      // Locks the checkpoint, so that no other process applies events before the commit.
      if (!(await moveCheckpoint(session, this.generation.generation, from, step))) return false;
      const tables = this.#tablesIn(session);
      for (const event of events) await this.projection.apply(tables, event);
      return true;
    });
  }

  async read<Row>(query: (build: Kysely<Tables>) => Compilable): Promise<readonly Row[]> {
    return this.databases.unsynced.all(query(tablesOf<Tables>(this.generation)) as Compilable<Row>);
  }

  #tablesIn(session: PostgresSession): OrderedTables<Tables> {
    return {
      build: tablesOf<Tables>(this.generation),
      all: <Row>(query: Compilable) => session.all(query as Compilable<Row>),
      run: (statement) => session.run(statement),
    };
  }
}
