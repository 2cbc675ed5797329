import { CompiledQuery, type Compilable } from 'kysely';
import { openPostgres, type Postgres } from '@tillstream/postgres-driver';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import {
  createQueries,
  tableShape,
  type LiveGeneration,
  type ReadModelQueries,
} from '@tillstream/read-models';
import { manyRowsIds, MERCHANT, middleOf } from '@tillstream/read-models/testing';
import { createSchema, listIndexes, listTables } from '../tables/generation.schema.js';
import { tablesOf } from '../tables/generation.tables.js';
import { manyFacets, manyRowsInsert } from '../testing/many.rows.statements.js';
import { postgresRanges } from './merged-ranges.query.js';

const ROWS = 20_000;
/** Each with one row: the average merchant is nothing like `MERCHANT`. */
const SMALL_MERCHANTS = 3_000;
const PAGE = 25;
const SHAPE = tableShape('transactions');
const GENERATION = { projection: 'transactions', generation: 1 };
const SCHEMA = 'list_transactions_1';
const { settlementId, transactionId } = manyRowsIds(ROWS);

/** When the planner last looked at the rows. */
type Statistics = 'none' | 'of empty tables' | 'of all rows';
type Request = Parameters<ReadModelQueries['transactions']['list']>[0];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  /** Of the node and those below it. */
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 120_000);
afterAll(() => server.stop());

describe.each<Statistics>(['none', 'of empty tables', 'of all rows'])('With statistics %s', (statistics) => {
  let database: Postgres;
  let recorded: Compilable<unknown>[] = [];
  let queries: ReadModelQueries;

  beforeAll(async () => {
    const settings = await server.newDatabase();
    database = openPostgres({ ...settings, reads: 'ByIndex' });
    const admin = (statement: string) => server.admin(statement, new URL(settings.url).pathname.slice(1));
    await fill(database, admin, statistics);
    const live: LiveGeneration = {
      generation: 1,
      source: '',
      build: tablesOf(GENERATION),
      all: (query) => {
        recorded.push(query);
        return database.all(query);
      },
      progress: () => Promise.reject(new Error('no query of a list asks for it')),
    };
    queries = createQueries({ query: (_projection, work) => work(live) }, { ranges: postgresRanges });
  }, 120_000);
  afterAll(() => database.close());

  /** The plans of the statements that read the page. */
  async function plansOf(request: Partial<Request>): Promise<readonly PlanNode[]> {
    recorded = [];
    const sort = { by: 'createdAt', descending: true } as const;
    const page = await queries.transactions.list({ merchantId: MERCHANT, limit: PAGE, sort, ...request });
    expect(page.items.length).toBeGreaterThan(0);
    return Promise.all(recorded.map((query) => planOf(database, query)));
  }

  /** The largest number of index entries and rows that a statement of the page reads. */
  async function entriesRead(request: Partial<Request>): Promise<number> {
    return Math.max(...(await plansOf(request)).map(entriesOf));
  }

  /** The largest number of database pages that a statement of the page reads. */
  async function blocksRead(request: Partial<Request>): Promise<number> {
    const plans = await plansOf(request);
    return Math.max(...plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']));
  }

  const sorts = (['createdAt', 'updatedAt', 'amount'] as const).flatMap((by) =>
    [true, false].map((descending) => ({ by, descending })),
  );
  const filters = [
    {},
    ...[{ type: ['Sale'] }, { cardType: ['VISA', 'AMEX'] }, { currency: ['USD', 'CAD'] }],
    ...[{ settlementId: [settlementId, 'stl_none'] }, { id: [transactionId] }],
  ] as readonly NonNullable<Request['filters']>[];

  it.each(sorts)('A page reads no more entries than limit × ranges: %j', async (sort) => {
    for (const chosen of filters) expect(await entriesRead({ sort, filters: chosen })).toBeLessThan(300);
  });

  it.each(sorts)('A page in the middle reads no more than the first: %j', async (sort) => {
    const value = middleOf('transactions', sort.by === 'amount' ? 'amount' : 'created_at', ROWS);
    for (const chosen of filters.slice(0, 4)) {
      const page = { sort, filters: chosen, after: { value, id: '~' } };
      expect(await entriesRead(page)).toBeLessThan(300);
    }
  });

  it('A bounded time or amount begins the scan at its bound', async () => {
    const from = new Date(middleOf('transactions', 'created_at', ROWS)).toISOString();
    expect(await entriesRead({ filters: { createdFrom: from } })).toBeLessThan(300);
    expect(await entriesRead({ filters: { createdTo: from } })).toBeLessThan(300);
    const sort = { by: 'amount', descending: false } as const;
    expect(await entriesRead({ sort, filters: { amountMin: 50_000 } })).toBeLessThan(300);
  });

  it.each(sorts)('A scan does not read on behind a range that is shorter than the page: %j', async (sort) => {
    for (const chosen of filters) expect(await blocksRead({ sort, filters: chosen })).toBeLessThan(220);
  });

  it.each([true, false])(
    'The scan of a bounded time ends at its bound; descending: %p',
    async (descending) => {
      const middle = middleOf('transactions', 'created_at', ROWS);
      const range = {
        createdFrom: new Date(middle).toISOString(),
        createdTo: new Date(middle + 1_000).toISOString(),
      };
      const sort = { by: 'createdAt', descending } as const;
      expect(await blocksRead({ sort, filters: range })).toBeLessThan(150);
    },
  );

  it('Several conditions, of which one matches few rows, read only those rows', async () => {
    const filters = { type: ['Sale'], currency: ['CAD'], createdFrom: '2026-01-05T08:00:00.000Z' } as const;
    expect(await entriesRead({ filters })).toBeLessThan(5_000);
  });

  it('Several conditions that match many rows read the list until the page is full', async () => {
    const filters = { type: ['Sale'], cardType: ['VISA'], status: ['Completed'] } as const;
    expect(await entriesRead({ filters })).toBeLessThan(5_000);
  });

  it('A total counts up to its limit, and no row twice', async () => {
    expect(await entriesRead({ includeTotal: true })).toBeLessThan(10_100);
    const { total } = await queries.transactions.list({ merchantId: MERCHANT, limit: 1, includeTotal: true });
    expect(total).toEqual({ count: 10_000, isAtLeast: true });
  });
});

async function fill(
  database: Postgres,
  admin: (statement: string) => Promise<unknown>,
  statistics: Statistics,
): Promise<void> {
  await database.run(createSchema(GENERATION));
  for (const statement of [...listTables(GENERATION, SHAPE), ...listIndexes(GENERATION, SHAPE)]) {
    await database.run(statement);
  }
  await admin(`alter table ${SCHEMA}.rows set (autovacuum_enabled = off)`);
  if (statistics === 'of empty tables') await admin('analyze');
  for (const statement of manyFacets(GENERATION, SHAPE, ROWS)) await database.run(statement);
  await database.run(manyRowsInsert(GENERATION, SHAPE, ROWS, { from: 0, to: ROWS }));
  await admin(`insert into ${SCHEMA}.card_facet (merchant_id, card_type, currency)
    select 'mer_small' || n, 'VISA', 'USD' from generate_series(1, ${SMALL_MERCHANTS}) as n`);
  await admin(`insert into ${SCHEMA}.outcome_facet (merchant_id, type, status, response_code)
    select 'mer_small' || n, 'Sale', 'Completed', 1 from generate_series(1, ${SMALL_MERCHANTS}) as n`);
  await admin(`insert into ${SCHEMA}.rows (id, revision, card_facet, outcome_facet, created_at, updated_at, amount, body)
    select 'small' || card.merchant_id, 0, card.facet, outcome.facet, 1, 1, 1, '{}'
    from ${SCHEMA}.card_facet as card join ${SCHEMA}.outcome_facet as outcome using (merchant_id)
    where card.merchant_id <> '${MERCHANT}'`);
  if (statistics === 'of all rows') await admin('analyze');
}

async function planOf(database: Postgres, query: Compilable<unknown>): Promise<PlanNode> {
  const { sql: text, parameters } = query.compile();
  const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [...parameters]);
  const [row] = await database.all({ compile: () => explain });
  const [{ Plan: plan }] = (row as { readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] })[
    'QUERY PLAN'
  ];
  return plan;
}

function entriesOf(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + entriesOf(child), 0);
  if (node['Relation Name'] !== 'rows') return below;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return below + (node['Actual Rows'] + removed) * node['Actual Loops'];
}
