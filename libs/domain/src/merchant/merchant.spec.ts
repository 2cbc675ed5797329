import {
  addPaymentMethod,
  createMerchant,
  disableMerchant,
  enableMerchant,
  issueApiKey,
  resolvePaymentMethod,
  revokeApiKey,
  setPaymentMethodDisabled,
  type MerchantDecision,
  type MerchantRefusal,
} from './merchant.decide.js';
import { apiKeyStream, merchantStream } from './merchant.codec.js';
import type { MerchantCreated, MerchantEvent, PaymentMethodAdded } from './merchant.events.js';
import { foldMerchant, noMerchant, type Merchant, type PaymentMethod } from './merchant.state.js';

const at = '2026-03-01T12:00:00.000Z';
const creation: MerchantCreated = {
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
};
const created: MerchantEvent = { type: 'MerchantCreated', data: creation };
const disabled: MerchantEvent = { type: 'MerchantDisabled', data: { at } };
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
const key = { at, keyId: 'key_1', keyHash: 'ab', name: 'till', readOnly: false, lastFour: 'x7Qp' };
const issued: MerchantEvent = { type: 'ApiKeyIssued', data: key };

const merchant = (...events: MerchantEvent[]): Merchant => {
  const state = foldMerchant([created, ...events]);
  if (state.status === 'None') throw new Error('nobody was created');
  return state;
};
const events = (decision: MerchantDecision): readonly MerchantEvent[] =>
  decision.kind === 'Accepted' ? decision.events : [];
const refusal = (decision: MerchantDecision): MerchantRefusal['code'] | undefined =>
  decision.kind === 'Refused' ? decision.refusal.code : undefined;

describe('a merchant', () => {
  it('is created once, active, with its settings', () => {
    expect(events(createMerchant(noMerchant, creation))).toEqual([created]);
    expect(refusal(createMerchant(merchant(), creation))).toBe('MerchantExists');
    expect(merchant()).toMatchObject({ status: 'Active', id: 'mer_1', createdAt: at, cutOff: '22:00' });
  });

  it('is disabled and enabled, and told twice says nothing new', () => {
    const reason = 'fraud suspected';
    expect(events(disableMerchant(merchant(), { at, reason }))).toEqual([
      { type: 'MerchantDisabled', data: { at, reason } },
    ]);
    expect(events(disableMerchant(merchant(disabled), { at }))).toEqual([]);
    expect(merchant(disabled).status).toBe('Disabled');
    expect(events(enableMerchant(merchant(disabled), { at }))).toEqual([
      { type: 'MerchantEnabled', data: { at } },
    ]);
    expect(events(enableMerchant(merchant(), { at }))).toEqual([]);
  });

  it('changes only the settings that are named', () => {
    const changed = merchant({ type: 'MerchantChanged', data: { at, cutOff: '20:00' } });
    expect(changed).toEqual({ ...merchant(), cutOff: '20:00' });
  });

  it.each([
    ['disabled', () => disableMerchant(noMerchant, { at })],
    ['enabled', () => enableMerchant(noMerchant, { at })],
    ['given a payment method', () => addPaymentMethod(noMerchant, method('pmt_1'))],
    [
      'left by a payment method',
      () => setPaymentMethodDisabled(noMerchant, { at, paymentMethodId: 'pmt_1', disabled: true }),
    ],
    ['given a key', () => issueApiKey(noMerchant, key)],
    ['left by a key', () => revokeApiKey(noMerchant, { at, keyId: 'key_1' })],
  ])('that does not exist can’t be %s', (_what, decide) => {
    expect(refusal(decide())).toBe('MerchantNotFound');
  });

  it.each([
    ['is created twice', [created, created]],
    ['goes on without a creation', [disabled]],
  ])('with a history that %s is impossible', (_what, history) => {
    expect(() => foldMerchant(history)).toThrow();
  });
});

describe('a merchant’s payment method', () => {
  it('is added once, in a currency that the merchant takes', () => {
    expect(events(addPaymentMethod(merchant(), method('pmt_1')))).toEqual([added('pmt_1')]);
    expect(refusal(addPaymentMethod(merchant(added('pmt_1')), method('pmt_1')))).toBe('PaymentMethodExists');
    expect(refusal(addPaymentMethod(merchant(), method('pmt_1', { currency: 'CAD' })))).toBe(
      'CurrencyNotOffered',
    );
  });

  it('is disabled and enabled, and told twice says nothing new', () => {
    const off = { at, paymentMethodId: 'pmt_1', disabled: true };
    const change: MerchantEvent = { type: 'PaymentMethodChanged', data: off };
    expect(events(setPaymentMethodDisabled(merchant(added('pmt_1')), off))).toEqual([change]);
    const without = merchant(added('pmt_1'), change);
    expect(events(setPaymentMethodDisabled(without, off))).toEqual([]);
    expect(without.paymentMethods).toMatchObject([{ id: 'pmt_1', disabled: true, createdAt: at }]);
    expect(events(setPaymentMethodDisabled(without, { ...off, disabled: false }))).toHaveLength(1);
    expect(refusal(setPaymentMethodDisabled(without, { ...off, paymentMethodId: 'pmt_2' }))).toBe(
      'PaymentMethodNotFound',
    );
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
    const back: MerchantEvent = {
      type: 'PaymentMethodChanged',
      data: { at, paymentMethodId: 'pmt_1', isDefault: true },
    };
    expect(defaults(merchant(...two, back))).toEqual(['pmt_1', 'pmt_form']);
  });
});

describe('the payment method of a request that names none', () => {
  const one = (id: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
    id,
    type: 'Physical',
    currency: 'USD',
    isDefault: false,
    disabled: false,
    createdAt: at,
    ...more,
  });
  const [a, b] = [one('a'), one('b')];
  const theDefault = one('c', { isDefault: true });

  it('is the default of the type', () => {
    expect(resolvePaymentMethod([a, b, theDefault], 'Physical')).toEqual({ method: theDefault });
  });

  it('is the only one of the type where there is no default', () => {
    expect(resolvePaymentMethod([a, one('f', { type: 'Virtual', isDefault: true })], 'Physical')).toEqual({
      method: a,
    });
  });

  it('is the caller’s choice where several fit, or none', () => {
    expect(resolvePaymentMethod([a, b], 'Physical')).toEqual({ candidates: [a, b] });
    expect(resolvePaymentMethod([a], 'Virtual')).toEqual({ candidates: [] });
  });

  it('is never a disabled one', () => {
    const off = { ...theDefault, disabled: true };
    expect(resolvePaymentMethod([a, off], 'Physical')).toEqual({ method: a });
    expect(resolvePaymentMethod([off], 'Physical')).toEqual({ candidates: [] });
  });
});

describe('a merchant’s key', () => {
  it('is issued once and revoked once', () => {
    expect(events(issueApiKey(merchant(), key))).toEqual([issued]);
    expect(events(issueApiKey(merchant(issued), key))).toEqual([]);
    const revocation = { at, keyId: 'key_1' };
    const revoked: MerchantEvent = { type: 'ApiKeyRevoked', data: revocation };
    expect(events(revokeApiKey(merchant(issued), revocation))).toEqual([revoked]);
    expect(events(revokeApiKey(merchant(issued, revoked), revocation))).toEqual([]);
    expect(refusal(revokeApiKey(merchant(issued), { at, keyId: 'key_2' }))).toBe('ApiKeyNotFound');
    expect(merchant(issued, revoked).apiKeys).toMatchObject([{ id: 'key_1', hash: 'ab', revoked: true }]);
  });

  it('has a stream of its own, found by its hash alone', () => {
    expect(apiKeyStream('ab')).toBe('apikey-ab');
    expect(merchantStream('mer_1')).toBe('merchant-mer_1');
  });
});
