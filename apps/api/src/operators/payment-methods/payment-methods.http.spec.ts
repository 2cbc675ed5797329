import type {
  CreatedPaymentMethod,
  OperatorPaymentMethod,
  PaymentMethodListItem,
} from '@tillstream/contracts';
import { answered } from '../../testing/eventually.js';
import {
  envelopeOf,
  refusal,
  startTestApi,
  type Call,
  type OtherMerchant,
  type TestApi,
} from '../../testing/test.api.js';

let api: TestApi;
let shop: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  shop = await api.otherMerchant();
});
afterAll(() => api.stop());

const merchants = '/admin/v1/merchants';
const add = (kind: 'terminals' | 'forms', body: unknown, call: Call & { merchantId?: string } = {}) =>
  api.call('POST', `${merchants}/${call.merchantId ?? shop.id}/${kind}`, { body, ...call });
const change = (id: string, body: unknown, call: Call = {}) =>
  api.call('PUT', `/admin/v1/payment-methods/${id}`, { body, ...call });
const terminal = async (body: object = {}, merchantId = shop.id) =>
  answered<PaymentMethodListItem>(await add('terminals', { currency: 'USD', ...body }, { merchantId }));
const form = async (body: object = {}, merchantId = shop.id) =>
  answered<CreatedPaymentMethod>(
    await add('forms', { type: 'Virtual', currency: 'USD', ...body }, { merchantId }),
  );
const merchantsView = (key = shop.key) =>
  api.list<PaymentMethodListItem>('/v1/payment-methods?limit=100', { key });
const all = (query = '', merchantId = shop.id) =>
  api.list<OperatorPaymentMethod>(`${merchants}/${merchantId}/payment-methods?limit=100${query}`);
const origins = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://shop${index}.example`);
const full = { billingInfoCaptureLevel: 'Full' };

describe('A terminal', () => {
  it('is the item that its merchant sees from then on', async () => {
    const made = await terminal({ description: 'Front counter', isDefault: true });
    expect(made).toEqual({
      id: expect.stringMatching(/^pmt_trm_[0-9A-Z]{26}$/) as string,
      type: 'Physical',
      currency: 'USD',
      description: 'Front counter',
      isDefault: true,
    });
    expect((await merchantsView()).data).toContainEqual(made);
  });

  it('needs no name, and a currency only where the merchant takes several', async () => {
    const reply = await add('terminals', {});
    expect(refusal(reply)).toBe('400 2000 Rejected currency');
    expect(envelopeOf(reply).errorDetails[0]?.details).toBe('received nothing, allowed USD, CAD');
    const { id: merchantId } = await api.otherMerchant({ currencies: ['USD'] });
    const made = answered<object>(await add('terminals', {}, { merchantId }));
    expect(made).toMatchObject({ currency: 'USD', isDefault: false });
    expect(made).not.toHaveProperty('description');
    expect(refusal(await add('terminals', { currency: 'CAD' }, { merchantId }))).toBe(
      '400 2000 Rejected currency',
    );
  });

  it.each([
    [{ description: '' }, 'description'],
    [{ description: 'x'.repeat(101) }, 'description'],
    [{ currency: 'EUR' }, 'currency'],
    [{ isDefault: 'yes' }, 'isDefault'],
    [{ type: 'Physical' }, 'type'],
    [{ formConfig: full }, 'formConfig'],
    [{ disabled: true }, 'disabled'],
  ])('is not made with %j: 400, 2000, %s', async (wrong, field) => {
    const reply = await add('terminals', { currency: 'USD', ...wrong });
    expect(refusal(reply)).toBe(`400 2000 Rejected ${field}`);
  });

  it('has a description of at most 100 characters', async () => {
    expect((await terminal({ description: '€'.repeat(100) })).description).toHaveLength(100);
  });

  it('of a merchant that does not exist: 404, 4000', async () => {
    for (const merchantId of ['mer_1', `mer_01J${'0'.repeat(23)}`]) {
      expect(refusal(await add('terminals', { currency: 'USD' }, { merchantId }))).toBe('404 4000 Rejected');
      expect(refusal(await add('forms', { type: 'VirtualAch' }, { merchantId }))).toBe('404 4000 Rejected');
      expect(refusal(await api.get(`${merchants}/${merchantId}/payment-methods`))).toBe('404 4000 Rejected');
    }
  });

  it('is made once under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'lane-9' };
    const first = await add('terminals', { currency: 'USD', description: 'Lane 9' }, { headers });
    const again = await add('terminals', { currency: 'USD', description: 'Lane 9' }, { headers });
    expect(again.text).toBe(first.text);
    const lanes = (await merchantsView()).data.filter(({ description }) => description === 'Lane 9');
    expect(lanes).toHaveLength(1);
  });
});

describe('A form', () => {
  it.each([
    ['Virtual', 'CAD', 'pmt_vrt_'],
    ['VirtualAch', 'USD', 'pmt_ach_'],
    ['VirtualEft', 'CAD', 'pmt_eft_'],
  ])(
    'of type %s in %s is listed with its merchant; its settings are its operators’',
    async (type, currency, prefix) => {
      const settings = {
        formConfig: { billingInfoCaptureLevel: 'Full', piiFields: ['Email', 'Phone'] },
        allowedOrigins: ['https://shop.example', 'http://localhost:8080'],
      };
      const made = await form({ type, currency, description: 'Web', ...settings });
      const { formConfig, allowedOrigins, ...item } = made;
      expect({ formConfig, allowedOrigins }).toEqual(settings);
      expect(item).toMatchObject({ type, currency, description: 'Web', isDefault: false });
      expect(item.id.startsWith(prefix)).toBe(true);
      expect((await merchantsView()).data).toContainEqual(item);
    },
  );

  it('of a bank has the currency of its country without saying so', async () => {
    expect(answered(await add('forms', { type: 'VirtualAch' }))).toMatchObject({ currency: 'USD' });
    expect(answered(await add('forms', { type: 'VirtualEft' }))).toMatchObject({ currency: 'CAD' });
  });

  it('has up to 20 origins', async () => {
    expect((await form({ allowedOrigins: origins(20) })).allowedOrigins).toHaveLength(20);
    expect((await form({ allowedOrigins: [] })).allowedOrigins).toEqual([]);
    expect(
      refusal(await add('forms', { type: 'Virtual', currency: 'USD', allowedOrigins: origins(21) })),
    ).toBe('400 2000 Rejected allowedOrigins');
  });

  it.each([
    [{ type: undefined }, 'type'],
    [{ type: 'Physical' }, 'type'],
    [{ type: 'VirtualAch', currency: 'CAD' }, 'currency'],
    [{ type: 'VirtualEft', currency: 'USD' }, 'currency'],
    [{ formConfig: {} }, 'formConfig.billingInfoCaptureLevel'],
    [{ formConfig: true }, 'formConfig'],
    [{ formConfig: { billingInfoCaptureLevel: 'All' } }, 'formConfig.billingInfoCaptureLevel'],
    [{ formConfig: { ...full, enable3DSecure: 1 } }, 'formConfig.enable3DSecure'],
    [{ formConfig: { ...full, piiFields: ['Name'] } }, 'formConfig.piiFields'],
    [{ formConfig: { ...full, piiFields: ['Email', 'Email'] } }, 'formConfig.piiFields'],
    [{ formConfig: { ...full, colour: 'red' } }, 'formConfig.colour'],
    [
      { type: 'VirtualAch', formConfig: { billingInfoCaptureLevel: 'Minimal' } },
      'formConfig.billingInfoCaptureLevel',
    ],
    [{ type: 'VirtualAch', formConfig: { ...full, enable3DSecure: true } }, 'formConfig.enable3DSecure'],
    [{ allowedOrigins: 'https://shop.example' }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://shop.example/'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://shop.example/pay'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://a:b@shop.example'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['ftp://shop.example'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['*'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://*.example'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://shop.example;script-src'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://a.example', 'https://a.example'] }, 'allowedOrigins'],
    [{ allowedOrigins: [null] }, 'allowedOrigins'],
  ])('is not made with %j: 400, 2000, %s', async (wrong, field) => {
    const reply = await add('forms', { type: 'Virtual', currency: 'USD', ...wrong });
    expect(refusal(reply)).toBe(`400 2000 Rejected ${field}`);
    expect(envelopeOf(reply).errorDetails[0]?.details).toMatch(/allowed/);
  });
});

describe('A change of a payment method', () => {
  it('changes what it names, and answers the whole with whether it is disabled', async () => {
    const before = await form({ description: 'Web', formConfig: full });
    const after = answered<OperatorPaymentMethod>(
      await change(before.id, {
        description: 'Web shop',
        currency: 'CAD',
        formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: true },
        allowedOrigins: origins(1),
        type: 'Virtual',
      }),
    );
    expect(after).toEqual({
      ...before,
      description: 'Web shop',
      currency: 'CAD',
      formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: true },
      allowedOrigins: origins(1),
      disabled: false,
    });
    expect((await all()).data).toContainEqual(after);
    const { id, type, currency, description, isDefault } = after;
    expect((await merchantsView()).data).toContainEqual({ id, type, currency, description, isDefault });
  });

  it('that disables it takes it from its merchant’s list, not from the operators’', async () => {
    const { id } = await terminal();
    expect(answered<OperatorPaymentMethod>(await change(id, { disabled: true })).disabled).toBe(true);
    expect((await merchantsView()).data.map((one) => one.id)).not.toContain(id);
    expect((await all('&disabled=true')).data.map((one) => one.id)).toContain(id);
    expect((await all('&disabled=false')).data.map((one) => one.id)).not.toContain(id);
    expect(refusal(await change(id, { isDefault: true }))).toBe('400 2000 Rejected isDefault');
    expect(answered(await change(id, { disabled: false, isDefault: true }))).toMatchObject({
      disabled: false,
      isDefault: true,
    });
    expect((await merchantsView()).data.map((one) => one.id)).toContain(id);
  });

  it('makes one default of each type', async () => {
    const own = await api.otherMerchant();
    const second = await terminal({ isDefault: true }, own.id);
    await form({ isDefault: true }, own.id);
    const defaults = async () =>
      (await merchantsView(own.key)).data
        .filter(({ isDefault }) => isDefault)
        .map(({ type, id }) => [type, id]);
    expect(await defaults()).toEqual([
      ['Virtual', expect.any(String)],
      ['Physical', second.id],
    ]);
    await change(own.terminal, { isDefault: true });
    expect(await defaults()).toContainEqual(['Physical', own.terminal]);
    expect(await defaults()).toHaveLength(2);
  });

  it.each([
    [{}, 'body'],
    [{ description: null }, 'body'],
    [{ description: 'x'.repeat(101) }, 'description'],
    [{ disabled: 1 }, 'disabled'],
    [{ formConfig: full }, 'formConfig'],
    [{ allowedOrigins: [] }, 'allowedOrigins'],
    [{ type: 'Virtual' }, 'type'],
    [{ type: 'Token' }, 'type'],
    [{ id: 'x' }, 'id'],
  ])('of a terminal to %j: 400, 2000, %s', async (wrong, field) => {
    expect(refusal(await change(shop.terminal, wrong))).toBe(`400 2000 Rejected ${field}`);
  });

  it('to a currency that the merchant does not take, or that the form can’t: 2000, currency', async () => {
    const american = await api.otherMerchant({ currencies: ['USD'] });
    expect(refusal(await change(american.terminal, { currency: 'CAD' }))).toBe('400 2000 Rejected currency');
    const { id } = await form({ type: 'VirtualAch' });
    expect(refusal(await change(id, { currency: 'CAD' }))).toBe('400 2000 Rejected currency');
  });

  it('to be used again in a currency that the merchant gave up: 2000, disabled', async () => {
    const own = await api.otherMerchant();
    await change(own.terminal, { disabled: true });
    await api.call('PUT', `${merchants}/${own.id}`, { body: { currencies: ['CAD'] } });
    expect(refusal(await change(own.terminal, { disabled: false }))).toBe('400 2000 Rejected disabled');
  });

  it('of one that does not exist: 404, 4002', async () => {
    for (const id of ['pmt_trm_x', `pmt_trm_${'0'.repeat(26)}`, '%20', 'x'.repeat(300)])
      expect(refusal(await change(id, { disabled: true }))).toBe('404 4002 Rejected');
  });
});

describe('The operators’ list of payment methods', () => {
  it('is filtered by type and currency, and comes in pages', async () => {
    const own = await api.otherMerchant();
    await form({}, own.id);
    await form({ type: 'VirtualEft', currency: 'CAD' }, own.id);
    const types = async (query: string) => (await all(query, own.id)).data.map(({ type }) => type);
    expect(await types('')).toEqual(['VirtualEft', 'Virtual', 'Physical']);
    expect(await types('&type=Physical&type=VirtualEft&sort=createdAt')).toEqual(['Physical', 'VirtualEft']);
    expect(await types('&currency=CAD')).toEqual(['VirtualEft']);
    const path = `${merchants}/${own.id}/payment-methods`;
    const first = await api.list(`${path}?limit=2&includeTotal=true`);
    expect(first).toMatchObject({ total: 3, hasMore: true });
    expect((await api.list(`${path}?cursor=${first.nextCursor}`)).data).toHaveLength(1);
    expect(refusal(await api.get(`${path}?type=Token`))).toBe('400 2000 Rejected type');
    expect(refusal(await api.get(`${path}?disabled=1`))).toBe('400 2000 Rejected disabled');
  });
});
