import { sql, type Compilable } from 'kysely';
import { databaseNow, type Postgres, type PostgresSession } from '@tillstream/postgres-driver';
import { build, IS_LIVE } from './control.tables.js';
import type { Generation, GenerationShape, GenerationStatus } from './generation.js';
import { createSchema, dropSchema } from '../tables/generation.schema.js';

/** The statements that make the tables of a new generation. */
export type MakeTables = (generation: Generation) => readonly Compilable<unknown>[];

/** Called after each change of the generations, with the name of the projection. */
export const CHANGES_CHANNEL = 'list_generations';

/**
 * Says which generation of each list is live, for the processes of all machines. Every change is one transaction, made and
 * dropped tables included. Times are those of the database's clock.
 */
export class ListControl {
  constructor(
    readonly database: Postgres,
    /** The name of the event store that new generations are made from. Positions of one store mean nothing in another. */
    readonly source: string,
  ) {}

  generations(): Promise<readonly Generation[]> {
    return readGenerations(this.database);
  }

  async live(projection: string): Promise<Generation | undefined> {
    return liveOf(await this.generations(), projection);
  }

  /** Makes the empty live generation of a list that has none. Of concurrent callers one does it. */
  async ensureLive(shape: GenerationShape, make: MakeTables): Promise<void> {
    if (await this.live(shape.projection)) return;
    await this.database.transaction((session) => this.#makeLive(session, shape, make));
  }

  /** Replaces a live generation with an empty one, unless it is no longer live. */
  async replaceWithEmpty(live: Generation, shape: GenerationShape, make: MakeTables): Promise<void> {
    await this.database.transaction(async (session) => {
      if (await changeStatus(session, live, 'Retired')) await this.#makeLive(session, shape, make);
    });
  }

  /** Makes a new generation that the holder of a lease fills. */
  startBuilding(shape: GenerationShape, builder: string, make: MakeTables): Promise<Generation> {
    return this.database.transaction(async (session) => {
      const [built] = await session.all(this.#insert(shape, 'Building', builder));
      if (!built) throw new Error('an insert returns its row');
      return this.#makeTables(session, shape, { ...built, status: 'Building', builder }, make);
    });
  }

  /** False if its builder lost it. */
  announce(built: Generation): Promise<boolean> {
    return this.database.transaction((session) =>
      changeStatus(session, { ...built, status: 'Building' }, 'Next'),
    );
  }

  /** In one step, the live generation retires and this one becomes live. False if its builder lost it. */
  swap(built: Generation): Promise<boolean> {
    return this.database.transaction(async (session) => {
      const ofProjection = build
        .selectFrom('list_generations')
        .select(['generation', 'status', 'builder'])
        .where('projection', '=', built.projection)
        .orderBy('generation')
        .forUpdate();
      const known = await session.all(ofProjection);
      const next = known.find(({ generation }) => generation === built.generation);
      if (next?.status !== 'Next' || next.builder !== built.builder) return false;
      for (const { generation, status } of known) {
        if (status === 'Live') await changeStatus(session, { ...built, generation, status }, 'Retired');
      }
      return changeStatus(session, { ...built, status: 'Next' }, 'Live');
    });
  }

  /** Drops the tables of a generation, unless its status has changed. Waits for queries that read them. */
  async remove({ generation, status, projection }: Generation): Promise<void> {
    await this.database.transaction(async (session) => {
      const own = build
        .deleteFrom('list_generations')
        .where('generation', '=', generation)
        .where('status', '=', status);
      if ((await session.run(own)) === 1) await session.run(dropSchema({ projection, generation }));
    });
  }

  /** Removes a generation whose build has ended, unless it became live. */
  async abandon(built: Generation): Promise<void> {
    for (const status of ['Building', 'Next'] as const) await this.remove({ ...built, status });
  }

  /** Records why a generation has halted; undefined: it has resumed. */
  async halt(generation: number, reason: string | undefined): Promise<void> {
    const update = build.updateTable('list_generations').set({ halted: reason ?? null });
    await this.database.run(update.where('generation', '=', generation));
  }

  async #makeLive(session: PostgresSession, shape: GenerationShape, make: MakeTables): Promise<void> {
    const insert = this.#insert(shape, 'Live', '').onConflict((conflict) =>
      conflict.column('projection').where(IS_LIVE).doNothing(),
    );
    // None: another process has made it. The statement waited for its commit.
    const [made] = await session.all(insert);
    if (!made) return;
    await this.#makeTables(session, shape, { ...made, status: 'Live', builder: '' }, make);
    await session.all(notice(shape.projection));
  }

  async #makeTables(
    session: PostgresSession,
    shape: GenerationShape,
    made: Pick<Generation, 'generation' | 'status' | 'builder'>,
    make: MakeTables,
  ): Promise<Generation> {
    const { source } = this;
    const generation = { ...shape, ...made, source, unchangedMs: 0, halted: undefined };
    await session.run(createSchema(generation));
    for (const statement of make(generation)) await session.run(statement);
    return generation;
  }

  #insert({ projection, rowsVersion, layout }: GenerationShape, status: GenerationStatus, builder: string) {
    const { source } = this;
    const values = { projection, rows_version: rowsVersion, layout, source, status, builder };
    return build
      .insertInto('list_generations')
      .values({ ...values, changed_at: databaseNow })
      .returning('generation');
  }
}

export async function readGenerations(database: Pick<Postgres, 'all'>): Promise<readonly Generation[]> {
  const query = build
    .selectFrom('list_generations')
    .select(['generation', 'projection', 'rows_version as rowsVersion', 'layout', 'source', 'status'])
    .select(['builder', 'halted'])
    .select(sql<number>`(extract(epoch from ${databaseNow} - changed_at) * 1000)::bigint`.as('unchangedMs'))
    .orderBy('generation');
  return (await database.all(query)).map(({ halted, ...row }) => ({ ...row, halted: halted ?? undefined }));
}

export function liveOf(generations: readonly Generation[], projection: string): Generation | undefined {
  return generations.find((known) => known.projection === projection && known.status === 'Live');
}

/** Compare-and-swap, which tells all processes: false if the status is no longer that of `generation`. */
async function changeStatus(
  session: PostgresSession,
  { generation, projection, status: from }: Pick<Generation, 'generation' | 'projection' | 'status'>,
  to: GenerationStatus,
): Promise<boolean> {
  const changed = build
    .updateTable('list_generations')
    .set({ status: to, changed_at: databaseNow })
    .where('generation', '=', generation)
    .where('status', '=', from);
  if ((await session.run(changed)) === 0) return false;
  await session.all(notice(projection));
  return true;
}

/** Sent at the commit. */
function notice(projection: string): Compilable<unknown> {
  return build.selectNoFrom(sql`pg_notify(${CHANGES_CHANNEL}::text, ${projection}::text)`.as('notified'));
}
