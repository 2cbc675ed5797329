import { MemoryEventStore, newEventId, type JsonObject } from '@tillstream/event-store';
import { expectedFeeLines } from './expected.fees.js';
import { settlementErrors } from './settlement.checker.js';
import { SettlementRecords } from './settlement.records.js';

const ID = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
const MERCHANT = 'mer_1';
const CUT_OFF = '2026-03-01T00:00:00.000Z';
const NONE = { count: 0, amount: 0 };

type Data = Record<string, unknown>;
interface Raw {
  readonly stream: string;
  readonly type: string;
  readonly data: Data;
}

const RULES = [
  { feeType: 'Interchange', rateBps: 150, fixedAmount: 10 },
  { feeType: 'Interchange', rateBps: 100, fixedAmount: 0, channel: 'Token' },
];

/** 16.50 and 19.50 cents are rounded half-even. */
const SALES = [
  { operationId: 'trx_1', type: 'Sale', amount: 1_100, fee: feeOf('trx_1', 26, 10) },
  { operationId: 'trx_2', type: 'Sale', amount: 1_300, fee: feeOf('trx_2', 30, 10) },
];
const REFUND = { operationId: 'trx_3', type: 'Refund', amount: -200 };

function feeOf(operationId: string, amount: number, fixedAmount: number) {
  const lines = [{ type: 'Interchange', rateBps: 150, fixedAmount, amount }];
  return { feeId: `fee_${operationId}`, source: 'Transaction', amount, lines };
}

/** A merchant with prices, a batch of two sales and a refund, and its settlement of one page. */
function history(): Raw[] {
  const payments = [...SALES, REFUND].flatMap(({ operationId, type, amount }): Raw[] => {
    const stream = `payment-${operationId}`;
    const shared = { operationId, channel: 'CardPresent' };
    return [
      { stream, type: `${type}Requested`, data: { ...shared, amount, paymentMethod: {} } },
      {
        stream,
        type: type === 'Sale' ? 'Captured' : 'Refunded',
        data: { ...shared, amount, card: { cardType: 'VISA' } },
      },
    ];
  });
  const taken = [...SALES, REFUND].map(({ operationId, amount }): Raw => {
    const data = { operationId, batchId: `bat_${ID}`, amount };
    return { stream: `payment-${operationId}`, type: 'Batched', data };
  });
  const ids = { settlementId: `stl_${ID}`, merchantId: MERCHANT, currency: 'USD', batchId: `bat_${ID}` };
  const template = { merchantId: MERCHANT, templateId: 'prt_1', version: 1, validFrom: '2026-01-01' };
  const batch = `batch-${ID}`;
  const settlement = `settlement-${ID}`;
  const settled = { settlementId: `stl_${ID}`, kind: 'Card', transactionCount: 3, amount: 2_144 };
  return [
    { stream: 'pricingtemplates-1', type: 'PricingTemplateSubmitted', data: { ...template, rules: RULES } },
    { stream: 'pricingtemplates-1', type: 'PricingTemplateApproved', data: { templateId: 'prt_1' } },
    ...payments,
    { stream: batch, type: 'BatchOpened', data: { merchantId: MERCHANT, currency: 'USD' } },
    { stream: batch, type: 'BatchClosing', data: { closing: 1, cutOffAt: CUT_OFF } },
    ...taken,
    { stream: batch, type: 'BatchClosed', data: { cutOffAt: CUT_OFF, transactionCount: 3 } },
    {
      stream: settlement,
      type: 'SettlementStarted',
      data: { ...ids, kind: 'Card', fundingType: 'Net', adjustments: [] },
    },
    {
      stream: `settlementpage-${ID}.1`,
      type: 'PageSettled',
      data: { ...ids, page: 1, isLast: true, items: [...SALES, REFUND] },
    },
    { stream: settlement, type: 'SettlementCreated', data: CREATED },
    { stream: batch, type: 'BatchSettled', data: { settlements: [settled] } },
  ];
}

const CREATED = {
  ...{ pages: 1, amount: 2_144, grossAmount: 2_400, refundAmount: 200, feeAmount: 56 },
  ...{ adjustmentAmount: 0, transactionCount: 3 },
  sums: {
    ...{ sales: { count: 2, amount: 2_400 }, refunds: { count: 1, amount: -200 }, returns: NONE },
    ...{ chargebacks: NONE, interchange: { count: 2, amount: 56 }, scheme: NONE, markup: NONE },
  },
  lines: [
    { type: 'Sales', count: 2, amount: 2_400 },
    { type: 'Refunds', count: 1, amount: -200 },
    { type: 'Fees', feeType: 'Interchange', count: 2, amount: -56 },
  ],
};

async function errorsOf(events: readonly Raw[]): Promise<string> {
  const store = new MemoryEventStore();
  for (const { stream, type, data } of events) {
    const metadata = { realTime: CUT_OFF, schemaVersion: 1 };
    const event = { id: newEventId(), type, data: data as JsonObject, metadata };
    await store.append({ stream, expected: 'any', events: [event] });
  }
  return settlementErrors(await SettlementRecords.read(store)).join('\n');
}

const changedIn = (events: readonly Raw[], by: Readonly<Record<string, Data>>): Raw[] =>
  events.map((one) => ({ ...one, data: { ...one.data, ...by[one.type] } }));
const changed = (type: string, data: (before: Data) => Data): readonly Raw[] =>
  history().map((one) => (one.type === type ? { ...one, data: { ...one.data, ...data(one.data) } } : one));
const without = (type: string): readonly Raw[] => history().filter((one) => one.type !== type);
const withItems = (items: readonly object[]): readonly Raw[] => changed('PageSettled', () => ({ items }));

describe('the check of settlements', () => {
  it('accepts a whole settlement', async () => {
    expect(await errorsOf(history())).toBe('');
  });

  it.each([
    ['has no settlement', without('BatchSettled'), 'waits for its settlements'],
    ['is not created', without('SettlementCreated'), 'was created 0 times'],
    ['lacks a page', without('PageSettled'), 'counts 1'],
    [
      'has another amount',
      changed('SettlementCreated', () => ({ amount: 2_145 })),
      'amount is 2145, not 2144',
    ],
    [
      'has another fee total',
      changed('SettlementCreated', () => ({ feeAmount: 55 })),
      'feeAmount is 55, not 56',
    ],
    [
      'has lines of another sum',
      changed('SettlementCreated', () => ({ lines: [] })),
      'its lines are 0, not 2144',
    ],
    ['lacks an item', withItems([...SALES]), 'trx_3  is missing'],
    ['has an item twice', withItems([...SALES, REFUND, REFUND]), 'trx_3  is here twice'],
    ['has an item of another amount', withItems([...SALES, { ...REFUND, amount: -199 }]), 'not Refund -200'],
    [
      'has a fee that is a cent higher',
      withItems([{ ...SALES[0], fee: feeOf('trx_1', 27, 10) }, SALES[1] ?? {}, REFUND]),
      'trx_1 has a fee of 27, not 26',
    ],
    ['has a fee of a refund', withItems([...SALES, { ...REFUND, fee: feeOf('trx_3', 1, 1) }]), 'not none'],
    ['takes an item that no batch took', without('Batched'), 'settlements of kind Card'],
    [
      'has an unknown adjustment',
      changed('SettlementStarted', () => ({ adjustments: [{ amount: 0 }] })),
      'other adjustments',
    ],
  ] as const)('finds a settlement that %s', async (_name, events, complaint) => {
    expect(await errorsOf(events)).toContain(complaint);
  });
});

describe('the check of months', () => {
  const fee = { adjustmentId: 'adj_1', kind: 'MonthlyFee', amount: -995, month: '2026-01', feeId: 'fee_1' };
  const ended = {
    merchantId: MERCHANT,
    currency: 'USD',
    month: '2026-01',
    endedAt: '2026-02-01T05:00:00.000Z',
  };
  const stream = 'monthend-1.USD';
  /** The month's fee is in the batch, and its settlement charges it. */
  const charged = (adjustments: readonly object[] = [fee]): Raw[] => {
    const amount = 2_144 - 995;
    const line = { type: 'MonthlyFee', count: 1, amount: -995 };
    return [
      { stream, type: 'MonthEnded', data: { ...ended, adjustments } },
      ...changedIn(history(), {
        PricingTemplateSubmitted: { monthlyFee: 995 },
        SettlementStarted: { adjustments: [fee] },
        SettlementCreated: { amount, feeAmount: 56 + 995, lines: [...CREATED.lines, line] },
        BatchSettled: {
          settlements: [{ settlementId: `stl_${ID}`, kind: 'Card', transactionCount: 3, amount }],
        },
      }).flatMap((one) =>
        one.type === 'BatchClosing' ? [{ stream: one.stream, type: 'BatchAdjusted', data: fee }, one] : [one],
      ),
      { stream, type: 'MonthCharged', data: { month: '2026-01', settlementId: `stl_${ID}` } },
    ];
  };

  it('accepts a month that is charged once', async () => {
    expect(await errorsOf(charged())).toBe('');
  });

  it.each([
    ['is not charged', charged().slice(0, -1), 'was charged 0 times'],
    [
      'has a fee that no batch took',
      charged([fee, { ...fee, adjustmentId: 'adj_2' }]),
      'adj_2 is not in one batch',
    ],
    ['has another fee than its template', charged([]), 'has a monthly fee of 0, not -995'],
  ])('finds a month that %s', async (_name, events, complaint) => {
    expect(await errorsOf(events)).toContain(complaint);
  });
});

describe('the expected fee', () => {
  it('takes the most specific rule of each type', () => {
    const item = { channel: 'Token', cardType: 'VISA', amount: 1_000 };
    expect(expectedFeeLines(RULES, item).map(({ amount }) => amount)).toEqual([10]);
    const forVisa = [...RULES, { feeType: 'Interchange', rateBps: 0, fixedAmount: 3, cardType: 'VISA' }];
    expect(expectedFeeLines(forVisa, item).map(({ amount }) => amount)).toEqual([3]);
    expect(expectedFeeLines(forVisa, { ...item, cardType: undefined }).map(({ amount }) => amount)).toEqual([
      10,
    ]);
  });
});
