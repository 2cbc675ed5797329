import { sql, type Compilable, type Kysely } from 'kysely';
import { PostgresError, wasCancelled } from './postgres.errors.js';
import { openPostgres, type Postgres } from './postgres.js';
import type { PostgresSession } from './postgres.session.js';
import type { PostgresSettings } from './postgres.settings.js';
import { queryBuilder } from './query.builder.js';

interface SchemaTables {
  readonly schema_versions: {
    readonly component: string;
    readonly version: number;
    readonly changed_at: unknown;
  };
}

/** The tables of one package. */
export interface Migrations {
  /** The name under which their version is stored. */
  readonly component: string;
  /**
   * Each step takes the tables from one version to the next; there is no way back. A released step never changes. The
   * number of steps is the version that the program knows.
   */
  readonly steps: readonly MigrationStep[];
}

export type MigrationStep = (build: Kysely<Record<string, never>>) => readonly Compilable<unknown>[];

export interface MigrationResult {
  /** The version before; 0: there were no tables. */
  readonly from: number;
  readonly to: number;
}

/** One lock for all components: only starts take it. Any number that nothing else in the database uses. */
const MIGRATION_LOCK = 5_427_860_911;
/** Waiting for another instance included. */
const MIGRATE_WITHIN_MS = 120_000;

const build = queryBuilder<SchemaTables>();

/**
 * Brings the tables of the components to the versions of this program, all in one transaction. Of instances that start
 * together one does it while the others wait.
 * @throws PostgresError `Refused` if a newer program has changed the tables; nothing is changed then
 */
export async function migrate(
  settings: PostgresSettings,
  components: readonly Migrations[],
): Promise<readonly MigrationResult[]> {
  const database = openPostgres({ ...settings, connectionsMax: 1, statementWithinMs: MIGRATE_WITHIN_MS });
  try {
    const present = await missingSteps(database, components);
    if (present.every(({ from, to }) => from === to)) return present;
    return await migrateUnderLock(database, components);
  } finally {
    await database.close();
  }
}

/**
 * Whether the tables have the versions of this program. Changes nothing.
 * @throws PostgresError `Refused` if a newer program has changed the tables
 */
export async function isMigrated(
  database: Pick<Postgres, 'transaction'>,
  components: readonly Migrations[],
): Promise<boolean> {
  return (await missingSteps(database, components)).every(({ from, to }) => from === to);
}

function missingSteps(
  database: Pick<Postgres, 'transaction'>,
  components: readonly Migrations[],
): Promise<readonly MigrationResult[]> {
  return database.transaction(async (session) =>
    stepsToDo((await hasVersionsTable(session)) ? await storedVersions(session) : [], components),
  );
}

async function migrateUnderLock(
  database: Postgres,
  components: readonly Migrations[],
): Promise<readonly MigrationResult[]> {
  return database.transaction(async (session) => {
    await lock(session);
    await session.run(createVersionsTable());
    const results = stepsToDo(await storedVersions(session), components);
    for (const [index, { component, steps }] of components.entries()) {
      const { from = 0, to = 0 } = results[index] ?? {};
      if (from === to) continue;
      for (const step of steps.slice(from)) {
        for (const statement of step(queryBuilder())) await session.run(statement);
      }
      await session.run(setVersion(component, to));
    }
    return results;
  });
}

/** Ends with the transaction. */
async function lock(session: PostgresSession): Promise<void> {
  try {
    await session.all(build.selectNoFrom(sql`pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.as('locked')));
  } catch (error) {
    if (!wasCancelled(error)) throw error;
    throw new PostgresError(
      'Unavailable',
      `another instance has been changing the tables for ${MIGRATE_WITHIN_MS / 1000} s`,
      { cause: error },
    );
  }
}

type StoredVersion = Pick<SchemaTables['schema_versions'], 'component' | 'version'>;

function storedVersions(session: PostgresSession): Promise<StoredVersion[]> {
  return session.all(build.selectFrom('schema_versions').select(['component', 'version']));
}

function stepsToDo(
  stored: readonly StoredVersion[],
  components: readonly Migrations[],
): readonly MigrationResult[] {
  return components.map(({ component, steps }) => {
    const from = stored.find((one) => one.component === component)?.version ?? 0;
    if (from > steps.length) throw newerError(component, from, steps.length);
    return { from, to: steps.length };
  });
}

/** Not under the lock: in a session that did not find the table before, this function may not see it yet. */
async function hasVersionsTable(session: PostgresSession): Promise<boolean> {
  const [found] = await session.all(
    build.selectNoFrom(sql<boolean>`to_regclass('schema_versions') is not null`.as('present')),
  );
  return found?.present ?? false;
}

function createVersionsTable(): Compilable<unknown> {
  return build.schema
    .createTable('schema_versions')
    .ifNotExists()
    .addColumn('component', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull());
}

function setVersion(component: string, version: number): Compilable<unknown> {
  const values = { version, changed_at: sql`now()` };
  return build
    .insertInto('schema_versions')
    .values({ component, ...values })
    .onConflict((conflict) => conflict.column('component').doUpdateSet(values));
}

function newerError(component: string, found: number, known: number): PostgresError {
  return new PostgresError(
    'Refused',
    `its tables of ${component} were made by a newer program (version ${found}, this one knows ${known}): start that one`,
  );
}
