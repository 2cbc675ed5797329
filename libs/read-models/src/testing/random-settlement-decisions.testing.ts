import {
  accepted,
  addItems,
  adjustBatch,
  completeClosing,
  createSettlement,
  feeOfItem,
  formatOperationId,
  fundSettlement,
  NO_SUMS,
  settleBatch,
  startClosing,
  startSettlement,
  waitsForSettlements,
  type BatchState,
  type PageSettled,
  type SettledItem,
  type SettlementPageState,
  type SettlementPricing,
  type SettlementStarted,
  type SettlementState,
} from '@tillstream/domain';
import { MERCHANTS, pickRandom, type RandomChoice } from './random-decisions.testing.js';

/* Random batches, settlements and pages of them. The pages belong to settlements of other streams, as rows do not depend on those. */

const PRICING: SettlementPricing = {
  templateId: 'prt_01JQ0000000000000000000001',
  version: 1,
  name: 'Retail',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 25, fixedAmount: 5, cardType: 'VISA' },
  ],
  monthlyFee: 995,
  returnFee: 500,
  chargebackFee: 1_500,
  validFrom: '2026-01-01T00:00:00.000Z',
};

export function randomSettlementDecision(
  state: SettlementState,
  at: string,
  choose: RandomChoice,
  stream: string,
) {
  const some = { count: 1 + choose(3), amount: 1 + choose(900) };
  if (state.status === 'None') return startSettlement(state, randomStart(at, choose, stream, some));
  if (state.status === 'Started') {
    return createSettlement(state, { at, pages: 1, sums: { ...NO_SUMS, sales: state.expected.sales } });
  }
  return fundSettlement(state, { at, cause: 'Operator' });
}

function randomStart(
  at: string,
  choose: RandomChoice,
  stream: string,
  sales: { readonly count: number; readonly amount: number },
): SettlementStarted {
  const id = stream.slice('settlement-'.length);
  const none = { count: 0, amount: 0 };
  const monthlyFee = { kind: 'MonthlyFee', at, amount: -995, month: '2026-02', feeId: `fee_${id}` } as const;
  return {
    at,
    settlementId: `stl_${id}`,
    merchantId: pickRandom(choose, MERCHANTS),
    currency: pickRandom(choose, ['USD', 'CAD'] as const),
    kind: 'Card',
    batchId: `bat_${id}`,
    batchNumber: 1 + choose(9),
    cutOffAt: at,
    fundingType: pickRandom(choose, ['Net', 'Gross'] as const),
    timeZone: 'America/New_York',
    expectedFundingDate: '2026-03-03',
    fundingDueAt: new Date(Date.parse(at) + choose(3) * 86_400_000).toISOString(),
    expected: { sales, refunds: none, returns: none },
    adjustments: choose(2) === 0 ? [] : [{ adjustmentId: `adj-${id}`, ...monthlyFee }],
  };
}

export function randomSettlementPageDecision(
  state: SettlementPageState,
  at: string,
  choose: RandomChoice,
  stream: string,
) {
  const id = stream.slice('settlementpage-'.length, -'.1'.length);
  if (state.status === 'None') {
    return accepted([{ type: 'PageSettled', data: randomPage(at, choose, id) }], undefined);
  }
  const isCharged = state.fundingType === 'Net' || state.charged !== undefined;
  const charged = { type: 'PageFeesCharged', data: { at, settlementId: `stl_${id}`, month: '2026-03' } };
  return accepted(isCharged ? [] : [charged], undefined);
}

function randomPage(at: string, choose: RandomChoice, id: string): PageSettled {
  const items = Array.from({ length: 1 + choose(5) }, (_, number) => randomItem(at, choose, id, number));
  const [{ operationId } = { operationId: 'trx_' as const }] = items;
  return {
    at,
    settlementId: `stl_${id}`,
    merchantId: pickRandom(choose, MERCHANTS),
    currency: pickRandom(choose, ['USD', 'CAD'] as const),
    batchId: `bat_${id}`,
    kind: 'Card',
    fundingType: pickRandom(choose, ['Net', 'Gross'] as const),
    settledAt: at,
    page: 1,
    items,
    sums: addItems(NO_SUMS, items),
    lastRow: { part: 'Operations', createdAt: 1, operationId },
    isLast: true,
  };
}

function randomItem(at: string, choose: RandomChoice, id: string, number: number): SettledItem {
  const type = pickRandom(choose, ['Sale', 'Capture', 'Refund', 'Return', 'Chargeback'] as const);
  const operationId = formatOperationId({ category: 'payment', root: id.slice(-23), number });
  const amount = 1 + choose(9_000);
  const item: SettledItem = {
    operationId,
    type,
    ...(type === 'Return' && { returnId: `R${number}` }),
    ...(type === 'Chargeback' && { chargebackId: `C${number}` }),
    amount: type === 'Sale' || type === 'Capture' ? amount : -amount,
    movedAt: at,
    channel: 'Token',
    paymentMethodId: 'pmt_tkn_1',
    cardType: pickRandom(choose, ['VISA', 'AMEX'] as const),
  };
  const fee = feeOfItem(PRICING, item);
  return { ...item, ...(fee && { fee: { feeId: `fee_${operationId.slice('trx_'.length)}`, ...fee } }) };
}

export function randomBatchDecision(state: BatchState, at: string, choose: RandomChoice, stream: string) {
  if (waitsForSettlements(state)) return settleBatch(state, { at, settlements: [] });
  if (state.status === 'Closing') {
    const none = { count: 0, amount: 0 };
    const nothing = { sales: none, refunds: none, returns: none };
    const sales = choose(2) === 0 ? none : { count: 1 + choose(3), amount: 1 + choose(900) };
    const totals = {
      transactionCount: sales.count,
      amount: sales.amount,
      card: { ...nothing, sales },
      bank: nothing,
    };
    return completeClosing(state, { at, closing: state.closing?.number ?? 0, totals });
  }
  const opening = {
    batchId: `bat_${stream.slice('batch-'.length)}`,
    merchantId: pickRandom(choose, MERCHANTS),
    currency: pickRandom(choose, ['USD', 'CAD'] as const),
    number: 1 + choose(9),
    openedAt: at,
  };
  if (choose(3) === 0) {
    const adjustment = { adjustmentId: `adj_${at}`, kind: 'Manual', at, amount: 1 + choose(900) } as const;
    return adjustBatch(state, { at, ...opening }, [adjustment]);
  }
  const cause = pickRandom(choose, ['CutOff', 'Operator'] as const);
  return startClosing(state, { at, cutOffAt: at, cause, opening });
}
