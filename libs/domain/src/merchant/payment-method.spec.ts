import type { MerchantDecision } from './merchant.decide.js';
import type { MerchantEvent, PaymentMethodAdded, PaymentMethodChanged } from './merchant.events.js';
import { foldMerchant, noMerchant, type Merchant } from './merchant.state.js';
import {
  addPaymentMethod,
  addPaymentMethods,
  changePaymentMethod,
  setPaymentMethodDisabled,
  rejectUnfitPaymentMethod,
} from './payment-method.decide.js';

const at = '2026-03-01T12:00:00.000Z';
const created: MerchantEvent = {
  type: 'MerchantCreated',
  data: {
    at,
    merchantId: 'mer_1',
    name: 'Maple Street Books',
    currencies: ['USD'],
    timeZone: 'America/New_York',
    cutOff: '22:00',
    locale: 'en-US',
    fundingType: 'Net',
    managedWebhooks: false,
    unreferencedRefunds: { enabled: false },
  },
};
const bothCurrencies: MerchantEvent = { type: 'MerchantChanged', data: { at, currencies: ['USD', 'CAD'] } };
const method = (id: string, more: Partial<PaymentMethodAdded> = {}): PaymentMethodAdded => ({
  at,
  paymentMethodId: id,
  type: 'Physical',
  currency: 'USD',
  isDefault: false,
  ...more,
});
const added = (...of: Parameters<typeof method>): MerchantEvent => ({
  type: 'PaymentMethodAdded',
  data: method(...of),
});
const change = (more: Partial<PaymentMethodChanged>): PaymentMethodChanged => ({
  at,
  paymentMethodId: 'pmt_1',
  ...more,
});
const changed = (more: Partial<PaymentMethodChanged>): MerchantEvent => ({
  type: 'PaymentMethodChanged',
  data: change(more),
});

const merchant = (...events: MerchantEvent[]): Merchant => {
  const state = foldMerchant([created, ...events]);
  if (state.status === 'None') throw new Error('nobody was created');
  return state;
};
const events = (decision: MerchantDecision): readonly MerchantEvent[] =>
  decision.kind === 'Accepted' ? decision.events : [];
/** `CurrencyNotOffered currency`. */
const refusal = (decision: MerchantDecision): string | undefined =>
  decision.kind === 'Refused'
    ? [decision.refusal.code, decision.refusal.setting ?? ''].join(' ').trim()
    : undefined;

describe('a merchant’s payment method', () => {
  it('is added once, in a currency that the merchant takes', () => {
    expect(events(addPaymentMethod(merchant(), method('pmt_1')))).toEqual([added('pmt_1')]);
    expect(refusal(addPaymentMethod(merchant(added('pmt_1')), method('pmt_1')))).toBe('PaymentMethodExists');
    expect(refusal(addPaymentMethod(merchant(), method('pmt_1', { currency: 'CAD' })))).toBe(
      'CurrencyNotOffered currency',
    );
  });

  it('that names no currency has the only one that there can be', () => {
    const { currency: _currency, ...unnamed } = method('pmt_1');
    expect(events(addPaymentMethod(merchant(), unnamed))).toEqual([added('pmt_1')]);
    const both = merchant(bothCurrencies);
    expect(refusal(addPaymentMethod(both, unnamed))).toBe('CurrencyRequired currency');
    for (const [type, currency] of [
      ['VirtualAch', 'USD'],
      ['VirtualEft', 'CAD'],
    ] as const) {
      expect(events(addPaymentMethod(both, { ...unnamed, type }))).toEqual([
        added('pmt_1', { type, currency }),
      ]);
    }
    expect(refusal(addPaymentMethod(merchant(), { ...unnamed, type: 'VirtualEft' }))).toBe(
      'CurrencyNotOffered currency',
    );
  });

  it.each([
    ['an ACH form in CAD', method('p', { type: 'VirtualAch', currency: 'CAD' }), 'currency'],
    ['an EFT form in USD', method('p', { type: 'VirtualEft' }), 'currency'],
    ['a terminal with a form', method('p', { formConfig: {} }), 'formConfig'],
    ['a terminal with origins', method('p', { allowedOrigins: [] }), 'allowedOrigins'],
    [
      'a bank form without the whole address',
      method('p', { type: 'VirtualAch', formConfig: { billingInfoCaptureLevel: 'Minimal' } }),
      'formConfig.billingInfoCaptureLevel',
    ],
    [
      '3-D Secure on a bank form',
      method('p', { type: 'VirtualEft', currency: 'CAD', formConfig: { enable3DSecure: true } }),
      'formConfig.enable3DSecure',
    ],
  ])('is never %s', (_what, data, setting) => {
    expect(rejectUnfitPaymentMethod(data.type, data)?.setting).toBe(setting);
    expect(refusal(addPaymentMethod(merchant(bothCurrencies), data))).toMatch(new RegExp(`${setting}$`));
    const { type, currency, formConfig, allowedOrigins } = data;
    const fine = merchant(
      bothCurrencies,
      added('pmt_1', { type, currency: type === 'VirtualEft' ? 'CAD' : 'USD' }),
    );
    const asked = { currency, ...(formConfig && { formConfig }), ...(allowedOrigins && { allowedOrigins }) };
    expect(refusal(changePaymentMethod(fine, change(asked)))).toMatch(new RegExp(`${setting}$`));
  });

  it('is added with others all at once, in their order, or none is', () => {
    const [a, b, inCad] = [method('a'), method('b'), method('c', { currency: 'CAD' })];
    expect(events(addPaymentMethods(merchant(), [a, b]))).toEqual([
      added('a'),
      added('b', { at: '2026-03-01T12:00:00.001Z' }),
    ]);
    expect(refusal(addPaymentMethods(merchant(), [a, inCad]))).toBe('CurrencyNotOffered currency');
    expect(refusal(addPaymentMethods(merchant(), [a, a]))).toBe('PaymentMethodExists');
  });

  it('keeps its type', () => {
    const state = merchant(added('pmt_1'));
    const asked = { ...change({ description: 'x' }), type: 'Physical' as const };
    expect(events(changePaymentMethod(state, asked))).toEqual([changed({ description: 'x' })]);
    expect(refusal(changePaymentMethod(state, { ...asked, type: 'Virtual' }))).toBe('TypeFixed type');
  });

  it('is disabled and enabled, and told twice says nothing new', () => {
    const off = { at, paymentMethodId: 'pmt_1', disabled: true };
    expect(events(setPaymentMethodDisabled(merchant(added('pmt_1')), off))).toEqual([changed(off)]);
    const without = merchant(added('pmt_1'), changed(off));
    expect(events(setPaymentMethodDisabled(without, off))).toEqual([]);
    expect(without.paymentMethods).toMatchObject([{ id: 'pmt_1', disabled: true, createdAt: at }]);
    expect(events(setPaymentMethodDisabled(without, { ...off, disabled: false }))).toHaveLength(1);
    expect(refusal(setPaymentMethodDisabled(without, { ...off, paymentMethodId: 'pmt_2' }))).toBe(
      'PaymentMethodNotFound',
    );
    expect(refusal(changePaymentMethod(noMerchant, off))).toBe('MerchantNotFound');
  });

  it('is not enabled again in a currency that the merchant gave up', () => {
    const toCad: MerchantEvent = { type: 'MerchantChanged', data: { at, currencies: ['CAD'] } };
    const state = merchant(added('pmt_1'), changed({ disabled: true }), toCad);
    expect(refusal(changePaymentMethod(state, change({ disabled: false })))).toBe(
      'CurrencyNotOffered disabled',
    );
    const inCad = change({ disabled: false, currency: 'CAD' });
    expect(events(changePaymentMethod(state, inCad))).toEqual([changed(inCad)]);
    // What changes nothing of that is no reason to refuse.
    expect(events(changePaymentMethod(state, change({ description: 'Old' })))).toHaveLength(1);
  });

  it('is told only what differs; settings of a form are compared whole', () => {
    const formConfig = {
      billingInfoCaptureLevel: 'Full',
      enable3DSecure: true,
      piiFields: ['Email', 'Phone'],
    } as const;
    const form = added('pmt_1', {
      type: 'Virtual',
      description: 'Web shop',
      formConfig,
      allowedOrigins: ['https://a.example', 'https://b.example'],
    });
    const again = change({
      currency: 'USD',
      description: 'Web shop',
      isDefault: false,
      disabled: false,
      formConfig: { ...formConfig, piiFields: ['Phone', 'Email'] },
      allowedOrigins: ['https://b.example', 'https://a.example'],
    });
    expect(events(changePaymentMethod(merchant(form), again))).toEqual([]);
    for (const differs of [
      { formConfig: { billingInfoCaptureLevel: 'Full' } },
      { allowedOrigins: [] },
      { description: 'Shop' },
    ] as const) {
      expect(events(changePaymentMethod(merchant(form), { ...again, ...differs }))).toEqual([
        changed(differs),
      ]);
    }
  });

  it('that becomes the default takes the place of the old one of its type', () => {
    const defaults = (state: Merchant) =>
      state.paymentMethods.filter(({ isDefault }) => isDefault).map(({ id }) => id);
    const two = [
      added('pmt_1', { isDefault: true }),
      added('pmt_form', { type: 'Virtual', isDefault: true }),
      added('pmt_2', { isDefault: true }),
    ];
    expect(defaults(merchant(...two))).toEqual(['pmt_form', 'pmt_2']);
    expect(defaults(merchant(...two, changed({ isDefault: true })))).toEqual(['pmt_1', 'pmt_form']);
  });

  it('that is disabled does not become the default, unless it is enabled with it', () => {
    const off = merchant(added('pmt_1'), changed({ disabled: true }));
    expect(refusal(changePaymentMethod(off, change({ isDefault: true })))).toBe('DefaultDisabled isDefault');
    expect(events(changePaymentMethod(off, change({ isDefault: true, disabled: false })))).toHaveLength(1);
    const on = merchant(added('pmt_1', { isDefault: true }));
    expect(events(changePaymentMethod(on, change({ disabled: true })))).toHaveLength(1);
  });
});
