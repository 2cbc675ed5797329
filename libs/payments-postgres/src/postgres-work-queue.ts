import { sql, type SqlBool } from 'kysely';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type {
  CountedFact,
  UnknownOutcomeCount,
  UnknownOutcomesQuery,
  WorkItem,
  WorkItemChange,
  WorkKind,
  WorkQueue,
} from '@tillstream/payments';
import { asStore, type Postgres } from '@tillstream/postgres-driver';
import { build, MAY_BE_UNKNOWN, type PaymentsTables } from './payments.tables.js';
import { moveCheckpoint, resetWorkQueue, storedCheckpoint, writeChanges } from './work-queue.feed.js';

type Row = Omit<PaymentsTables['open_work'], 'claimed_until'>;

const COLUMNS = [
  'open_work.id',
  'open_work.kind',
  'open_work.subject',
  'open_work.merchant_id',
  'open_work.clock',
  'open_work.due_at',
  'open_work.step',
  'open_work.since',
  'open_work.interrupted',
] as const;

interface Now {
  readonly service: number;
  readonly real: number;
}

/** The work queue in PostgreSQL. Its tables can be fed again from the events. */
export function openPostgresWorkQueue(database: Postgres): WorkQueue {
  return new PostgresWorkQueue(database);
}

class PostgresWorkQueue implements WorkQueue {
  constructor(private readonly database: Postgres) {}

  checkpoint(): ReturnType<WorkQueue['checkpoint']> {
    return asStore(() => storedCheckpoint(this.database));
  }

  advance(
    changes: readonly WorkItemChange[],
    from: Position | undefined,
    to: HistoryWitness,
  ): Promise<boolean> {
    const feed = (): Promise<boolean> =>
      this.database.transaction(async (session) => {
        // Locks the checkpoint, so that no other process feeds the queue before the commit.
        if (!(await moveCheckpoint(session, from, to))) return false;
        await writeChanges(session, changes);
        return true;
      });
    return asStore(feed);
  }

  reset(): Promise<void> {
    return asStore(() => this.database.transaction(resetWorkQueue));
  }

  async claimDue(now: Now, limit: number, leaseMs: number): Promise<WorkItem[]> {
    const free = build
      .selectFrom('open_work')
      .select('id')
      .where(isDue(now))
      .where('claimed_until', '<=', now.real)
      .orderBy('due_at')
      .limit(limit)
      // Another process is claiming the locked rows.
      .forUpdate()
      .skipLocked();
    const claimed = build
      .with('due', () => free)
      .updateTable('open_work')
      .from('due')
      .set({ claimed_until: now.real + leaseMs })
      .whereRef('open_work.id', '=', 'due.id')
      .returning(COLUMNS);
    const rows = await asStore(() => this.database.returning(claimed));
    return rows.map(toWork).sort((a, b) => Number(a.dueAt) - Number(b.dueAt));
  }

  async reschedule(id: string, next: Pick<WorkItem, 'clock' | 'dueAt' | 'step'>): Promise<void> {
    const { clock, dueAt, step } = next;
    const values = { clock, due_at: dueAt, step, claimed_until: 0 };
    await asStore(() => this.database.run(build.updateTable('open_work').set(values).where('id', '=', id)));
  }

  async remove({ id, since, dueAt, step }: WorkItem): Promise<void> {
    const same = build
      .deleteFrom('open_work')
      .where('id', '=', id)
      .where('since', '=', since)
      .where('due_at', 'is not distinct from', dueAt)
      .where('step', '=', step);
    await asStore(() => this.database.run(same));
  }

  async find(id: string): Promise<WorkItem | undefined> {
    const found = build.selectFrom('open_work').select(COLUMNS).where('id', '=', id);
    return (await asStore(() => this.database.all(found))).map(toWork)[0];
  }

  async list(kind: WorkKind, after: string | undefined, limit: number): Promise<WorkItem[]> {
    const page = build
      .selectFrom('open_work')
      .select(COLUMNS)
      .where('kind', '=', kind)
      .where('id', '>', after ?? '')
      .orderBy('id')
      .limit(limit);
    return (await asStore(() => this.database.all(page))).map(toWork);
  }

  countDue(now: Now): Promise<number> {
    const counted = build.selectFrom('open_work').select(({ fn }) => fn.countAll<number>().as('count'));
    return this.#count(counted.where(isDue(now)));
  }

  async claim(id: string, realNow: number, leaseMs: number): Promise<WorkItem | undefined> {
    const claimed = build
      .updateTable('open_work')
      .set({ claimed_until: realNow + leaseMs })
      .where('id', '=', id)
      .where('claimed_until', '<=', realNow)
      .returning(COLUMNS);
    return (await asStore(() => this.database.returning(claimed))).map(toWork)[0];
  }

  async unknownOutcomes({ dueBy, merchantIds, after, limit }: UnknownOutcomesQuery): Promise<WorkItem[]> {
    if (merchantIds?.length === 0) return [];
    const place = [after?.since ?? Number.MIN_SAFE_INTEGER, after?.subject ?? ''] as const;
    let page = build
      .selectFrom('open_work')
      .select(COLUMNS)
      .where(isUnknown(dueBy))
      .where(sql<SqlBool>`(since, subject) > (${place[0]}, ${place[1]})`)
      .orderBy('since')
      .orderBy('subject')
      .limit(limit);
    if (merchantIds) page = page.where('merchant_id', 'in', merchantIds);
    return (await asStore(() => this.database.all(page))).map(toWork);
  }

  async countUnknown(dueBy: number, countMax: number): Promise<UnknownOutcomeCount> {
    const counted = build
      .selectFrom('open_work')
      .select(['since', 'due_at'])
      .where(isUnknown(dueBy))
      .orderBy('since')
      .orderBy('subject')
      .limit(countMax);
    const summed = build
      .selectFrom(counted.as('counted'))
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.min('since').as('oldest'),
        fn.countAll<number>().filterWhere('due_at', 'is', null).as('givenUp'),
      ]);
    const [row] = await asStore(() => this.database.all(summed));
    return { count: row?.count ?? 0, oldestSince: row?.oldest ?? undefined, givenUp: row?.givenUp ?? 0 };
  }

  countOf(what: CountedFact): Promise<number> {
    return this.#count(build.selectFrom('open_work_counts').select('count').where('what', '=', what));
  }

  async #count(query: Parameters<Postgres['all']>[0]): Promise<number> {
    const [row] = (await asStore(() => this.database.all(query))) as { readonly count: number }[];
    return row?.count ?? 0;
  }
}

/** Null, and so not due, for an item that waits for an operator. */
function isDue({ service, real }: Now) {
  return sql<SqlBool>`((clock = 'Service' and due_at <= ${service}) or (clock = 'Real' and due_at <= ${real}))`;
}

/** Repeated inquiries are scheduled by the service's clock. By then the client has been answered `Interrupted`. */
function isUnknown(dueBy: number) {
  return sql<SqlBool>`${MAY_BE_UNKNOWN} and (interrupted or clock = 'Service' or due_at <= ${dueBy})`;
}

function toWork(row: Row): WorkItem {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    clock: row.clock,
    dueAt: row.due_at,
    step: row.step,
    since: row.since,
    ...(row.merchant_id !== null && { merchantId: row.merchant_id }),
    ...(row.interrupted && { interrupted: true }),
  };
}
