import { envelopeOf, refusal, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
});
afterAll(() => api.stop());

const sell = (body: object = {}) => api.transaction('physical-sale', { amount: 1_000, ...body });
const authorize = (amount = 1_000) => api.transaction('physical-auth', { amount });
const refused = async (name: string, body: object, key?: string) =>
  refusal(await api.operation(name, body, key === undefined ? {} : { key }));
const tester = { type: 'Operator', name: 'tester' } as const;

describe('A payment method', () => {
  it('that is unknown: 404, 4002', async () => {
    expect(await refused('physical-sale', { amount: 1, paymentMethodId: 'pmt_trm_x' })).toBe(
      '404 4002 Rejected paymentMethodId',
    );
  });

  it('of another merchant is as if it were not there', async () => {
    expect(await refused('physical-sale', { amount: 1, paymentMethodId: other.terminal })).toBe(
      '404 4002 Rejected paymentMethodId',
    );
  });

  it.each(['Card form', 'ACH form', 'EFT form'])(
    'that is no terminal (%s): 400, 2010',
    async (description) => {
      const paymentMethodId = api.method(description).id;
      for (const name of ['physical-sale', 'physical-auth', 'unreferenced-physical-refund']) {
        expect(await refused(name, { amount: 1, paymentMethodId })).toBe('400 2010 Rejected paymentMethodId');
      }
    },
  );

  it('that is disabled: 400, 2013, and what was paid with it can still be refunded', async () => {
    const sale = await api.transaction('physical-sale', { amount: 500 }, { key: other.key });
    const { provisioning } = api.running;
    const terminal = { merchantId: other.id, paymentMethodId: other.terminal };
    await provisioning.changePaymentMethod(tester, terminal, { disabled: true });
    const named = { amount: 1, paymentMethodId: other.terminal };
    expect(await refused('physical-sale', named, other.key)).toBe('400 2013 Rejected paymentMethodId');
    const refund = await api.operation('refund', { originalTransactionId: sale.id }, { key: other.key });
    expect(refund.status).toBe(200);
    const reply = await api.operation('physical-sale', { amount: 1 }, { key: other.key });
    expect(refusal(reply)).toBe('400 2000 Rejected paymentMethodId');
    await provisioning.changePaymentMethod(tester, terminal, { disabled: false });
  });

  it('that is left out is the default terminal', async () => {
    expect((await sell()).paymentMethod.id).toBe(api.method('Front counter').id);
  });

  it('that is left out is the only terminal, else 400, 2000 with the candidates', async () => {
    const { provisioning } = api.running;
    const shop = await api.otherMerchant({}, { isDefault: false });
    const only = await api.transaction('physical-sale', { amount: 1 }, { key: shop.key });
    expect(only.paymentMethod.id).toBe(shop.terminal);

    const terminal = { type: 'Physical', currency: 'USD', isDefault: false } as const;
    const second = await provisioning.addPaymentMethod(tester, shop.id, terminal);
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    const reply = await api.operation('physical-sale', { amount: 1 }, { key: shop.key });
    expect(refusal(reply)).toBe('400 2000 Rejected paymentMethodId');
    const { details } = envelopeOf(reply).errorDetails[0] ?? {};
    expect(details).toContain(shop.terminal);
    expect(details).toContain(second.id);
  });
});

describe('An original', () => {
  it.each(['capture', 'refund', 'void'])('of a %s is named in exactly one way: 2000', async (name) => {
    const field = '400 2000 Rejected originalTransactionId';
    expect(await refused(name, {})).toBe(field);
    expect(await refused(name, { originalTransactionId: 'trx_1', originalReferenceId: 'a' })).toBe(field);
    expect(await refused(name, { originalTransactionId: null, originalReferenceId: null })).toBe(field);
  });

  it.each(['capture', 'refund', 'void'])('of a %s that is unknown: 404, 4000', async (name) => {
    for (const id of ['trx_1', `trx_${'0'.repeat(26)}`, 'hello', `trx_01M7ZEVMZ2SK7YE6CJWG3SRP00`]) {
      expect(await refused(name, { originalTransactionId: id })).toBe('404 4000 Rejected');
    }
    expect(await refused(name, { originalReferenceId: 'nobody' })).toBe('404 4000 Rejected');
  });

  it('of another merchant is as if it were not there, by id and by reference', async () => {
    const sale = await sell({ referenceId: 'mine-1' });
    expect(await refused('void', { originalTransactionId: sale.id }, other.key)).toBe('404 4000 Rejected');
    expect(await refused('void', { originalReferenceId: 'mine-1' }, other.key)).toBe('404 4000 Rejected');
    expect(refusal(await api.get(`/v1/transactions/${sale.id}`, { key: other.key }))).toBe(
      '404 4000 Rejected',
    );
    expect(refusal(await api.get(`/v1/transactions/${sale.id}/events`, { key: other.key }))).toBe(
      '404 4000 Rejected',
    );
    const generated = (await sell()).referenceId;
    expect(await refused('void', { originalReferenceId: generated }, other.key)).toBe('404 4000 Rejected');
  });

  it('whose type does not fit: 400, 2011', async () => {
    const sale = await sell();
    const auth = await authorize();
    const voided = await api.transaction('void', { originalTransactionId: sale.id, amount: 400 });
    expect(await refused('capture', { originalTransactionId: sale.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
    expect(await refused('refund', { originalTransactionId: auth.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
    expect(await refused('void', { originalTransactionId: voided.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
    expect(await refused('refund', { originalTransactionId: voided.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
  });

  it('that was declined: 400, 2011', async () => {
    const declined = await sell({ amount: 900_051 });
    expect(await refused('refund', { originalTransactionId: declined.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
  });

  it('of which all is captured: a void is 2011, names the field that it was named by, and says what to do', async () => {
    const referenceId = 'all-captured';
    const auth = await api.transaction('physical-auth', { amount: 1_000, referenceId });
    await api.transaction('capture', { originalTransactionId: auth.id });
    const reply = await api.operation('void', { originalTransactionId: auth.id });
    expect(refusal(reply)).toBe('400 2011 Rejected originalTransactionId');
    expect(envelopeOf(reply).message).toMatch(/void or refund/);
    const byReference = await refused('void', { originalReferenceId: referenceId });
    expect(byReference).toBe('400 2011 Rejected originalReferenceId');
  });

  it('without an outcome yet: 409, 3401', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_001 });
    const id = envelopeOf(reply).errorDetails[0]?.details;
    expect(await refused('refund', { originalTransactionId: id })).toBe('409 3401 Rejected');
  });
});

describe('A reference id', () => {
  it('that was left out is ref_ and the same 26 characters, and works as an original', async () => {
    const sale = await sell();
    expect(sale.referenceId).toBe(`ref_${sale.id.slice(4)}`);
    const voided = await api.transaction('void', { originalReferenceId: sale.referenceId });
    expect(voided.originalTransactionId).toBe(sale.id);
  });

  it('of the form of ours is refused: 2000', async () => {
    const referenceId = `ref_01J${'A'.repeat(23)}`;
    expect(await refused('physical-sale', { amount: 1, referenceId })).toBe('400 2000 Rejected referenceId');
    expect(await refused('void', { originalTransactionId: 'x', referenceId })).toBe(
      '400 2000 Rejected referenceId',
    );
    expect((await sell({ referenceId: 'ref_mine' })).referenceId).toBe('ref_mine');
  });

  it('may be used again, and replays nothing', async () => {
    const first = await sell({ referenceId: 'twice' });
    const second = await sell({ referenceId: 'twice' });
    expect(second.id).not.toBe(first.id);
  });

  it('that fits several originals: 400, 2000, field originalReferenceId', async () => {
    await sell({ referenceId: 'both' });
    await sell({ referenceId: 'both' });
    const reply = await api.operation('refund', { originalReferenceId: 'both' });
    expect(refusal(reply)).toBe('400 2000 Rejected originalReferenceId');
    expect(envelopeOf(reply).message).toContain('originalTransactionId');
  });

  it('of a declined try does not spoil that of its retry', async () => {
    await sell({ referenceId: 'retried', amount: 900_051 });
    const sale = await sell({ referenceId: 'retried' });
    const refund = await api.transaction('refund', { originalReferenceId: 'retried' });
    expect(refund.originalTransactionId).toBe(sale.id);
  });

  it('means the authorization to a capture, and its capture to a refund', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000, referenceId: 'order-9' });
    const capture = await api.transaction('capture', {
      originalReferenceId: 'order-9',
      referenceId: 'order-9',
    });
    expect(capture.originalTransactionId).toBe(auth.id);
    const refund = await api.transaction('refund', { originalReferenceId: 'order-9' });
    expect(refund.originalTransactionId).toBe(capture.id);
  });
});

describe('An amount that does not fit', () => {
  it('is above the open authorization: 2012', async () => {
    const auth = await authorize();
    expect(await refused('capture', { originalTransactionId: auth.id, amount: 1_001 })).toBe(
      '400 2012 Rejected amount',
    );
  });

  it('is above what is left of a capture: 2012', async () => {
    const sale = await sell();
    expect(await refused('refund', { originalTransactionId: sale.id, amount: 1_001 })).toBe(
      '400 2012 Rejected amount',
    );
  });

  it('is left out after a part was captured, or given back: 2012', async () => {
    const auth = await authorize();
    await api.transaction('capture', { originalTransactionId: auth.id, amount: 400 });
    expect(await refused('capture', { originalTransactionId: auth.id })).toBe('400 2012 Rejected amount');
    const sale = await sell();
    await api.transaction('refund', { originalTransactionId: sale.id, amount: 400 });
    expect(await refused('refund', { originalTransactionId: sale.id })).toBe('400 2012 Rejected amount');
    expect(await refused('void', { originalTransactionId: sale.id })).toBe('400 2012 Rejected amount');
  });

  it('is left out where nothing is left: 2012, without a word of naming one', async () => {
    const auth = await authorize();
    await api.transaction('capture', { originalTransactionId: auth.id });
    const reply = await api.operation('capture', { originalTransactionId: auth.id });
    expect(refusal(reply)).toBe('400 2012 Rejected amount');
    expect(envelopeOf(reply).message).toBe('All was captured already.');
  });

  it('is not the sum of the parts of a capture that names none: 2012, field amountBreakdown', async () => {
    const auth = await authorize();
    const body = { originalTransactionId: auth.id, amountBreakdown: { tip: 999 } };
    expect(await refused('capture', body)).toBe('400 2012 Rejected amountBreakdown');
  });

  it('fits only if what is held comes back: 409, 3401', async () => {
    const sale = await sell({ amount: 1_000_000 });
    await api.operation('refund', { originalTransactionId: sale.id, amount: 920_001 });
    const refund = (amount?: number) => refused('refund', { originalTransactionId: sale.id, amount });
    expect(await refund(500_000)).toBe('409 3401 Rejected amount');
    expect(await refund()).toBe('409 3401 Rejected');
    expect(await refund(1_000_001)).toBe('400 2012 Rejected amount');
  });
});

describe('An unreferenced refund', () => {
  it('is approved where the merchant may', async () => {
    const refund = await api.transaction('unreferenced-physical-refund', { amount: 700 });
    expect(refund).toMatchObject({ type: 'UnreferencedRefund', status: 'Completed', amount: 700 });
    expect(refund.executedAs).toBeUndefined();
  });

  it('is 400, 2013 where it is switched off', async () => {
    expect(await refused('unreferenced-physical-refund', { amount: 1 }, other.key)).toBe('400 2013 Rejected');
  });

  it('is 400, 2013 above the daily limit, which declines do not use up', async () => {
    const shop = await api.otherMerchant({ unreferencedRefunds: { enabled: true, dailyLimit: 1_000_000 } });
    const refund = (amount: number) =>
      api.operation('unreferenced-physical-refund', { amount }, { key: shop.key });
    expect((await refund(900_051)).status).toBe(200);
    expect((await refund(999_999)).status).toBe(200);
    expect(refusal(await refund(2))).toBe('400 2013 Rejected amount');
    expect((await refund(1)).status).toBe(200);
  });
});

describe('Which answer wins', () => {
  it('2900, then wrong fields, then what is not there, then types, then states, then amounts', async () => {
    const path = '/v1/transactions/capture';
    const sale = await sell();
    const declined = await api.transaction('physical-auth', { amount: 900_051 });
    const at = async (body: unknown) => envelopeOf(await api.call('POST', path, { body })).code;
    expect(await at('[')).toBe(2900);
    expect(await at({ originalTransactionId: 'nobody', amount: 0 })).toBe(2012);
    expect(await at({ originalTransactionId: 'nobody', amount: 999_999_999 })).toBe(4000);
    expect(await at({ originalTransactionId: sale.id, amount: 999_999_999 })).toBe(2011);
    expect(await at({ originalTransactionId: declined.id, amount: 999_999_999 })).toBe(2011);
  });

  it('21 wins over the amount, and the type over 21', async () => {
    const sale = await sell();
    await api.transaction('void', { originalTransactionId: sale.id });
    const again = await api.transaction('void', { originalTransactionId: sale.id, amount: 999_999_999 });
    expect(again.transactionResponses[0]?.responseCode).toBe(21);
    expect(await refused('capture', { originalTransactionId: sale.id })).toBe(
      '400 2011 Rejected originalTransactionId',
    );
  });

  it('a refusal stores nothing', async () => {
    const sale = await sell();
    await refused('refund', { originalTransactionId: sale.id, amount: 1_001 });
    const events = JSON.parse((await api.get(`/v1/transactions/${sale.id}/events`)).text) as {
      data: unknown[];
    };
    expect(events.data).toHaveLength(4);
  });
});
