import type { ListPage, PricingTemplate } from '@tillstream/contracts';
import { answered } from '../../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const NOBODY = 'mer_01JQ0000000000000000000000';
const PRICING = {
  name: 'Retail 2026',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 20, fixedAmount: 5, channel: 'CardPresent', cardType: 'VISA' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 25, channel: 'Ach' },
  ],
  ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
  validFrom: '2026-09-01T00:00:00.000Z',
};

const pathOf = (merchant: string) => `/admin/v1/merchants/${merchant}/pricing-templates`;
const submit = (merchant: string, body: object = PRICING, headers: Record<string, string> = {}) =>
  api.call('POST', pathOf(merchant), { body, headers });
const submitted = async (merchant: string, body: object = PRICING) =>
  answered<PricingTemplate>(await submit(merchant, body));
const decide = (id: string, decision: 'approve' | 'reject', body: object = {}, headers = {}) =>
  api.call('POST', `/admin/v1/pricing-templates/${id}/${decision}`, { body, headers });
const list = (merchant: string, query = ''): Promise<ListPage<PricingTemplate>> =>
  api.list<PricingTemplate>(`${pathOf(merchant)}${query}`);
const newMerchant = async () => (await api.otherMerchant()).id;

describe('A pricing template', () => {
  it('is submitted as the next version, with everything that was sent', async () => {
    const merchant = await newMerchant();
    const first = await submitted(merchant);
    expect(first).toEqual({
      id: expect.stringMatching(/^prt_[0-9A-HJKMNP-TV-Z]{26}$/) as string,
      merchantId: merchant,
      version: 1,
      ...PRICING,
      status: 'Submitted',
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: first.createdAt,
    });
    expect(await submitted(merchant)).toMatchObject({ version: 2 });
  });

  it('has no fee that was not sent, and begins at its submission', async () => {
    const made = await submitted(await newMerchant(), {
      name: 'Flat',
      rules: [{ feeType: 'Markup', rateBps: 290 }],
    });
    expect(made).toMatchObject({
      rules: [{ feeType: 'Markup', rateBps: 290, fixedAmount: 0 }],
      ...{ monthlyFee: 0, returnFee: 0, chargebackFee: 0 },
      validFrom: made.createdAt,
    });
  });

  it('begins at the same instant in whatever time zone it was sent', async () => {
    const made = await submitted(await newMerchant(), { ...PRICING, validFrom: '2026-09-01T02:00:00+02:00' });
    expect(made.validFrom).toBe('2026-09-01T00:00:00.000Z');
  });

  it.each([
    ['approve', 'Approved'],
    ['reject', 'Rejected'],
  ] as const)('is decided once by %s, with a reason: %s; again: 400, 2011', async (step, status) => {
    const { id, ...before } = await submitted(await newMerchant());
    const decided = answered<PricingTemplate>(await decide(id, step, { reason: 'as agreed' }));
    expect(decided).toEqual({
      id,
      ...before,
      status,
      reason: 'as agreed',
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
    for (const again of ['approve', 'reject'] as const) {
      const reply = await decide(id, again);
      expect(refusal(reply)).toBe('400 2011 Rejected');
      expect(envelopeOf(reply).errorDetails[0]?.details).toBe(
        `received a template with status ${status}, allowed Submitted`,
      );
    }
  });

  it('is decided without a reason too', async () => {
    const { id } = await submitted(await newMerchant());
    const decided = answered<PricingTemplate>(await decide(id, 'approve'));
    expect([decided.status, decided.reason]).toEqual(['Approved', undefined]);
  });

  it('changes once by a repeated request', async () => {
    const merchant = await newMerchant();
    const headers = { 'idempotency-key': 'template of the year' };
    const first = await submit(merchant, PRICING, headers);
    const again = await submit(merchant, PRICING, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { id } = answered<PricingTemplate>(first);
    const decision = { 'idempotency-key': 'its decision' };
    const approved = await decide(id, 'approve', {}, decision);
    expect((await decide(id, 'approve', {}, decision)).text).toBe(approved.text);
    expect((await list(merchant)).data).toMatchObject([{ id, status: 'Approved' }]);
  });

  const refused: readonly [change: object, field: string][] = [
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ rules: {} }, 'rules'],
    [{ rules: Array(201).fill({ feeType: 'Markup' }) }, 'rules'],
    [{ rules: ['Markup'] }, 'rules[0]'],
    [{ rules: [{}] }, 'rules[0].feeType'],
    [{ rules: [{ feeType: 'Tax' }] }, 'rules[0].feeType'],
    [{ rules: [{ feeType: 'Markup' }, { feeType: 'Scheme', rateBps: 10_001 }] }, 'rules[1].rateBps'],
    [{ rules: [{ feeType: 'Markup', rateBps: 1.5 }] }, 'rules[0].rateBps'],
    [{ rules: [{ feeType: 'Markup', fixedAmount: -1 }] }, 'rules[0].fixedAmount'],
    [{ rules: [{ feeType: 'Markup', channel: 'Cash' }] }, 'rules[0].channel'],
    [{ rules: [{ feeType: 'Markup', cardType: 'Visa' }] }, 'rules[0].cardType'],
    [{ rules: [{ feeType: 'Markup', channel: 'Eft', cardType: 'VISA' }] }, 'rules[0].cardType'],
    [{ rules: [{ feeType: 'Markup', minimum: 5 }] }, 'rules[0].minimum'],
    [{ rules: [{ feeType: 'Markup' }, { feeType: 'Markup', rateBps: 5 }] }, 'rules[1]'],
    [{ monthlyFee: -1 }, 'monthlyFee'],
    [{ returnFee: '500' }, 'returnFee'],
    [{ chargebackFee: 1_000_000_000 }, 'chargebackFee'],
    [{ validFrom: '2026-02-30T00:00:00Z' }, 'validFrom'],
    [{ validFrom: 1 }, 'validFrom'],
    [{ status: 'Approved' }, 'status'],
  ];
  it.each(refused.map(([change, field]) => [field, JSON.stringify(change).slice(0, 80), change] as const))(
    'is refused for its %s, 400, 2000: %s',
    async (field, _shown, change) => {
      const merchant = await newMerchant();
      expect(refusal(await submit(merchant, { ...PRICING, ...change }))).toBe(`400 2000 Rejected ${field}`);
      expect((await list(merchant)).data).toEqual([]);
    },
  );

  it('is one of at most 200: 400, 2011', async () => {
    const merchant = await newMerchant();
    for (let count = 0; count < 200; count++) await submitted(merchant, { name: `Version ${count}` });
    expect(refusal(await submit(merchant))).toBe('400 2011 Rejected');
  }, 120_000);

  it('of an unknown merchant is 404, and so is one that does not exist', async () => {
    for (const merchant of [NOBODY, 'nobody']) {
      expect(refusal(await submit(merchant))).toBe('404 4000 Rejected');
      expect(refusal(await api.call('GET', pathOf(merchant)))).toBe('404 4000 Rejected');
    }
    const { id } = await submitted(await newMerchant());
    for (const other of ['nothing', `${id.slice(0, -1)}2`, 'prt_01JQ0000000000000000000001'])
      expect(refusal(await decide(other, 'approve'))).toBe('404 4000 Rejected');
    expect((await decide(id, 'finish' as 'reject')).status).toBe(404);
    expect(refusal(await decide(id, 'reject', { reason: '' }))).toBe('400 2000 Rejected reason');
  });
});

describe('The list of a merchant’s pricing templates', () => {
  it('has the newest first, in pages without gaps, and nothing of another merchant', async () => {
    const merchant = await newMerchant();
    await submitted(await newMerchant());
    for (let count = 0; count < 5; count++) await submitted(merchant, { name: `Version ${count + 1}` });
    const first = await list(merchant, '?limit=2&includeTotal=true');
    expect(first).toMatchObject({ total: 5, hasMore: true, data: [{ version: 5 }, { version: 4 }] });
    const rest = await list(merchant, `?cursor=${first.nextCursor}`);
    expect(rest.data.map(({ version }) => version)).toEqual([3, 2, 1]);
    const oldest = await list(merchant, '?sort=createdAt&limit=1');
    expect(oldest.data).toMatchObject([{ version: 1 }]);
  });

  it('shows a decision at once, and is filtered by status', async () => {
    const merchant = await newMerchant();
    const [first, second, third] = [
      await submitted(merchant),
      await submitted(merchant),
      await submitted(merchant),
    ];
    await decide(first.id, 'approve');
    await decide(second.id, 'reject');
    const versions = async (query: string) =>
      (await list(merchant, query)).data.map(({ version }) => version);
    expect(await versions('?status=Approved')).toEqual([1]);
    expect(await versions('?status=Rejected&status=Submitted')).toEqual([third.version, 2]);
    expect(refusal(await api.call('GET', `${pathOf(merchant)}?status=Lost`))).toBe(
      '400 2000 Rejected status',
    );
  });
});
