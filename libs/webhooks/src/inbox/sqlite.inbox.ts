import { WebhookSetupError } from '../webhook.errors.js';
import { DEFAULT_TABLE, TABLE_NAME } from './inbox.js';
import type { IncomingEvent, StoredEvent, WebhookInbox } from './inbox.js';

/** An open database of `better-sqlite3` or of `node:sqlite` (`DatabaseSync`). */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  /** Of `better-sqlite3`: a transaction is open. */
  readonly inTransaction?: boolean;
  /** Of `node:sqlite`: a transaction is open. */
  readonly isTransaction?: boolean;
}

export interface SqliteStatement {
  run(...values: (string | number | Uint8Array)[]): { readonly changes: number | bigint };
  all(...values: (string | number | Uint8Array)[]): unknown[];
}

const SYNCHRONOUS_FULL = 2;

/** Stores events in a table of your SQLite database. It creates the table. SQLite 3.35 or later. */
export class SqliteInbox implements WebhookInbox {
  private readonly statements: Readonly<Record<'synchronous' | keyof WebhookInbox, SqliteStatement>>;

  /** Throws `WebhookSetupError` if the name of the table is not one that needs no quotes. */
  constructor(
    private readonly database: SqliteDatabase,
    { table = DEFAULT_TABLE }: { readonly table?: string } = {},
  ) {
    if (!TABLE_NAME.test(table))
      throw new WebhookSetupError(
        'The name of the table may have only lower-case letters, digits and _, and must not begin with a digit.',
      );
    database.exec(tables(table));
    this.statements = {
      synchronous: database.prepare('pragma synchronous'),
      save: database.prepare(
        `insert into ${table} (event_id, event_type, body, received_at) values (?, ?, ?, ?) on conflict do nothing`,
      ),
      claim: database.prepare(
        `update ${table} set claimed_until = ? where arrival =
           (select arrival from ${table} where handled_at is null and claimed_until <= ? order by arrival limit 1)
         returning event_id as eventId, body`,
      ),
      done: database.prepare(`update ${table} set handled_at = ? where event_id = ? and handled_at is null`),
      forgetBodies: database.prepare(
        `update ${table} set body = null where handled_at < ? and body is not null`,
      ),
    };
  }

  /** Rejects with `WebhookSetupError` if the commit would not be durable now. */
  async save({ eventId, eventType, body, receivedAt }: IncomingEvent): Promise<'Saved' | 'Duplicate'> {
    this.assertDurable();
    const { changes } = this.statements.save.run(eventId, eventType, body, receivedAt);
    return Number(changes) === 1 ? 'Saved' : 'Duplicate';
  }

  async claim({ now, until }: { now: number; until: number }): Promise<StoredEvent | undefined> {
    return this.statements.claim.all(until, now)[0] as StoredEvent | undefined;
  }

  async done(eventId: string, now: number): Promise<void> {
    this.statements.done.run(now, eventId);
  }

  async forgetBodies(handledBefore: number): Promise<number> {
    return Number(this.statements.forgetBodies.run(handledBefore).changes);
  }

  private assertDurable(): void {
    if (this.database.inTransaction === true || this.database.isTransaction === true) {
      throw new WebhookSetupError('An open transaction on this connection would undo the event if it fails.');
    }
    // better-sqlite3 chooses 1 (NORMAL) in WAL mode: a loss of power then takes back what was committed.
    const [row] = this.statements.synchronous.all() as readonly { readonly synchronous: number }[];
    if ((row?.synchronous ?? 0) < SYNCHRONOUS_FULL) {
      throw new WebhookSetupError('Commits must survive a loss of power: set pragma synchronous = full.');
    }
  }
}

function tables(table: string): string {
  return `
    create table if not exists ${table} (
      arrival integer primary key autoincrement,
      event_id text not null unique,
      event_type text not null,
      body blob,
      received_at integer not null,
      claimed_until integer not null default 0,
      handled_at integer
    );
    create index if not exists ${table}_open on ${table} (arrival) where handled_at is null;
  `;
}
