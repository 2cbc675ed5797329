import type {
  Adjustment,
  BatchClosing,
  Chargeback,
  FeeCharge,
  SettledTransaction,
  Settlement,
  SettlementSummary,
} from '@tillstream/contracts';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/pricing-templates`;
  const rules = [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 25, fixedAmount: 5, channel: 'CardPresent' },
  ];
  const body = { name: 'Test', rules, chargebackFee: 1_500 };
  const { id } = JSON.parse((await api.call('POST', path, { body })).text) as { id: string };
  await api.call('POST', `/admin/v1/pricing-templates/${id}/approve`, { body: {} });
});
afterAll(() => api.stop());

const sale = (amount: number) => api.transaction('physical-sale', { amount });
async function closeUsd(): Promise<string> {
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/batches/close`;
  const { text } = await api.call('POST', path, { body: { currency: 'USD' } });
  return (JSON.parse(text) as BatchClosing).data[0]?.id ?? '';
}
const settlementOf = (batchId: string): string => batchId.replace('bat_', 'stl_');
const find = async (id: string): Promise<Settlement> =>
  JSON.parse((await api.get(`/v1/settlements/${id}`)).text) as Settlement;
const fund = (id: string) => api.call('POST', `/admin/v1/settlements/${id}/fund`, { body: {} });
const chargeBack = (id: string, body: object) =>
  api.call('POST', `/admin/v1/transactions/${id}/chargebacks`, { body });

describe('The settlements of a merchant', () => {
  it('show a closed batch at once: in the list, by id, with its transactions and fees', async () => {
    const sold = await sale(10_000);
    const batchId = await closeUsd();
    const id = settlementOf(batchId);
    const settlement = await find(id);
    expect(settlement).toMatchObject({
      id,
      merchantId: api.running.facts.merchantId,
      currency: 'USD',
      status: 'Pending',
      fundingType: 'Net',
      amount: 9_780,
      netAmount: 9_780,
      grossAmount: 10_000,
      refundAmount: 0,
      feeAmount: 220,
      adjustmentAmount: 0,
      transactionCount: 1,
      batchIds: [batchId],
      expectedFundingDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      lines: [
        { type: 'Sales', description: 'Sales and captures', amount: 10_000, count: 1 },
        { type: 'Fees', description: 'Interchange fees', amount: -190, count: 1 },
        { type: 'Fees', description: 'Markup fees', amount: -30, count: 1 },
      ],
    });
    const { lines: _lines, ...summary } = settlement;
    expect((await api.list<SettlementSummary>('/v1/settlements')).data[0]).toEqual(summary);
    expect(await api.look(sold.id)).toMatchObject({ batchId, settlementId: id });
    expect((await api.list(`/v1/transactions?settlementId=${id}`)).data.map((one) => one.id)).toEqual([
      sold.id,
    ]);
    expect(
      (await api.list<SettledTransaction>(`/v1/settlements/transactions?settlementId=${id}`)).data,
    ).toEqual([
      {
        settlement: { id },
        transactionId: sold.id,
        transactionType: 'Sale',
        gatewayTransactionId: expect.any(String),
        batchId,
        currency: 'USD',
        cardType: 'VISA',
        settledAmount: 10_000,
        settledAt: settlement.createdAt,
      },
    ]);
    expect((await api.list<FeeCharge>(`/v1/fee-charges?settlementId=${id}`)).data).toEqual([
      {
        id: sold.id.replace('trx_', 'fee_'),
        source: 'Transaction',
        status: 'Charged',
        amount: 220,
        currency: 'USD',
        settlementId: id,
        settledTransaction: { transactionId: sold.id, amount: 10_000 },
        feeBreakdown: [
          { type: 'Interchange', rateBps: 180, fixedAmount: 10, amount: 190 },
          { type: 'Markup', rateBps: 25, fixedAmount: 5, amount: 30 },
        ],
        chargedAt: settlement.createdAt,
      },
    ]);
  });

  it('can be read as they were at an earlier time', async () => {
    await sale(500);
    const before = new Date().toISOString();
    const id = settlementOf(await closeUsd());
    await fund(id);
    const { fundedAt = '', createdAt } = await find(id);
    const ids = async (query: string) =>
      (await api.list<SettlementSummary>(`/v1/settlements?${query}`)).data.map((one) => one.id);
    expect(await ids(`asOf=${before}`)).not.toContain(id);
    expect(await ids(`asOf=${fundedAt}&status=Funded`)).toContain(id);
    expect(await ids(`asOf=${createdAt}&status=Pending`)).toContain(id);
    const [shown] = (await api.list<SettlementSummary>(`/v1/settlements?asOf=${createdAt}`)).data;
    expect(shown).toMatchObject({ id, status: 'Pending' });
    expect(shown).not.toHaveProperty('fundedAt');
    const settled = `/v1/settlements/transactions?settlementId=${id}`;
    expect((await api.list<SettledTransaction>(settled)).data[0]?.settlement).toEqual({ id, fundedAt });
    expect((await api.list<SettledTransaction>(`${settled}&asOf=${createdAt}`)).data[0]?.settlement).toEqual({
      id,
    });
  });

  it('are those of the merchant only', async () => {
    await sale(100);
    const id = settlementOf(await closeUsd());
    const { key } = await api.otherMerchant();
    expect(refusal(await api.get(`/v1/settlements/${id}`, { key }))).toBe('404 4000 Rejected');
    for (const path of ['settlements', 'settlements/transactions', 'fee-charges']) {
      expect((await api.list(`/v1/${path}`, { key })).data).toEqual([]);
    }
    expect(refusal(await api.get('/v1/settlements/7'))).toBe('404 4000 Rejected');
  });
});

describe('An operator', () => {
  it('funds a settlement once', async () => {
    await sale(300);
    const id = settlementOf(await closeUsd());
    const first = await fund(id);
    expect(JSON.parse(first.text)).toMatchObject({ id, status: 'Funded', fundedAt: expect.any(String) });
    expect((await fund(id)).text).toBe(first.text);
    expect(await find(id)).toEqual(JSON.parse(first.text));
    for (const unknown of ['7', 'stl_7ZZZZZZZZZZZZZZZZZZZZZZZZZ']) {
      expect(refusal(await fund(unknown))).toBe('404 4000 Rejected');
    }
  });

  it('records a chargeback, which debits the next settlement and makes a fee', async () => {
    const sold = await sale(1_000);
    await closeUsd();
    const body = { amount: 400, reason: '10.4 Fraud', reference: 'CB-1' };
    const chargeback = JSON.parse((await chargeBack(sold.id, body)).text) as Chargeback;
    expect(chargeback).toMatchObject({ transactionId: sold.id, currency: 'USD', ...body });
    const id = settlementOf(await closeUsd());
    expect(await find(id)).toMatchObject({
      amount: -1_900,
      adjustmentAmount: -400,
      feeAmount: 1_500,
      transactionCount: 1,
    });
    const settled = `/v1/settlements/transactions?transactionId=${sold.id}&transactionType=Chargeback`;
    expect((await api.list<SettledTransaction>(settled)).data).toMatchObject([{ settledAmount: -400 }]);
    const fees = await api.list<FeeCharge>('/v1/fee-charges?source=Chargeback');
    expect(fees.data).toMatchObject([
      { amount: 1_500, settlementId: id, settledTransaction: { amount: -400 } },
    ]);
  });

  it('records chargebacks of approved sales and captures only, up to their amount', async () => {
    const sold = await sale(1_000);
    const refused = async (id: string, body: object) => refusal(await chargeBack(id, body));
    expect(await refused(sold.id, { amount: 1_001, reason: 'x' })).toBe('400 2012 Rejected amount');
    const authorized = await api.transaction('physical-auth', { amount: 500 });
    expect(await refused(authorized.id, { amount: 1, reason: 'x' })).toMatch(/^400 2011 Rejected/);
    expect(await refused('trx_7', { amount: 1, reason: 'x' })).toBe('404 4000 Rejected');
    expect(await refused(sold.id, { amount: 1 })).toBe('400 2000 Rejected reason');
    expect(await refused(sold.id, { reason: 'x' })).toMatch(/^400 2012 Rejected amount/);
  });
});

describe('An adjustment', () => {
  const path = () => `/admin/v1/merchants/${api.running.facts.merchantId}/adjustments`;
  const adjust = (body: object) => api.call('POST', path(), { body });

  it('is recorded in the open batch, and is a line of its settlement', async () => {
    await closeUsd();
    const body = { currency: 'USD', amount: -2_500, reason: 'Terminal rental', reference: 'INV-7' };
    const adjusted = JSON.parse((await adjust(body)).text) as Adjustment;
    expect(adjusted).toMatchObject({ ...body, merchantId: api.running.facts.merchantId });
    await adjust({ currency: 'USD', amount: 300, reason: 'Goodwill' });
    const batchId = await closeUsd();
    expect(batchId).toBe(adjusted.batchId);
    expect(await find(settlementOf(batchId))).toMatchObject({
      ...{ amount: -2_200, adjustmentAmount: -2_200, transactionCount: 0 },
      lines: [
        { type: 'Adjustment', description: 'Terminal rental', amount: -2_500, count: 1 },
        { type: 'Adjustment', description: 'Goodwill', amount: 300, count: 1 },
      ],
    });
  });

  it('has a currency of the merchant, an amount that is not 0, and a reason', async () => {
    const body = { currency: 'USD', amount: -1, reason: 'x' };
    expect(refusal(await adjust({ ...body, currency: 'EUR' }))).toBe('400 2000 Rejected currency');
    expect(refusal(await adjust({ ...body, amount: 0 }))).toBe('400 2012 Rejected amount');
    expect(refusal(await adjust({ ...body, amount: 1.5 }))).toBe('400 2012 Rejected amount');
    expect(refusal(await adjust({ ...body, reason: null }))).toBe('400 2000 Rejected reason');
    const unknown = '/admin/v1/merchants/mer_7ZZZZZZZZZZZZZZZZZZZZZZZZZ/adjustments';
    expect(refusal(await api.call('POST', unknown, { body }))).toBe('404 4000 Rejected');
  });
});

it('The end of a month charges the monthly fee with the next settlement', async () => {
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/pricing-templates`;
  const template = await api.call('POST', path, { body: { name: 'Monthly', rules: [], monthlyFee: 995 } });
  const { id: templateId } = JSON.parse(template.text) as { id: string };
  await api.call('POST', `/admin/v1/pricing-templates/${templateId}/approve`, { body: {} });
  const moveTo = async (to: string) => {
    const moved = await api.call('POST', '/admin/v1/sandbox/clock', { body: { to } });
    expect(JSON.parse(moved.text)).toMatchObject({ pending: 0 });
  };
  const { now } = JSON.parse((await api.get('/admin/v1/sandbox/clock')).text) as { now: string };
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  // Noon of the first day is after midnight in New York, and before the cut-off.
  await moveTo(new Date(Date.UTC(year, month, 1, 12)).toISOString());
  await moveTo(new Date(Date.UTC(year, month, 2, 12)).toISOString());
  const [fee] = (await api.list<FeeCharge>('/v1/fee-charges?source=Monthly')).data;
  expect(fee).toMatchObject({ source: 'Monthly', status: 'Charged', amount: 995, currency: 'USD' });
  expect(await find(fee?.settlementId ?? '')).toMatchObject({
    ...{ amount: -995, feeAmount: 995, transactionCount: 0 },
    lines: [{ type: 'MonthlyFee', description: `Monthly fee of ${now.slice(0, 7)}`, amount: -995, count: 1 }],
  });
});

it('The sandbox’s clock funds a settlement when its date comes', async () => {
  await sale(200);
  const id = settlementOf(await closeUsd());
  expect((await find(id)).status).toBe('Pending');
  const body = { advanceSeconds: 6 * 86_400 };
  const moved = JSON.parse((await api.call('POST', '/admin/v1/sandbox/clock', { body })).text) as {
    pending: number;
  };
  expect(moved.pending).toBe(0);
  expect(await find(id)).toMatchObject({ status: 'Funded', fundedAt: expect.any(String) });
});
