import {
  changeMerchant,
  createMerchant,
  disableMerchant,
  enableMerchant,
  issueApiKey,
  MAX_API_KEYS,
  resolvePaymentMethod,
  revokeApiKey,
  type MerchantDecision,
  type MerchantRejection,
} from './merchant.decide.js';
import { apiKeyStream, isMerchantId, merchantStream } from './merchant.codec.js';
import { addPaymentMethod, setPaymentMethodDisabled } from './payment-method.decide.js';
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
const refusal = (decision: MerchantDecision): MerchantRejection['code'] | undefined =>
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

  it('changes only the settings that are named, and says when', () => {
    const later = '2026-03-02T12:00:00.000Z';
    const changed = merchant({ type: 'MerchantChanged', data: { at: later, cutOff: '20:00' } });
    expect(changed).toEqual({ ...merchant(), cutOff: '20:00', updatedAt: later });
  });

  it('is told only what differs, and nothing where nothing does', () => {
    const same = {
      name: creation.name,
      currencies: ['USD'],
      unreferencedRefunds: { enabled: false },
    } as const;
    expect(events(changeMerchant(merchant(), { at, ...same }))).toEqual([]);
    expect(events(changeMerchant(merchant(), { at, ...same, cutOff: '20:00' }))).toEqual([
      { type: 'MerchantChanged', data: { at, cutOff: '20:00' } },
    ]);
    const refunds = { enabled: false, dailyLimit: 0 };
    expect(events(changeMerchant(merchant(), { at, unreferencedRefunds: refunds }))).toHaveLength(1);
  });

  it('takes currencies for a set', () => {
    const both: MerchantEvent = { type: 'MerchantChanged', data: { at, currencies: ['CAD', 'USD'] } };
    expect(events(changeMerchant(merchant(both), { at, currencies: ['USD', 'CAD'] }))).toEqual([]);
  });

  it('keeps a currency for as long as a payment method in it can be used', () => {
    const toCad = { at, currencies: ['CAD'] } as const;
    const decision = changeMerchant(merchant(added('pmt_1')), toCad);
    expect(decision).toMatchObject({
      refusal: {
        code: 'CurrencyInUse',
        setting: 'currencies',
        details: 'received CAD, allowed with USD while in use: pmt_1',
      },
    });
    const off: MerchantEvent = {
      type: 'PaymentMethodChanged',
      data: { at, paymentMethodId: 'pmt_1', disabled: true },
    };
    expect(events(changeMerchant(merchant(added('pmt_1'), off), toCad))).toHaveLength(1);
  });

  it.each([
    ['changed', () => changeMerchant(noMerchant, { at, name: 'x' })],
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
    expect(refusal(revokeApiKey(merchant(issued, revoked), revocation))).toBe('ApiKeyNotFound');
    expect(refusal(revokeApiKey(merchant(issued), { at, keyId: 'key_2' }))).toBe('ApiKeyNotFound');
    expect(merchant(issued, revoked).apiKeys).toMatchObject([
      { id: 'key_1', hash: 'ab', revoked: true, revokedAt: at },
    ]);
  });

  it(`is one of at most ${MAX_API_KEYS} that work`, () => {
    const many = Array.from({ length: MAX_API_KEYS }, (_, number): MerchantEvent => {
      return { type: 'ApiKeyIssued', data: { ...key, keyId: `key_${number}` } };
    });
    const next = { ...key, keyId: 'key_next' };
    expect(events(issueApiKey(merchant(...many.slice(1)), next))).toHaveLength(1);
    expect(refusal(issueApiKey(merchant(...many), next))).toBe('TooManyApiKeys');
    const revoked: MerchantEvent = { type: 'ApiKeyRevoked', data: { at, keyId: 'key_7' } };
    expect(events(issueApiKey(merchant(...many, revoked), next))).toHaveLength(1);
  });

  it('has a stream of its own, found by its hash alone', () => {
    expect(apiKeyStream('ab')).toBe('apikey-ab');
    expect(merchantStream('mer_1')).toBe('merchant-mer_1');
  });

  it('and a merchant’s id have a form: what else is asked for is nobody', () => {
    expect(isMerchantId('mer_01JQ0000000000000000000000')).toBe(true);
    for (const text of ['mer_1', 'mer_01JQ000000000000000000000', 'acc_01JQ0000000000000000000000', ''])
      expect(isMerchantId(text)).toBe(false);
  });
});
