import { sql } from 'kysely';
import type { OperationCategory } from '@tillstream/domain';
import { streamCategory, type EventStore, type Position } from '@tillstream/event-store';
import {
  type BatchQueries,
  operationIdRange,
  projectionCategories,
  type BatchRow,
  type UnbatchedItem,
  type MerchantWithUnbatched,
} from '@tillstream/read-models';
import type { Tables } from '../tables/sqlite.dialect.js';
import type { ControlDatabase } from '../generations/control.database.js';
import { readProgress } from '../tables/progress.table.js';
import {
  batchRowsOfFacet,
  facetsOf,
  operationSums,
  returnSums,
  unbatchedItemsOfFacet,
  unbatchedRows,
} from './batch.rows.js';
import type { LiveReader } from './live.reader.js';

const TRANSACTIONS = 'transactions';
const BATCHES = 'batches';
const SETTLEMENTS = 'settlements';
const MERCHANTS = 'merchants';
const PAGE_EVENTS = 1_000;

/**
 * Queries of the batch closer on `transactions` and `batches`. Their indexes hold only rows that wait for a batch, so no
 * query reads rows of closed batches.
 */
export class BatchRowQueries implements BatchQueries {
  constructor(
    private readonly reader: LiveReader,
    private readonly store: Pick<EventStore, 'readHeaders' | 'comparePositions'>,
    private readonly control: Pick<ControlDatabase, 'live' | 'source'>,
  ) {}

  merchantsWithUnbatched: BatchQueries['merchantsWithUnbatched'] = () =>
    this.reader.query(TRANSACTIONS, async (tables) => {
      // Steps from facet to facet in the index, without reading the rows between.
      const { rows } = await sql<{ merchant: string; currency: string; oldest: number }>`
        with recursive waiting(facet) as (
          select min(card_facet) from rows where unbatched_at is not null
          union all
          select (select min(card_facet) from rows where unbatched_at is not null and card_facet > waiting.facet)
          from waiting where waiting.facet is not null
        )
        select family.merchant_id as merchant, family.currency as currency,
          (select min(unbatched_at) from rows where card_facet = waiting.facet and unbatched_at is not null) as oldest
        from waiting inner join card_facet as family on family.facet = waiting.facet`.execute(tables);
      const waiting = new Map<string, MerchantWithUnbatched>();
      for (const { merchant: merchantId, currency, oldest } of rows) {
        const key = `${merchantId} ${currency}`;
        const known = waiting.get(key);
        waiting.set(key, { merchantId, currency, oldest: Math.min(oldest, known?.oldest ?? oldest) });
      }
      return [...waiting.values()];
    });

  adjustedBatches: BatchQueries['adjustedBatches'] = () =>
    this.reader.query(BATCHES, async (tables) => {
      const rows = await tables
        .selectFrom('rows')
        .innerJoin('facet', 'facet.facet', 'rows.facet')
        .select(['facet.merchant_id', 'facet.currency', 'rows.adjusted_at'])
        .where('rows.adjusted_at', 'is not', null)
        .execute();
      return rows.map((row) => ({
        merchantId: String(row['merchant_id']),
        currency: String(row['currency']),
        oldest: Number(row['adjusted_at']),
      }));
    });

  merchantZones: BatchQueries['merchantZones'] = ({ after = '', limit }) =>
    this.reader.query(MERCHANTS, async (tables) => {
      const rows = await tables
        .selectFrom('rows')
        .select(['id', 'body'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, body }) => {
        const { timeZone } = JSON.parse(String(body)) as { readonly timeZone: string };
        return { merchantId: String(id), timeZone };
      });
    });

  oldestUnbatchedSince: BatchQueries['oldestUnbatchedSince'] = (merchantId, currency, since) =>
    this.reader.query(TRANSACTIONS, async (tables) => {
      let oldest: number | undefined;
      for (const facet of await facetsOf(tables, { merchantId, currency })) {
        const row = await unbatchedRows(tables, facet)
          .select('unbatched_at')
          .where('unbatched_at', '>=', since)
          .orderBy('unbatched_at')
          .limit(1)
          .executeTakeFirst();
        if (row) oldest = Math.min(Number(row['unbatched_at']), oldest ?? Number.POSITIVE_INFINITY);
      }
      return oldest;
    });

  unbatched: BatchQueries['unbatched'] = (request) =>
    this.reader.query(TRANSACTIONS, async (tables, generation) => {
      if (!(await this.#isComplete(tables, generation, request.asOf))) return undefined;
      const items: UnbatchedItem[] = [];
      for (const facet of await facetsOf(tables, request)) {
        items.push(...(await unbatchedItemsOfFacet(tables, facet, request)));
      }
      items.sort((a, b) => a.at - b.at || (a.operationId < b.operationId ? -1 : 1));
      return { generation, items: items.slice(0, request.limit) };
    });

  batchSums: BatchQueries['batchSums'] = (batchId, asOf) =>
    this.reader.query(TRANSACTIONS, async (tables, generation) => {
      if (!(await this.#isComplete(tables, generation, asOf))) return undefined;
      return {
        generation,
        sums: [...(await operationSums(tables, batchId)), ...(await returnSums(tables, batchId))],
      };
    });

  sumOfUnbatched: BatchQueries['sumOfUnbatched'] = (request) =>
    this.reader.query(TRANSACTIONS, async (tables) => {
      let count = 0;
      let amount = 0;
      for (const facet of await facetsOf(tables, request)) {
        const row = await unbatchedRows(tables, facet)
          .select(({ fn }) => [fn.countAll().as('count'), fn.sum('unbatched_amount').as('amount')])
          .where('unbatched_at', '<', request.before)
          .executeTakeFirstOrThrow();
        count += Number(row.count);
        amount += Number(row.amount ?? 0);
      }
      return { count, amount };
    });

  batchRows: BatchQueries['batchRows'] = (request) =>
    this.reader.query(TRANSACTIONS, async (tables, generation) => {
      if (!(await this.#isComplete(tables, generation, request.asOf))) return undefined;
      const rows: BatchRow[] = [];
      for (const facet of await facetsOf(tables, request)) {
        rows.push(...(await batchRowsOfFacet(tables, facet, request)));
      }
      rows.sort((a, b) => a.createdAt - b.createdAt || (a.operationId < b.operationId ? -1 : 1));
      return rows.slice(0, request.limit);
    });

  settlementsDueBefore: BatchQueries['settlementsDueBefore'] = (instant, limit) =>
    this.reader.query(SETTLEMENTS, async (tables) => {
      const rows = await tables
        .selectFrom('rows')
        .select('id')
        .where('funding_due_at', 'is not', null)
        .where('funding_due_at', '<', instant)
        .orderBy('funding_due_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => String(id));
    });

  closingBatchIds: BatchQueries['closingBatchIds'] = (limit) =>
    this.reader.query(BATCHES, async (tables) => {
      const rows = await tables
        .selectFrom('rows')
        .select('id')
        .where('closing_at', 'is not', null)
        .orderBy('closing_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => String(id));
    });

  /** Whether all events before the position have their rows: the checkpoint has passed it, or the rest was written through. */
  async #isComplete(tables: Tables, generation: number, position: Position): Promise<boolean> {
    const live = this.control.live(TRANSACTIONS);
    // The position of another store's generation can't be compared. A rebuild replaces that generation.
    if (live?.generation !== generation || live.source !== this.control.source) return false;
    const { position: checkpoint } = await readProgress(tables);
    if (checkpoint !== undefined && this.store.comparePositions(checkpoint, position) >= 0) return true;
    return this.#isWrittenThrough(tables, checkpoint, position);
  }

  /** Compares revisions as the projector does. False if more than a page of events is to be compared. */
  async #isWrittenThrough(tables: Tables, from: Position | undefined, to: Position): Promise<boolean> {
    const { store } = this;
    const { headers, end } = await store.readHeaders({
      ...(from !== undefined && { after: from }),
      categories: projectionCategories(TRANSACTIONS),
      limit: PAGE_EVENTS,
    });
    const before = headers.filter(({ position }) => store.comparePositions(position, to) < 0);
    if (before.length === headers.length && !end) return false;
    const lastRevisions = new Map(before.map(({ stream, revision }) => [stream, revision]));
    for (const [stream, revision] of lastRevisions) {
      const ids = operationIdRange(streamCategory(stream) as OperationCategory, stream);
      const row = await tables
        .selectFrom('rows')
        .select(({ fn }) => fn.max('revision').as('newest'))
        .where('id', '>=', ids.from)
        .where('id', '<=', ids.to)
        .executeTakeFirstOrThrow();
      if (Number(row.newest ?? -1) < revision) return false;
    }
    return true;
  }
}
