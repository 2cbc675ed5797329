import { sql, type Generated } from 'kysely';
import { leasesTable, queryBuilder, type Migrations, type MigrationStep } from '@tillstream/postgres-driver';
import type { GenerationStatus } from './generation.js';

export interface ControlTables {
  readonly list_generations: {
    /** Never used again. */
    readonly generation: Generated<number>;
    readonly projection: string;
    readonly rows_version: number;
    readonly layout: number;
    readonly source: string;
    readonly status: GenerationStatus;
    readonly builder: string;
    readonly changed_at: Date;
    readonly halted: Generated<string | null>;
    /** How far it has read history: the checkpoint moves by compare-and-swap in the transaction of the rows. */
    readonly position: Generated<string | null>;
    readonly events: Generated<number>;
    readonly moved_at: Generated<Date | null>;
    readonly last_stream: Generated<string | null>;
    readonly last_revision: Generated<number | null>;
    readonly last_position: Generated<string | null>;
  };
}

export const build = queryBuilder<ControlTables>();

/** Leases of the processes that project and rebuild. */
export const LEASES = 'list_leases';

/** Ends the conditions of the partial index, and of the statement that uses it. */
export const IS_LIVE = sql<boolean>`status = 'Live'`;

const generations: MigrationStep = ({ schema }) => [
  schema
    .createTable('list_generations')
    .addColumn('generation', 'integer', (column) => column.generatedAlwaysAsIdentity().primaryKey())
    .addColumn('projection', 'text', (column) => column.notNull())
    .addColumn('rows_version', 'integer', (column) => column.notNull())
    .addColumn('layout', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('builder', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('halted', 'text')
    .addColumn('position', 'text')
    .addColumn('events', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('moved_at', 'timestamptz')
    .addColumn('last_stream', 'text')
    .addColumn('last_revision', 'bigint')
    .addColumn('last_position', 'text'),
  schema
    .createIndex('list_generations_live')
    .unique()
    .on('list_generations')
    .column('projection')
    .where(IS_LIVE),
  leasesTable(schema, LEASES),
];

/** The tables that say which generation of each list is live. Those of the generations are made while the service runs. */
export const LISTS_MIGRATIONS: Migrations = { component: 'lists', steps: [generations] };
