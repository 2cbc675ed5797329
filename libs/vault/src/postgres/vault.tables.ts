import { CompiledQuery, sql, type Compilable, type GeneratedAlways, type Selectable } from 'kysely';
import { binaryText, queryBuilder, type Migrations, type MigrationStep } from '@tillstream/postgres-driver';

export interface VaultTables {
  readonly vault_subjects: {
    readonly id: GeneratedAlways<number>;
    readonly name: string;
    readonly master: number;
    readonly card_key: Buffer | null;
    readonly personal_key: Buffer | null;
    readonly card: Buffer | null;
  };
  readonly vault_master_keys: {
    readonly version: number;
    readonly check_value: Buffer;
    /** RFC 3339. */
    readonly registered_at: string;
    readonly retired_at: string | null;
  };
}

export type StoredSubject = Selectable<VaultTables['vault_subjects']>;
export type StoredVersion = Selectable<VaultTables['vault_master_keys']>;

export const build = queryBuilder<VaultTables>();

/** For what the builder can't express. */
const statement = (text: string): Compilable<unknown> => ({ compile: () => CompiledQuery.raw(text) });

const tables: MigrationStep = ({ schema }) => [
  schema
    .createTable('vault_subjects')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('name', binaryText, (column) => column.notNull().unique())
    .addColumn('master', 'integer', (column) => column.notNull())
    .addColumn('card_key', 'bytea')
    .addColumn('personal_key', 'bytea')
    .addColumn('card', 'bytea')
    .addCheckConstraint(
      'destroyed_is_empty',
      sql`master <> 0 or (card_key is null and personal_key is null and card is null)`,
    ),
  schema.createIndex('vault_subjects_master').on('vault_subjects').columns(['master', 'id']),
  schema
    .createTable('vault_master_keys')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('check_value', 'bytea', (column) => column.notNull().unique())
    .addColumn('registered_at', 'text', (column) => column.notNull())
    .addColumn('retired_at', 'text'),
];

/** A subject is never deleted, and one that was destroyed never changes. The database refuses both to every client. */
const guards: MigrationStep = () => [
  statement(`create function vault_subjects_guard() returns trigger language plpgsql as $guard$
    begin
      if tg_op = 'DELETE' then raise exception 'subjects are never deleted'; end if;
      if old.master = 0 then raise exception 'this subject was destroyed'; end if;
      if new.id <> old.id or new.name <> old.name then raise exception 'a row keeps its name'; end if;
      return new;
    end $guard$`),
  statement(`create trigger vault_subjects_guard before update or delete on vault_subjects
    for each row execute function vault_subjects_guard()`),
];

export const VAULT_MIGRATIONS: Migrations = { component: 'the vault', steps: [tables, guards] };
