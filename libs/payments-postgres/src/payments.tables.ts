import { sql, type Generated } from 'kysely';
import {
  binaryText,
  leasesTable,
  queryBuilder,
  type Migrations,
  type MigrationStep,
} from '@tillstream/postgres-driver';
import type { WorkItem } from '@tillstream/payments';

/* Instants are ms since 1970, except those of the database's own clock (`timestamptz`). */

export interface PaymentsTables {
  readonly idempotency_keys: {
    readonly merchant_id: string;
    readonly key: string;
    readonly fingerprint: string;
    readonly command_id: string;
    readonly stream: string;
    readonly operation_id: string | null;
    readonly reserved_at: number;
    readonly answer: Uint8Array | null;
  };
  readonly open_work: {
    readonly id: string;
    readonly kind: WorkItem['kind'];
    readonly subject: WorkItem['subject'];
    readonly merchant_id: string | null;
    readonly clock: WorkItem['clock'];
    readonly due_at: number | null;
    readonly step: number;
    readonly since: number;
    readonly interrupted: boolean;
    readonly claimed_until: Generated<number>;
  };
  /** One row, which always exists: who locks it, locks the feeding of the queue. */
  readonly open_work_checkpoint: {
    readonly one: number;
    readonly position: string | null;
    readonly last_stream: string | null;
    readonly last_revision: number | null;
    readonly last_position: string | null;
  };
  readonly open_work_counts: { readonly what: string; readonly count: number };
  readonly event_source: { readonly one: number; readonly name: string };
  readonly service_clock: { readonly one: number; readonly offset_ms: number };
  readonly service_clock_readers: {
    readonly reader: string;
    readonly seen_ms: number;
    readonly alive_until: Date;
  };
}

export const build = queryBuilder<PaymentsTables>();

/** Of work on what the machines share. */
export const LEASES = 'leases';

/** Ends the condition of a partial index, and of the queries that use it. */
export const MAY_BE_UNKNOWN = sql<boolean>`(kind = 'Outcome' or (kind = 'Answer' and due_at is null))`;

const idempotencyKeys: MigrationStep = ({ schema }) => [
  schema
    .createTable('idempotency_keys')
    .addColumn('merchant_id', binaryText, (column) => column.notNull())
    .addColumn('key', binaryText, (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('command_id', 'text', (column) => column.notNull())
    .addColumn('stream', 'text', (column) => column.notNull())
    .addColumn('operation_id', 'text')
    .addColumn('reserved_at', 'bigint', (column) => column.notNull())
    .addColumn('answer', 'bytea')
    .addPrimaryKeyConstraint('idempotency_keys_pkey', ['merchant_id', 'key']),
  // Of answered keys only: the others are never deleted by their age.
  schema
    .createIndex('idempotency_keys_age')
    .on('idempotency_keys')
    .columns(['reserved_at', 'merchant_id', 'key'])
    .where(sql<boolean>`answer is not null`),
];

const workQueue: MigrationStep = ({ schema }) => [
  schema
    .createTable('open_work')
    .addColumn('id', binaryText, (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', binaryText, (column) => column.notNull())
    .addColumn('merchant_id', 'text')
    .addColumn('clock', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('interrupted', 'boolean', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0)),
  schema.createIndex('open_work_due').on('open_work').columns(['clock', 'due_at']),
  schema.createIndex('open_work_kind').on('open_work').columns(['kind', 'id']),
  schema.createIndex('open_work_unknown').on('open_work').columns(['since', 'subject']).where(MAY_BE_UNKNOWN),
  schema
    .createTable('open_work_checkpoint')
    .addColumn('one', 'integer', (column) => column.primaryKey().check(sql`one = 1`))
    .addColumn('position', 'text')
    .addColumn('last_stream', 'text')
    .addColumn('last_revision', 'bigint')
    .addColumn('last_position', 'text'),
  schema
    .createTable('open_work_counts')
    .addColumn('what', 'text', (column) => column.primaryKey())
    .addColumn('count', 'bigint', (column) => column.notNull()),
  schema
    .createTable('event_source')
    .addColumn('one', 'integer', (column) => column.primaryKey().check(sql`one = 1`))
    .addColumn('name', 'text', (column) => column.notNull()),
];

const clockAndLeases: MigrationStep = ({ schema }) => [
  schema
    .createTable('service_clock')
    .addColumn('one', 'integer', (column) => column.primaryKey().check(sql`one = 1`))
    .addColumn('offset_ms', 'bigint', (column) => column.notNull()),
  schema
    .createTable('service_clock_readers')
    .addColumn('reader', 'text', (column) => column.primaryKey())
    .addColumn('seen_ms', 'bigint', (column) => column.notNull())
    .addColumn('alive_until', 'timestamptz', (column) => column.notNull()),
  leasesTable(schema, LEASES),
];

const firstCheckpoint: MigrationStep = () => [
  build.insertInto('open_work_checkpoint').values({ one: 1, ...noCheckpoint }),
];

export const noCheckpoint = {
  position: null,
  last_stream: null,
  last_revision: null,
  last_position: null,
} as const;

export const PAYMENTS_MIGRATIONS: Migrations = {
  component: 'payments',
  steps: [idempotencyKeys, workQueue, clockAndLeases, firstCheckpoint],
};
