import { accepted, foldOf, ImpossibleHistory, rejected, type Decision } from '../shared/aggregate.js';
import type { ItemTotals } from '../batch/index.js';
import type {
  PageSettled,
  PageFeesCharged,
  SettlementCreated,
  SettlementEvent,
  SettlementFunded,
  SettlementPageEvent,
  SettlementStarted,
  SettlementSums,
} from './settlement.events.js';
import { addItems, NO_SUMS, settlementLines, settlementTotals, sumOfAmounts } from './settlement.sums.js';

/* The state of a settlement and of its pages, and every rule about them. */

export type SettlementState = { readonly status: 'None' } | Settlement;

/** `Started`: its pages are being stored. It is shown from `Pending` on. */
export interface Settlement extends Omit<SettlementStarted, 'at'> {
  readonly status: 'Started' | 'Pending' | 'Funded';
  readonly createdAt: string;
  /** From `Pending` on. */
  readonly created?: SettlementCreated;
  readonly fundedAt?: string;
}

export const noSettlement: SettlementState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveSettlement(state: SettlementState, event: SettlementEvent): SettlementState {
  if (event.type === 'SettlementStarted') {
    if (state.status !== 'None') throw new ImpossibleHistory('a settlement starts once');
    const { at: createdAt, ...started } = event.data;
    return { ...started, status: 'Started', createdAt };
  }
  const before = event.type === 'SettlementCreated' ? 'Started' : 'Pending';
  if (state.status !== before)
    throw new ImpossibleHistory(`${event.type} of a settlement that is ${state.status}`);
  if (event.type === 'SettlementFunded') return { ...state, status: 'Funded', fundedAt: event.data.at };
  return { ...state, status: 'Pending', created: event.data };
}

export const foldSettlement = foldOf(evolveSettlement, noSettlement);

export interface SettlementRejection {
  readonly code:
    /** There is no such settlement, or its pages are still being stored. */
    | 'SettlementNotFound'
    /** The items do not add up to what the batch closed with. */
    | 'WrongTotals'
    /** The clock has not reached the expected funding date. */
    | 'FundingNotDue';
  readonly message: string;
}

export type SettlementDecision = Decision<SettlementEvent, SettlementRejection>;

/** Adds nothing if it was started before: the first run decides what the pages depend on. */
export function startSettlement(state: SettlementState, data: SettlementStarted): SettlementDecision {
  return accepted(state.status === 'None' ? [{ type: 'SettlementStarted', data }] : [], undefined);
}

/** `sums`: of the last page. Adds nothing if it was created before. */
export function createSettlement(
  state: SettlementState,
  { at, pages, sums }: Pick<SettlementCreated, 'at' | 'pages' | 'sums'>,
): SettlementDecision {
  if (state.status === 'None') return notFound();
  if (state.status !== 'Started') return accepted([], undefined);
  const difference = differenceFromBatch(state, sums);
  if (difference !== undefined) return rejected({ code: 'WrongTotals', message: difference });
  const lines = settlementLines(state, sums);
  const totals = settlementTotals(state, sums);
  if (sumOfAmounts(lines) !== totals.amount) {
    const message = `the lines add up to ${sumOfAmounts(lines)}, the amount is ${totals.amount}`;
    return rejected({ code: 'WrongTotals', message });
  }
  return accepted([{ type: 'SettlementCreated', data: { at, pages, ...totals, sums, lines } }], undefined);
}

/** Funds it once; an operator may do so before the expected date. */
export function fundSettlement(state: SettlementState, data: SettlementFunded): SettlementDecision {
  if (state.status === 'None' || state.status === 'Started') return notFound();
  if (state.status === 'Funded') return accepted([], undefined);
  if (data.cause === 'Clock' && data.at < state.fundingDueAt) {
    return rejected({ code: 'FundingNotDue', message: `It is due at ${state.fundingDueAt}.` });
  }
  return accepted([{ type: 'SettlementFunded', data }], undefined);
}

function notFound(): SettlementDecision {
  return rejected({ code: 'SettlementNotFound', message: 'There is no such settlement.' });
}

/** Chargebacks are among the returns of a batch. */
function differenceFromBatch(
  { expected }: Pick<Settlement, 'expected'>,
  { sales, refunds, returns, chargebacks }: SettlementSums,
): string | undefined {
  const takenBack = { count: returns.count + chargebacks.count, amount: returns.amount + chargebacks.amount };
  const pairs: readonly (readonly [string, ItemTotals, ItemTotals])[] = [
    ['sales', sales, expected.sales],
    ['refunds', refunds, expected.refunds],
    ['returns', takenBack, expected.returns],
  ];
  const different = pairs.find(
    ([, found, { count, amount }]) => found.count !== count || found.amount !== amount,
  );
  if (!different) return undefined;
  const [name, found, closed] = different;
  return (
    `the ${name} are ${found.count} items and ${found.amount} cents, ` +
    `the batch closed with ${closed.count} and ${closed.amount}`
  );
}

export type SettlementPageState = { readonly status: 'None' } | SettlementPage;

export interface SettlementPage extends PageSettled {
  readonly status: 'Settled';
  /** With `Gross` funding, after the end of the month. */
  readonly charged?: PageFeesCharged;
}

export const noSettlementPage: SettlementPageState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveSettlementPage(
  state: SettlementPageState,
  event: SettlementPageEvent,
): SettlementPageState {
  if (event.type === 'PageSettled') {
    if (state.status !== 'None') throw new ImpossibleHistory('a page is settled once');
    return { ...event.data, status: 'Settled' };
  }
  if (state.status === 'None' || state.charged || state.fundingType !== 'Gross') {
    throw new ImpossibleHistory('the fees of a page are charged once, with Gross funding');
  }
  return { ...state, charged: event.data };
}

export const foldSettlementPage = foldOf(evolveSettlementPage, noSettlementPage);

/** The next page of a settlement, after `before` or from the start. `items` are in the order of their rows. */
export function nextSettlementPage(
  settlement: Settlement,
  before: PageSettled | undefined,
  found: Pick<PageSettled, 'at' | 'items' | 'lastRow' | 'isLast'>,
): PageSettled {
  const { settlementId, merchantId, currency, batchId, kind, fundingType, createdAt } = settlement;
  return {
    ...{ settlementId, merchantId, currency, batchId, kind, fundingType },
    settledAt: createdAt,
    page: (before?.page ?? 0) + 1,
    sums: addItems(before?.sums ?? NO_SUMS, found.items),
    ...found,
  };
}
