import { WebhookSetupError } from '../webhook.errors.js';
import { DEFAULT_TABLE, TABLE_NAME } from './inbox.js';
import type { IncomingEvent, StoredEvent, WebhookInbox } from './inbox.js';

/** A `Pool` of `pg`, or what else runs one statement in a transaction of its own. A client inside a transaction is none. */
export interface PostgresDatabase {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Stores events in a table of your PostgreSQL database. Call `setUp` once before the first event. */
export class PostgresInbox implements WebhookInbox {
  private readonly table: string;

  /** Throws `WebhookSetupError` if the name of the table is not one that needs no quotes. */
  constructor(
    private readonly database: PostgresDatabase,
    { table = DEFAULT_TABLE }: { readonly table?: string } = {},
  ) {
    if (!TABLE_NAME.test(table))
      throw new WebhookSetupError(
        'The name of the table may have only lower-case letters, digits and _, and must not begin with a digit.',
      );
    this.table = table;
  }

  /** Creates the table if it is not there. Several processes may call it at the same time. */
  async setUp(): Promise<void> {
    const { table } = this;
    // One implicit transaction. `if not exists` alone fails when two processes create the table at the same time.
    await this.database.query(`
      select pg_advisory_xact_lock(hashtext('${table}'));
      create table if not exists ${table} (
        arrival bigint generated always as identity primary key,
        event_id text not null unique,
        event_type text not null,
        body bytea,
        received_at bigint not null,
        claimed_until bigint not null default 0,
        handled_at bigint
      );
      create index if not exists ${table}_open on ${table} (arrival) where handled_at is null;
    `);
  }

  async save({ eventId, eventType, body, receivedAt }: IncomingEvent): Promise<'Saved' | 'Duplicate'> {
    // In a session that commits without waiting for the disk, this one transaction waits.
    const { rows } = await this.database.query(
      `insert into ${this.table} (event_id, event_type, body, received_at)
       select $1::text, $2::text, $3::bytea, $4::bigint
       where case current_setting('synchronous_commit')
         when 'off' then set_config('synchronous_commit', 'on', true) = 'on' else true end
       on conflict (event_id) do nothing returning event_id`,
      [eventId, eventType, Buffer.from(body), receivedAt],
    );
    return rows.length === 1 ? 'Saved' : 'Duplicate';
  }

  async claim({ now, until }: { now: number; until: number }): Promise<StoredEvent | undefined> {
    const { rows } = await this.database.query(
      `update ${this.table} set claimed_until = $1 where arrival =
         (select arrival from ${this.table} where handled_at is null and claimed_until <= $2
          order by arrival limit 1 for update skip locked)
       returning event_id as "eventId", body`,
      [until, now],
    );
    return rows[0] as StoredEvent | undefined;
  }

  async done(eventId: string, now: number): Promise<void> {
    await this.database.query(
      `update ${this.table} set handled_at = $1 where event_id = $2 and handled_at is null`,
      [now, eventId],
    );
  }

  async forgetBodies(handledBefore: number): Promise<number> {
    const { rows } = await this.database.query(
      `with forgotten as (
         update ${this.table} set body = null where handled_at < $1 and body is not null returning 1
       ) select count(*)::int as count from forgotten`,
      [handledBefore],
    );
    return (rows[0] as { readonly count: number }).count;
  }
}
