import type { Channel } from '@tillstream/domain';
import { tableShape } from '../projections/projection.registry.js';
import type { SqlValue } from '../projections/table.shape.js';
import type {
  List,
  ListedTokenFacts,
  ListRequest,
  ProjectionName,
  ReadModelQueries,
  SealedPersonal,
} from '../read-models.types.js';
import { feeChargeBodyAsOf, settlementBodyAsOf } from '../settlement.bodies.js';
import type { LiveGenerations } from './live.generation.js';
import { listRows, type ListQuery } from './list.engine.js';
import { findSettlement, withFunding } from './settlement.items.js';
import type { FoundRow, ListPlan } from './list.plan.js';
import {
  holderPlans,
  merchantPlans,
  feeChargePlans,
  paymentMethodPlans,
  settledTransactionPlans,
  settlementPlans,
  tokenPlans,
  transactionPlans,
} from './request.plans.js';
import { storableValues } from './storable.values.js';

const TOKEN_FACTS_MAX = 1_000;

/** The queries of all lists, on the live generations. */
export function createQueries(
  live: LiveGenerations,
  options: Pick<ListQuery, 'ranges' | 'narrowRowsMax'>,
): ReadModelQueries {
  async function list<Item>(
    projection: ProjectionName,
    plans: readonly ListPlan[],
    { includeTotal = false }: Pick<ListRequest<unknown, string>, 'includeTotal'>,
    toItem: (row: FoundRow) => Item,
  ): Promise<List<Item>> {
    const shape = tableShape(projection);
    const { items, ...page } = await live.query(projection, (generation) =>
      listRows(generation, { ...options, shape, plans, includeTotal }),
    );
    return { ...page, items: items.map(toItem) };
  }
  return {
    transactions: {
      list: (request) =>
        list('transactions', transactionPlans(request), request, (row) => {
          const tokenId = text(row, 'token_id');
          const channel = text(row, 'channel') as Channel;
          return { ...sealedItem(row), channel, ...(tokenId !== undefined && { tokenId }) };
        }),
    },
    tokens: {
      list: (request) =>
        list('tokens', tokenPlans(request), request, (row) => ({
          ...sealedItem(row),
          ...tokenFacts(row.content),
        })),
      facts: (tokenIds) => factsOf(live, tokenIds),
    },
    holders: { list: (request) => list('holders', holderPlans(request), request, sealedItem) },
    paymentMethods: {
      list: (request) => list('payment_methods', paymentMethodPlans(request), request, plainItem),
      merchantOf: (paymentMethodId) => merchantOf(live, paymentMethodId),
    },
    settlements: {
      list: (request) =>
        list('settlements', settlementPlans(request), request, (row) =>
          changedItem(row, (body) => settlementBodyAsOf(body, request.filters?.asOf)),
        ),
      find: (merchantId, settlementId) => findSettlement(live, merchantId, settlementId),
    },
    settledTransactions: {
      list: async (request) => {
        const found = await list(
          'settled_transactions',
          settledTransactionPlans(request),
          request,
          plainItem,
        );
        return { ...found, items: await withFunding(live, found.items, request.filters?.asOf) };
      },
    },
    feeCharges: {
      list: (request) =>
        list('fee_charges', feeChargePlans(request), request, (row) =>
          changedItem(row, (body) => feeChargeBodyAsOf(body, request.filters?.asOf)),
        ),
    },
    merchants: { list: (request) => list('merchants', merchantPlans(request), request, plainItem) },
  };
}

async function merchantOf(live: LiveGenerations, paymentMethodId: string): Promise<string | undefined> {
  if (storableValues([paymentMethodId]).length === 0) return undefined;
  const [row] = await live.query('payment_methods', ({ build, all }) =>
    all(
      build
        .selectFrom('rows')
        .innerJoin('facet', 'facet.facet', 'rows.facet')
        .select('facet.merchant_id')
        .where('rows.id', '=', paymentMethodId),
    ),
  );
  return row && String(row['merchant_id']);
}

async function factsOf(
  live: LiveGenerations,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, ListedTokenFacts>> {
  if (tokenIds.length > TOKEN_FACTS_MAX)
    throw new RangeError(`facts of at most ${TOKEN_FACTS_MAX} tokens at once`);
  const known = storableValues([...new Set(tokenIds)]);
  if (known.length === 0) return new Map();
  const rows = await live.query('tokens', ({ build, all }) =>
    all(build.selectFrom('rows').select(['id', 'channel', 'removed_at']).where('id', 'in', known)),
  );
  return new Map(rows.map((row) => [String(row['id']), tokenFacts(row)]));
}

function tokenFacts({ channel, removed_at: removedAt }: Readonly<Record<string, SqlValue | undefined>>) {
  return {
    channel: channel as Channel,
    ...(typeof removedAt === 'string' && { dateDeleted: removedAt }),
  };
}

function plainItem(row: FoundRow) {
  return { id: row.id, body: text(row, 'body') ?? '' };
}

function changedItem(row: FoundRow, change: (body: string) => string) {
  const { id, body } = plainItem(row);
  return { id, body: change(body) };
}

function sealedItem(row: FoundRow) {
  const personal = text(row, 'personal');
  return {
    ...plainItem(row),
    ...(personal !== undefined && { personal: JSON.parse(personal) as SealedPersonal }),
  };
}

function text({ content }: FoundRow, column: string): string | undefined {
  const value = content[column];
  return typeof value === 'string' ? value : undefined;
}
