import {
  changeMerchant,
  createMerchant,
  disableMerchant,
  enableMerchant,
  issueApiKey,
  MAX_API_KEYS,
  resolvePaymentMethod,
  revokeApiKey,
} from './merchant.decide.js';
import type { MerchantDecision, MerchantRejection } from './merchant.decision.js';
import { apiKeyStream } from './api-key.js';
import { addPaymentMethod, setPaymentMethodDisabled } from './payment-method.decide.js';
import {
  foldMerchant,
  isMerchantId,
  merchantStream,
  noMerchant,
  type Merchant,
  type MerchantCreated,
  type MerchantEvent,
  type PaymentMethod,
  type PaymentMethodAdded,
} from './merchant.js';
import { ImpossibleHistory } from '../shared/aggregate.js';

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
  if (state.status === 'None') throw new Error('the merchant was not created');
  return state;
};
const events = (decision: MerchantDecision): readonly MerchantEvent[] =>
  decision.kind === 'Accepted' ? decision.events : [];
const rejectionCode = (decision: MerchantDecision): MerchantRejection['code'] | undefined =>
  decision.kind === 'Rejected' ? decision.rejection.code : undefined;

describe('a merchant', () => {
  it('is created once, active, with its settings', () => {
    expect(events(createMerchant(noMerchant, creation))).toEqual([created]);
    expect(rejectionCode(createMerchant(merchant(), creation))).toBe('MerchantExists');
    expect(merchant()).toMatchObject({ status: 'Active', id: 'mer_1', createdAt: at, cutOff: '22:00' });
  });

  it('is disabled and enabled; a repeated command adds no event', () => {
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

  it('changes only the named settings, and records the time', () => {
    const later = '2026-03-02T12:00:00.000Z';
    const changed = merchant({ type: 'MerchantChanged', data: { at: later, cutOff: '20:00' } });
    expect(changed).toEqual({ ...merchant(), cutOff: '20:00', updatedAt: later });
  });

  it('records only the settings that differ, and adds no event if none does', () => {
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

  it('ignores the order of currencies', () => {
    const both: MerchantEvent = { type: 'MerchantChanged', data: { at, currencies: ['CAD', 'USD'] } };
    expect(events(changeMerchant(merchant(both), { at, currencies: ['USD', 'CAD'] }))).toEqual([]);
  });

  it('keeps a currency while an enabled payment method uses it', () => {
    const toCad = { at, currencies: ['CAD'] } as const;
    const decision = changeMerchant(merchant(added('pmt_1')), toCad);
    expect(decision).toMatchObject({
      rejection: {
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
      'rid of a payment method',
      () => setPaymentMethodDisabled(noMerchant, { at, paymentMethodId: 'pmt_1', disabled: true }),
    ],
    ['given a key', () => issueApiKey(noMerchant, key)],
    ['rid of a key', () => revokeApiKey(noMerchant, { at, keyId: 'key_1' })],
  ])('that does not exist can’t be %s', (_title, decide) => {
    expect(rejectionCode(decide())).toBe('MerchantNotFound');
  });

  it.each([
    ['is created twice', [created, created]],
    ['is disabled without a creation', [disabled]],
  ])('with a history that %s is impossible', (_title, history) => {
    expect(() => foldMerchant(history)).toThrow(ImpossibleHistory);
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

  it('is the only method of the type if there is no default', () => {
    expect(resolvePaymentMethod([a, one('f', { type: 'Virtual', isDefault: true })], 'Physical')).toEqual({
      method: a,
    });
  });

  it('is left to the caller if several methods fit, or none', () => {
    expect(resolvePaymentMethod([a, b], 'Physical')).toEqual({ candidates: [a, b] });
    expect(resolvePaymentMethod([a], 'Virtual')).toEqual({ candidates: [] });
  });

  it('is never a disabled method', () => {
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
    expect(rejectionCode(revokeApiKey(merchant(issued, revoked), revocation))).toBe('ApiKeyNotFound');
    expect(rejectionCode(revokeApiKey(merchant(issued), { at, keyId: 'key_2' }))).toBe('ApiKeyNotFound');
    expect(merchant(issued, revoked).apiKeys).toMatchObject([
      { id: 'key_1', hash: 'ab', revoked: true, revokedAt: at },
    ]);
  });

  it(`is one of at most ${MAX_API_KEYS} that are not revoked`, () => {
    const many = Array.from({ length: MAX_API_KEYS }, (_, number): MerchantEvent => {
      return { type: 'ApiKeyIssued', data: { ...key, keyId: `key_${number}` } };
    });
    const next = { ...key, keyId: 'key_next' };
    expect(events(issueApiKey(merchant(...many.slice(1)), next))).toHaveLength(1);
    expect(rejectionCode(issueApiKey(merchant(...many), next))).toBe('TooManyApiKeys');
    const revoked: MerchantEvent = { type: 'ApiKeyRevoked', data: { at, keyId: 'key_7' } };
    expect(events(issueApiKey(merchant(...many, revoked), next))).toHaveLength(1);
  });

  it('has its own stream, named by its hash alone', () => {
    expect(apiKeyStream('ab')).toBe('apikey-ab');
    expect(merchantStream('mer_1')).toBe('merchant-mer_1');
  });

  it('and a merchant’s id have a fixed form', () => {
    expect(isMerchantId('mer_01JQ0000000000000000000000')).toBe(true);
    for (const text of ['mer_1', 'mer_01JQ000000000000000000000', 'acc_01JQ0000000000000000000000', ''])
      expect(isMerchantId(text)).toBe(false);
  });
});
