import type { MerchantDecision } from './merchant.decision.js';
import {
  foldMerchant,
  noMerchant,
  type Merchant,
  type MerchantEvent,
  type PaymentMethodAdded,
  type PaymentMethodChanged,
} from './merchant.js';
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
  if (state.status === 'None') throw new Error('the merchant was not created');
  return state;
};
const events = (decision: MerchantDecision): readonly MerchantEvent[] =>
  decision.kind === 'Accepted' ? decision.events : [];
/** `CurrencyNotOffered currency`. */
const rejectionCode = (decision: MerchantDecision): string | undefined =>
  decision.kind === 'Rejected'
    ? [decision.rejection.code, decision.rejection.setting ?? ''].join(' ').trim()
    : undefined;

describe('a merchant’s payment method', () => {
  it('is added once, in a currency that the merchant takes', () => {
    expect(events(addPaymentMethod(merchant(), method('pmt_1')))).toEqual([added('pmt_1')]);
    expect(rejectionCode(addPaymentMethod(merchant(added('pmt_1')), method('pmt_1')))).toBe(
      'PaymentMethodExists',
    );
    expect(rejectionCode(addPaymentMethod(merchant(), method('pmt_1', { currency: 'CAD' })))).toBe(
      'CurrencyNotOffered currency',
    );
  });

  it('without a currency gets the only possible one', () => {
    const { currency: _currency, ...unnamed } = method('pmt_1');
    expect(events(addPaymentMethod(merchant(), unnamed))).toEqual([added('pmt_1')]);
    const both = merchant(bothCurrencies);
    expect(rejectionCode(addPaymentMethod(both, unnamed))).toBe('CurrencyRequired currency');
    for (const [type, currency] of [
      ['VirtualAch', 'USD'],
      ['VirtualEft', 'CAD'],
    ] as const) {
      expect(events(addPaymentMethod(both, { ...unnamed, type }))).toEqual([
        added('pmt_1', { type, currency }),
      ]);
    }
    expect(rejectionCode(addPaymentMethod(merchant(), { ...unnamed, type: 'VirtualEft' }))).toBe(
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
  ])('is never %s', (_title, data, setting) => {
    expect(rejectUnfitPaymentMethod(data.type, data)?.setting).toBe(setting);
    expect(rejectionCode(addPaymentMethod(merchant(bothCurrencies), data))).toMatch(
      new RegExp(`${setting}$`),
    );
    const { type, currency, formConfig, allowedOrigins } = data;
    const valid = merchant(
      bothCurrencies,
      added('pmt_1', { type, currency: type === 'VirtualEft' ? 'CAD' : 'USD' }),
    );
    const settings = {
      currency,
      ...(formConfig && { formConfig }),
      ...(allowedOrigins && { allowedOrigins }),
    };
    expect(rejectionCode(changePaymentMethod(valid, change(settings)))).toMatch(new RegExp(`${setting}$`));
  });

  it('is added with others in one command, in their order; all of them or none', () => {
    const [a, b, inCad] = [method('a'), method('b'), method('c', { currency: 'CAD' })];
    expect(events(addPaymentMethods(merchant(), [a, b]))).toEqual([
      added('a'),
      added('b', { at: '2026-03-01T12:00:00.001Z' }),
    ]);
    expect(rejectionCode(addPaymentMethods(merchant(), [a, inCad]))).toBe('CurrencyNotOffered currency');
    expect(rejectionCode(addPaymentMethods(merchant(), [a, a]))).toBe('PaymentMethodExists');
  });

  it('keeps its type', () => {
    const state = merchant(added('pmt_1'));
    const sameType = { ...change({ description: 'x' }), type: 'Physical' as const };
    expect(events(changePaymentMethod(state, sameType))).toEqual([changed({ description: 'x' })]);
    expect(rejectionCode(changePaymentMethod(state, { ...sameType, type: 'Virtual' }))).toBe(
      'TypeFixed type',
    );
  });

  it('is disabled and enabled; a repeated command adds no event', () => {
    const off = { at, paymentMethodId: 'pmt_1', disabled: true };
    expect(events(setPaymentMethodDisabled(merchant(added('pmt_1')), off))).toEqual([changed(off)]);
    const without = merchant(added('pmt_1'), changed(off));
    expect(events(setPaymentMethodDisabled(without, off))).toEqual([]);
    expect(without.paymentMethods).toMatchObject([{ id: 'pmt_1', disabled: true, createdAt: at }]);
    expect(events(setPaymentMethodDisabled(without, { ...off, disabled: false }))).toHaveLength(1);
    expect(rejectionCode(setPaymentMethodDisabled(without, { ...off, paymentMethodId: 'pmt_2' }))).toBe(
      'PaymentMethodNotFound',
    );
    expect(rejectionCode(changePaymentMethod(noMerchant, off))).toBe('MerchantNotFound');
  });

  it('can not be enabled in a currency that the merchant no longer takes', () => {
    const toCad: MerchantEvent = { type: 'MerchantChanged', data: { at, currencies: ['CAD'] } };
    const state = merchant(added('pmt_1'), changed({ disabled: true }), toCad);
    expect(rejectionCode(changePaymentMethod(state, change({ disabled: false })))).toBe(
      'CurrencyNotOffered disabled',
    );
    const inCad = change({ disabled: false, currency: 'CAD' });
    expect(events(changePaymentMethod(state, inCad))).toEqual([changed(inCad)]);
    // What changes nothing of that is no reason to refuse.
    expect(events(changePaymentMethod(state, change({ description: 'Old' })))).toHaveLength(1);
  });

  it('records only the fields that differ; form settings are compared as a whole', () => {
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

  it('that becomes the default replaces the old default of its type', () => {
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

  it('that is disabled can not become the default, unless the same change enables it', () => {
    const off = merchant(added('pmt_1'), changed({ disabled: true }));
    expect(rejectionCode(changePaymentMethod(off, change({ isDefault: true })))).toBe(
      'DefaultDisabled isDefault',
    );
    expect(events(changePaymentMethod(off, change({ isDefault: true, disabled: false })))).toHaveLength(1);
    const on = merchant(added('pmt_1', { isDefault: true }));
    expect(events(changePaymentMethod(on, change({ disabled: true })))).toHaveLength(1);
  });
});
