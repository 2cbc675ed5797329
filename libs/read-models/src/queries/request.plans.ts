import { isGeneratedReferenceId, operationIdFromReference } from '@tillstream/domain';
import { OPERATORS } from '../projections/column.values.js';
import { tableShape } from '../projections/projection.registry.js';
import type {
  AnyOf,
  CreatedRange,
  HolderFilters,
  ListRequest,
  MerchantFilters,
  PaymentMethodFilters,
  TimeSort,
  TokenFilters,
  TransactionFilters,
  TransactionSort,
} from '../read-models.types.js';
import type {
  FeeChargeFilters,
  FeeChargeSort,
  SettledTransactionFilters,
  SettledTransactionSort,
  SettlementFilters,
  SettlementSort,
} from '../settlement-list.types.js';
import type { ListPlan, Range } from './list.plan.js';
import { storableValues } from './storable.values.js';

/* Plans for the requests of clients. An empty list of plans means that no row can match. */

const COLUMN_OF_SORT = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  amount: 'amount',
  settledAt: 'created_at',
  chargedAt: 'charged_at',
} as const;
const PAGE_ROWS_MAX = 100;

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
  const plans = plansOf(request, {
    facets: { type, status, response_code: responseCode, card_type: cardType, currency },
    labels,
    ranges: transactionRanges(filters),
    ...(id && { ids: id }),
  });
  if (!referenceId) return plans;
  const generated = referenceId.filter(isGeneratedReferenceId).map(operationIdFromReference);
  const given = storableValues(referenceId).filter((reference) => !isGeneratedReferenceId(reference));
  const ids = id ? generated.filter((operationId) => id.includes(operationId)) : generated;
  return plans.flatMap((plan) => [
    ...(given.length > 0 ? [{ ...plan, labels: [['reference_id', given] as const, ...plan.labels] }] : []),
    ...(ids.length > 0 ? [{ ...plan, ids, withoutLabel: 'reference_id' }] : []),
  ]);
}

export function tokenPlans(
  request: ListRequest<TokenFilters, TimeSort> & { readonly accountHolderId: string },
): ListPlan[] {
  const { filters = {}, accountHolderId } = request;
  const { type, cardType, accountType, includeDeleted = false } = filters;
  const status = includeDeleted ? ['Active', 'Removed'] : ['Active'];
  const facets = { type, card_type: cardType, account_type: accountType, status };
  const labels = [['account_holder_id', [accountHolderId]] as const];
  return plansOf(request, { facets, labels, ranges: createdRange(filters) });
}

export function holderPlans(request: ListRequest<HolderFilters, TimeSort>): ListPlan[] {
  const { filters = {} } = request;
  const labels = chosenLabels('holders', { external_id_hash: filters.externalIdHash });
  return plansOf(request, { facets: { status: ['Active'] }, labels, ranges: createdRange(filters) });
}

export function paymentMethodPlans(request: ListRequest<PaymentMethodFilters, 'createdAt'>): ListPlan[] {
  const { type, currency } = request.filters ?? {};
  return plansOf(request, { facets: { type, currency, status: ['Enabled'] }, labels: [], ranges: {} });
}

export function merchantPlans(
  request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>,
): ListPlan[] {
  const { status } = request.filters ?? {};
  return plansOf({ ...request, merchantId: OPERATORS }, { facets: { status }, labels: [], ranges: {} });
}

/** With `asOf` the status is that of that time: it follows from the time of the funding. */
export function settlementPlans(request: ListRequest<SettlementFilters, SettlementSort>): ListPlan[] {
  const { currency, status, settledFrom, settledTo, asOf } = request.filters ?? {};
  const ranges = {
    ...createdAsOf(settledFrom, settledTo, asOf),
    ...changedAsOf('funded_at', 'Funded', status, asOf),
  };
  return plansOf(request, { facets: { currency, ...(!asOf && { status }) }, labels: [], ranges });
}

export function settledTransactionPlans(
  request: ListRequest<SettledTransactionFilters, SettledTransactionSort>,
): ListPlan[] {
  const { filters = {}, sort = { by: 'settledAt', descending: true } } = request;
  const { settlementId, batchId, transactionId, transactionType, settledFrom, settledTo, asOf } = filters;
  const labels = chosenLabels('settled_transactions', {
    transaction_id: transactionId,
    settlement_id: settlementId,
    batch_id: batchId,
  });
  const ranges = createdAsOf(settledFrom, settledTo, asOf);
  return plansOf({ ...request, sort }, { facets: { type: transactionType }, labels, ranges });
}

/** With `asOf` a fee that was charged later is pending, and has no settlement. */
export function feeChargePlans(request: ListRequest<FeeChargeFilters, FeeChargeSort>): ListPlan[] {
  const { filters = {}, sort = { by: 'chargedAt', descending: true } } = request;
  const { settlementId, status, source, chargedFrom, chargedTo, asOf } = filters;
  const labels = chosenLabels('fee_charges', { settlement_id: settlementId });
  // What was not charged at that time had neither a settlement nor a time.
  const onlyCharged =
    asOf !== undefined && [settlementId, chargedFrom, chargedTo].some((chosen) => chosen !== undefined);
  if (onlyCharged && status && !status.includes('Charged')) return [];
  const charged = onlyCharged ? (['Charged'] as const) : status;
  const ranges = {
    ...createdAsOf(undefined, undefined, asOf),
    ...bounded('charged_at', [
      timeRange('charged_at', chargedFrom, chargedTo)['charged_at'],
      changedAsOf('charged_at', 'Charged', charged, asOf)['charged_at'],
    ]),
  };
  return plansOf({ ...request, sort }, { facets: { source, ...(!asOf && { status }) }, labels, ranges });
}

function createdAsOf(
  from: string | undefined,
  to: string | undefined,
  asOf: string | undefined,
): Record<string, Range> {
  return bounded('created_at', [
    timeRange('created_at', from, to)['created_at'],
    asOf === undefined ? undefined : { below: Date.parse(asOf) + 1 },
  ]);
}

/** Rows whose status at `asOf` is among `statuses`, by the time at which they took the status `to`. */
function changedAsOf(
  column: string,
  to: string,
  statuses: AnyOf<string> | undefined,
  asOf: string | undefined,
): Record<string, Range> {
  if (asOf === undefined || !statuses || new Set(statuses).size !== 1) return {};
  const after = Date.parse(asOf) + 1;
  return { [column]: statuses[0] === to ? { below: after } : { from: after } };
}

/** Both bounds of all ranges. */
function bounded(column: string, ranges: readonly (Range | undefined)[]): Record<string, Range> {
  const given = ranges.filter((range) => range !== undefined);
  if (given.length === 0) return {};
  const from = given.flatMap((range) => range.from ?? []);
  const below = given.flatMap((range) => range.below ?? []);
  return {
    [column]: {
      ...(from.length > 0 && { from: Math.max(...from) }),
      ...(below.length > 0 && { below: Math.min(...below) }),
    },
  };
}

interface Chosen extends Pick<ListPlan, 'labels' | 'ranges' | 'ids'> {
  /** Undefined for a column without a condition. */
  readonly facets: Readonly<Record<string, AnyOf<string> | AnyOf<number> | undefined>>;
}

/** One plan, or none if a filter allows no value. */
function plansOf(
  { merchantId, limit, sort, after }: ListRequest<unknown, keyof typeof COLUMN_OF_SORT>,
  { facets, labels, ranges, ids }: Chosen,
): ListPlan[] {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_ROWS_MAX) {
    throw new RangeError(`a page has 1 to ${PAGE_ROWS_MAX} rows, not ${limit}`);
  }
  const { by, descending } = sort ?? { by: 'createdAt', descending: true };
  const plan: ListPlan = {
    facets: { merchant_id: [merchantId], ...givenOnly(facets) },
    labels: labels.map(([column, values]) => [column, storableValues(values)]),
    ranges,
    ...(ids && { ids: storableValues(ids) }),
    sort: COLUMN_OF_SORT[by],
    descending,
    limit,
    ...(after && { after }),
  };
  const conditions = [...Object.values(plan.facets), ...plan.labels.map(([, values]) => values), plan.ids];
  return conditions.some((values) => values?.length === 0) ? [] : [plan];
}

function givenOnly(columns: Chosen['facets']): ListPlan['facets'] {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, values]) =>
      values ? [[column, storableValues<string | number>(values)]] : [],
    ),
  );
}

/** In the order of the shape's labels: the most selective first. */
function chosenLabels(
  projection: 'transactions' | 'holders' | 'settled_transactions' | 'fee_charges',
  columns: Readonly<Record<string, AnyOf<string> | undefined>>,
): ListPlan['labels'] {
  return tableShape(projection).labels.flatMap((column) => {
    const values = columns[column];
    return values ? [[column, [...new Set(values)]] as const] : [];
  });
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
