import { isGeneratedReferenceId, operationIdFromReference } from '@tillstream/domain';
import {
  type AnyOf,
  type CreatedRange,
  type HolderFilters,
  type ListRequest,
  type MerchantFilters,
  OPERATORS,
  type PaymentMethodFilters,
  tableShape,
  type SqlValue,
  type TimeSort,
  type TokenFilters,
  type TransactionFilters,
  type TransactionSort,
} from '@tillstream/read-models';
import type { ListPlan, Range } from './list.plan.js';

/* Plans for the requests of clients. An empty list of plans means that no row can match. */

const COLUMN_OF_SORT = { createdAt: 'created_at', updatedAt: 'updated_at', amount: 'amount' } as const;
const PAGE_ROWS_MAX = 100;

type Values = AnyOf<string> | AnyOf<number> | undefined;

export function transactionPlans(request: ListRequest<TransactionFilters, TransactionSort>): ListPlan[] {
  const { filters = {} } = request;
  const { id, referenceId, type, status, responseCode, cardType, currency } = filters;
  const labels = chosenLabels('transactions', {
    original_id: filters.originalTransactionId,
    invoice_number: filters.invoiceNumber,
    order_number: filters.orderNumber,
    settlement_id: filters.settlementId,
    batch_id: filters.batchId,
    account_holder_id: filters.accountHolderId,
    payment_method_id: filters.paymentMethodId,
  });
  const plan = planOf(request, {
    facets: chosen({ type, status, response_code: responseCode, card_type: cardType, currency }),
    labels,
    ranges: transactionRanges(filters),
    ...(id && { ids: id }),
  });
  if (isEmpty(Object.values(filters))) return [];
  if (!referenceId) return [plan];
  const generated = referenceId.filter(isGeneratedReferenceId).map(operationIdFromReference);
  const given = referenceId.filter((reference) => !isGeneratedReferenceId(reference));
  const ids = id ? generated.filter((operationId) => id.includes(operationId)) : generated;
  return [
    ...(given.length > 0 ? [{ ...plan, labels: [['reference_id', given] as const, ...labels] }] : []),
    ...(ids.length > 0 ? [{ ...plan, ids, withoutLabel: 'reference_id' }] : []),
  ];
}

export function tokenPlans(
  request: ListRequest<TokenFilters, TimeSort> & { readonly accountHolderId: string },
): ListPlan[] {
  const { filters = {}, accountHolderId } = request;
  const { type, cardType, accountType, includeDeleted = false } = filters;
  if (isEmpty([type, cardType, accountType])) return [];
  const status = includeDeleted ? ['Active', 'Removed'] : ['Active'];
  const facets = chosen({ type, card_type: cardType, account_type: accountType, status });
  const labels = [['account_holder_id', [accountHolderId]] as const];
  return [planOf(request, { facets, labels, ranges: createdRange(filters) })];
}

export function holderPlans(request: ListRequest<HolderFilters, TimeSort>): ListPlan[] {
  const { filters = {} } = request;
  if (isEmpty([filters.externalIdHash])) return [];
  const facets = { status: ['Active'] };
  const labels = chosenLabels('holders', { external_id_hash: filters.externalIdHash });
  return [planOf(request, { facets, labels, ranges: createdRange(filters) })];
}

export function paymentMethodPlans(request: ListRequest<PaymentMethodFilters, 'createdAt'>): ListPlan[] {
  const { type, currency } = request.filters ?? {};
  if (isEmpty([type, currency])) return [];
  const facets = chosen({ type, currency, status: ['Enabled'] });
  return [planOf(request, { facets, labels: [], ranges: {} })];
}

export function merchantPlans(
  request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>,
): ListPlan[] {
  const { status } = request.filters ?? {};
  if (isEmpty([status])) return [];
  return [
    planOf({ ...request, merchantId: OPERATORS }, { facets: chosen({ status }), labels: [], ranges: {} }),
  ];
}

type Chosen = Pick<ListPlan, 'facets' | 'labels' | 'ranges' | 'ids'>;

function planOf(request: ListRequest<unknown, keyof typeof COLUMN_OF_SORT>, chosen: Chosen): ListPlan {
  const { merchantId, limit, sort = { by: 'createdAt', descending: true }, after } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_ROWS_MAX) {
    throw new RangeError(`a page has 1 to ${PAGE_ROWS_MAX} rows, not ${limit}`);
  }
  return {
    ...chosen,
    facets: { merchant_id: [merchantId], ...chosen.facets },
    sort: COLUMN_OF_SORT[sort.by],
    descending: sort.descending,
    limit,
    ...(after && { after }),
  };
}

function chosen(columns: Readonly<Record<string, Values>>): Record<string, readonly SqlValue[]> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, values]) => (values ? [[column, values]] : [])),
  );
}

/** In the order of the shape's labels: the most selective first. */
function chosenLabels(
  projection: 'transactions' | 'holders',
  columns: Readonly<Record<string, AnyOf<string> | undefined>>,
): ListPlan['labels'] {
  return tableShape(projection).labels.flatMap((column) => {
    const values = columns[column];
    return values ? [[column, [...new Set(values)]] as const] : [];
  });
}

function isEmpty(filters: readonly unknown[]): boolean {
  return filters.some((values) => Array.isArray(values) && values.length === 0);
}

function transactionRanges(filters: TransactionFilters): Record<string, Range> {
  const { updatedFrom, updatedTo, amountMin, amountMax } = filters;
  const bounded = amountMin !== undefined || amountMax !== undefined;
  return {
    ...createdRange(filters),
    ...timeRange('updated_at', updatedFrom, updatedTo),
    ...(bounded && {
      // An operation without an amount is stored as -1, and matches no bound.
      amount: { from: Math.max(amountMin ?? 0, 0), ...(amountMax !== undefined && { below: amountMax + 1 }) },
    }),
  };
}

function createdRange({ createdFrom, createdTo }: CreatedRange): Record<string, Range> {
  return timeRange('created_at', createdFrom, createdTo);
}

function timeRange(column: string, from: string | undefined, to: string | undefined): Record<string, Range> {
  if (from === undefined && to === undefined) return {};
  const range = {
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { below: Date.parse(to) }),
  };
  return { [column]: range };
}
