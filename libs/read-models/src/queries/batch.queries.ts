import type { OperationCategory } from '@tillstream/domain';
import { streamCategory, type EventStore, type Position } from '@tillstream/event-store';
import type { BatchQueries, BatchRow, MerchantWithUnbatched, UnbatchedItem } from '../batch.queries.types.js';
import { projectionCategories } from '../projections/projection.registry.js';
import { operationIdRange } from '../projections/row.projection.js';
import {
  batchRowsOfFacet,
  facetsOf,
  operationSums,
  returnSums,
  unbatchedItemsOfFacet,
  unbatchedRows,
} from './batch.rows.js';
import type { LiveGeneration, LiveGenerations, Tables } from './live.generation.js';

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
    private readonly live: LiveGenerations,
    private readonly store: Pick<EventStore, 'readHeaders' | 'comparePositions'>,
    /** The name of the store. */
    private readonly source: string,
  ) {}

  merchantsWithUnbatched: BatchQueries['merchantsWithUnbatched'] = () =>
    this.live.query(TRANSACTIONS, async ({ build, all }) => {
      const waiting = new Map<string, MerchantWithUnbatched>();
      for (const { merchant, currency, oldest } of await all(waitingFacets(build))) {
        const found = { merchantId: String(merchant), currency: String(currency), oldest: Number(oldest) };
        const key = `${found.merchantId} ${found.currency}`;
        const known = waiting.get(key);
        waiting.set(key, { ...found, oldest: Math.min(found.oldest, known?.oldest ?? found.oldest) });
      }
      return [...waiting.values()];
    });

  adjustedBatches: BatchQueries['adjustedBatches'] = () =>
    this.live.query(BATCHES, async ({ build, all }) => {
      const query = build
        .selectFrom('rows')
        .innerJoin('facet', 'facet.facet', 'rows.facet')
        .select(['facet.merchant_id', 'facet.currency', 'rows.adjusted_at'])
        .where('rows.adjusted_at', 'is not', null);
      return (await all(query)).map((row) => ({
        merchantId: String(row['merchant_id']),
        currency: String(row['currency']),
        oldest: Number(row['adjusted_at']),
      }));
    });

  merchantZones: BatchQueries['merchantZones'] = ({ after = '', limit }) =>
    this.live.query(MERCHANTS, async ({ build, all }) => {
      const query = build
        .selectFrom('rows')
        .select(['id', 'body'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit);
      return (await all(query)).map(({ id, body }) => {
        const { timeZone } = JSON.parse(String(body)) as { readonly timeZone: string };
        return { merchantId: String(id), timeZone };
      });
    });

  oldestUnbatchedSince: BatchQueries['oldestUnbatchedSince'] = (merchantId, currency, since) =>
    this.live.query(TRANSACTIONS, async (live) => {
      let oldest: number | undefined;
      for (const facet of await facetsOf(live, { merchantId, currency })) {
        const query = unbatchedRows(live.build, facet)
          .select('unbatched_at')
          .where('unbatched_at', '>=', since)
          .orderBy('unbatched_at')
          .limit(1);
        const [row] = await live.all(query);
        if (row) oldest = Math.min(Number(row['unbatched_at']), oldest ?? Number.POSITIVE_INFINITY);
      }
      return oldest;
    });

  unbatched: BatchQueries['unbatched'] = (request) =>
    this.live.query(TRANSACTIONS, async (live) => {
      if (!(await this.#isComplete(live, request.asOf))) return undefined;
      const items: UnbatchedItem[] = [];
      for (const facet of await facetsOf(live, request)) {
        items.push(...(await unbatchedItemsOfFacet(live, facet, request)));
      }
      items.sort((a, b) => a.at - b.at || (a.operationId < b.operationId ? -1 : 1));
      return { generation: live.generation, items: items.slice(0, request.limit) };
    });

  batchSums: BatchQueries['batchSums'] = (batchId, asOf) =>
    this.live.query(TRANSACTIONS, async (live) => {
      if (!(await this.#isComplete(live, asOf))) return undefined;
      const sums = [...(await operationSums(live, batchId)), ...(await returnSums(live, batchId))];
      return { generation: live.generation, sums };
    });

  sumOfUnbatched: BatchQueries['sumOfUnbatched'] = (request) =>
    this.live.query(TRANSACTIONS, async (live) => {
      let count = 0;
      let amount = 0;
      for (const facet of await facetsOf(live, request)) {
        const query = unbatchedRows(live.build, facet)
          .select(({ fn }) => [fn.countAll().as('count'), fn.sum('unbatched_amount').as('amount')])
          .where('unbatched_at', '<', request.before);
        const [row] = await live.all(query);
        count += Number(row?.count ?? 0);
        amount += Number(row?.amount ?? 0);
      }
      return { count, amount };
    });

  batchRows: BatchQueries['batchRows'] = (request) =>
    this.live.query(TRANSACTIONS, async (live) => {
      if (!(await this.#isComplete(live, request.asOf))) return undefined;
      const rows: BatchRow[] = [];
      for (const facet of await facetsOf(live, request)) {
        rows.push(...(await batchRowsOfFacet(live, facet, request)));
      }
      rows.sort((a, b) => a.createdAt - b.createdAt || (a.operationId < b.operationId ? -1 : 1));
      return rows.slice(0, request.limit);
    });

  settlementsDueBefore: BatchQueries['settlementsDueBefore'] = (instant, limit) =>
    this.live.query(SETTLEMENTS, async ({ build, all }) => {
      const query = build
        .selectFrom('rows')
        .select('id')
        .where('funding_due_at', 'is not', null)
        .where('funding_due_at', '<', instant)
        .orderBy('funding_due_at')
        .orderBy('id')
        .limit(limit);
      return (await all(query)).map(({ id }) => String(id));
    });

  closingBatchIds: BatchQueries['closingBatchIds'] = (limit) =>
    this.live.query(BATCHES, async ({ build, all }) => {
      const query = build
        .selectFrom('rows')
        .select('id')
        .where('closing_at', 'is not', null)
        .orderBy('closing_at')
        .orderBy('id')
        .limit(limit);
      return (await all(query)).map(({ id }) => String(id));
    });

  /** Whether all events before the position have their rows: the checkpoint has passed it, or the rest was written through. */
  async #isComplete(live: LiveGeneration, position: Position): Promise<boolean> {
    // The position of another store's generation can't be compared. A rebuild replaces that generation.
    if (live.source !== this.source) return false;
    const { position: checkpoint } = await live.progress();
    if (checkpoint !== undefined && this.store.comparePositions(checkpoint, position) >= 0) return true;
    return this.#isWrittenThrough(live, checkpoint, position);
  }

  /** Compares revisions as the projector does. False if more than a page of events is to be compared. */
  async #isWrittenThrough(
    { build, all }: LiveGeneration,
    from: Position | undefined,
    to: Position,
  ): Promise<boolean> {
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
      const query = build
        .selectFrom('rows')
        .select(({ fn }) => fn.max('revision').as('newest'))
        .where('id', '>=', ids.from)
        .where('id', '<=', ids.to);
      const [row] = await all(query);
      if (Number(row?.newest ?? -1) < revision) return false;
    }
    return true;
  }
}

/** The facets with unbatched rows. It steps from facet to facet in the index, without reading the rows between. */
function waitingFacets(build: Tables) {
  return build
    .withRecursive('waiting(facet)', (cte) =>
      cte
        .selectFrom('rows')
        .select(({ fn }) => fn.min('rows.card_facet').as('facet'))
        .where('rows.unbatched_at', 'is not', null)
        .unionAll(
          cte
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom('rows')
                .select(({ fn }) => fn.min('rows.card_facet').as('next'))
                .where('rows.unbatched_at', 'is not', null)
                .whereRef('rows.card_facet', '>', 'waiting.facet')
                .as('facet'),
            )
            .where('waiting.facet', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .innerJoin('card_facet as family', 'family.facet', 'waiting.facet')
    .select(({ selectFrom }) => [
      'family.merchant_id as merchant',
      'family.currency as currency',
      selectFrom('rows')
        .select(({ fn }) => fn.min('rows.unbatched_at').as('oldest'))
        .whereRef('rows.card_facet', '=', 'waiting.facet')
        .where('rows.unbatched_at', 'is not', null)
        .as('oldest'),
    ]);
}
