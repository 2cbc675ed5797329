import { refusal, resultOf, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
  token = await api.token({ description: 'Blue card', accountHolder: { externalId: 'payer' } });
});
afterAll(() => api.stop());

const pay = (body: object = {}) =>
  api.transaction('token-sale', { amount: 1_000, paymentMethodId: token, ...body });
const listed = async (id: string) => JSON.stringify((await api.list(`/v1/transactions?id=${id}`)).data[0]);
const looked = async (id: string) => (await api.get(`/v1/transactions/${id}`)).text;
const unknown = `pmt_tkn_01J${'0'.repeat(20)}T00`;

/** With a card that the terminal is given first. */
async function tokenOf(card: string, terminal = api.method('Front counter').id): Promise<string> {
  await api.setTerminal(terminal, { card });
  try {
    return await api.token({ paymentMethodId: terminal });
  } finally {
    await api.setTerminal(terminal, { card: null });
  }
}

describe('A sale with a token', () => {
  it('has all its fields, and no field is null', async () => {
    const amountBreakdown = { amountGoodsAndServices: 900, tip: 100 };
    const reply = await api.operation('token-sale', {
      amount: 1_000,
      paymentMethodId: token,
      amountBreakdown,
      invoiceNumber: 'I'.repeat(100),
      orderNumber: 'A7',
      referenceId: 'order-7',
    });
    const paymentMethod = {
      id: token,
      type: 'Token',
      currency: 'USD',
      description: 'Blue card',
      cardType: 'VISA',
      maskedCardNumber: expect.stringMatching(/^\*+4242$/) as string,
      cardExpDate: '1234',
      accountType: 'Credit',
    };
    expect(resultOf(reply)).toEqual({
      id: expect.stringMatching(/^trx_[0-9A-Z]{23}P00$/) as string,
      referenceId: 'order-7',
      type: 'Sale',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String) as string,
      amount: 1_000,
      currency: 'USD',
      amountBreakdown,
      invoiceNumber: 'I'.repeat(100),
      orderNumber: 'A7',
      transactionResponses: [
        {
          responseCode: 1,
          amountApproved: 1_000,
          approvedAmountBreakdown: { amountGoodsAndServices: 900, tax: 0, cashback: 0, tip: 100 },
          authCode: expect.any(String) as string,
          hostResponseText: expect.any(String) as string,
          paymentMethod,
          cardType: 'VISA',
          accountType: 'Credit',
          receipt: { lines: [] },
        },
      ],
      paymentMethod,
      accountHolderId: expect.stringMatching(/^acc_/) as string,
      gatewayTransactionId: expect.any(String) as string,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect(reply.text).not.toContain('null');
  });

  it('has the same bytes in its answer, a look and the list', async () => {
    const { text } = await api.operation('token-sale', { amount: 700, paymentMethodId: token });
    const { id } = JSON.parse(text) as { id: string };
    expect(await looked(id)).toBe(text);
    expect(await listed(id)).toBe(text);
  });

  it('may be initiated by the merchant, with a reason or without', async () => {
    expect(await pay({ initiator: 'Merchant', reason: 'Recurring' })).toMatchObject({ status: 'Completed' });
    expect(await pay({ initiator: 'Merchant' })).toMatchObject({ status: 'Completed' });
    expect(await pay({ initiator: 'Customer' })).toMatchObject({ status: 'Completed' });
  });

  it('is declined, or approved in part, like any other', async () => {
    const declined = await pay({ amount: 900_051 });
    expect(declined.transactionResponses).toMatchObject([{ responseCode: 11, amountApproved: 0 }]);
    const partly = await pay({ amount: 900_010 });
    expect(partly.transactionResponses).toMatchObject([{ responseCode: 2, amountApproved: 450_005 }]);
    for (const { id } of [declined, partly]) expect(await listed(id)).toBe(await looked(id));
  });

  it('whose outcome is unknown is 500, Interrupted, and listed at once', async () => {
    const body = { amount: 920_002, paymentMethodId: token, referenceId: 'lost-token' };
    expect(refusal(await api.operation('token-sale', body))).toBe('500 3000 Interrupted');
    const { data } = await api.list('/v1/transactions?referenceId=lost-token');
    expect(data).toMatchObject([{ status: 'Interrupted', resultCode: 9999 }]);
    expect(JSON.stringify(data[0])).toBe(await looked(data[0]?.id ?? ''));
  });

  it('is no tokenization: what made the token can not be captured, refunded or voided (2011)', async () => {
    const [made] = (await api.list<{ id: string }>('/v1/transactions?type=TokenCreate&limit=1')).data;
    for (const name of ['capture', 'refund', 'void']) {
      const reply = await api.operation(name, { originalTransactionId: made?.id });
      expect(refusal(reply)).toBe('400 2011 Rejected originalTransactionId');
    }
  });

  it('can be refunded and voided, and the follow-ups show the token', async () => {
    const sale = await pay();
    const refund = await api.transaction('refund', { originalTransactionId: sale.id, amount: 400 });
    const voided = await api.transaction('void', { originalTransactionId: sale.id, amount: 600 });
    for (const { id, paymentMethod } of [refund, voided]) {
      expect(paymentMethod).toEqual(sale.paymentMethod);
      expect(await listed(id)).toBe(await looked(id));
    }
    expect(await looked(refund.id)).toBe(JSON.stringify(refund));
  });

  it('shows the expiry that it was paid with, also after a change', async () => {
    const own = await api.token();
    const before = await pay({ paymentMethodId: own });
    await api.change(own, { cardExpDate: '0140' });
    const after = await pay({ paymentMethodId: own });
    expect(after.paymentMethod.cardExpDate).toBe('0140');
    expect(await looked(before.id)).toBe(JSON.stringify(before));
    expect(await listed(before.id)).toBe(JSON.stringify(before));
  });
});

describe('A payment with a token that is removed later', () => {
  it('shows dateDeleted in looks and lists, and can still be refunded', async () => {
    const own = await api.token();
    const sale = await pay({ paymentMethodId: own });
    const removed = resultOf(await api.remove(own));
    const { dateDeleted } = removed.paymentMethod;
    const look = await api.look(sale.id);
    for (const method of [look.paymentMethod, look.transactionResponses[0]?.paymentMethod]) {
      expect(method).toEqual({
        id: own,
        type: 'Token',
        currency: 'USD',
        dateDeleted,
        cardType: 'VISA',
        accountType: 'Credit',
      });
    }
    expect(await listed(sale.id)).toBe(JSON.stringify(look));
    const refund = await api.transaction('refund', { originalTransactionId: sale.id });
    expect(refund).toMatchObject({ type: 'Refund', status: 'Completed', paymentMethod: { dateDeleted } });
    expect(await looked(refund.id)).toBe(JSON.stringify(refund));
  });

  it('is no more: 404, 4001', async () => {
    const own = await api.token();
    await api.remove(own);
    for (const name of ['token-sale', 'token-auth']) {
      const reply = await api.operation(name, { amount: 1, paymentMethodId: own });
      expect(refusal(reply)).toBe('404 4001 Rejected paymentMethodId');
    }
  });
});

describe('An authorization with a token', () => {
  it('is captured in parts and voided', async () => {
    const auth = await api.transaction('token-auth', { amount: 1_000, paymentMethodId: token });
    expect(auth).toMatchObject({ type: 'Auth', status: 'Completed', paymentMethod: { id: token } });
    const capture = await api.transaction('capture', { originalTransactionId: auth.id, amount: 400 });
    expect(capture.paymentMethod).toEqual(auth.paymentMethod);
    const voided = await api.transaction('void', { originalTransactionId: auth.id });
    expect(voided).toMatchObject({ amount: 600, status: 'Completed' });
  });

  it('is not for an INTERAC card: 400, 2013', async () => {
    const interac = await tokenOf('4506440000000009', api.method('Mobile').id);
    const reply = await api.operation('token-auth', { amount: 1, paymentMethodId: interac });
    expect(refusal(reply)).toBe('400 2013 Rejected paymentMethodId');
  });
});

describe.each(['token-sale', 'token-auth'])('The token of a %s', (name) => {
  const refused = async (body: object, key?: string) =>
    refusal(await api.operation(name, { amount: 100, ...body }, key === undefined ? {} : { key }));

  it('is named: 2000, field paymentMethodId', async () => {
    expect(await refused({})).toBe('400 2000 Rejected paymentMethodId');
    expect(await refused({ paymentMethodId: 'p'.repeat(36) })).toBe('400 2000 Rejected paymentMethodId');
  });

  it('is known, and the merchant’s own: 404, 4001', async () => {
    for (const paymentMethodId of [unknown, 'pmt_tkn_x', 'p'.repeat(35), other.terminal]) {
      expect(await refused({ paymentMethodId })).toBe('404 4001 Rejected paymentMethodId');
    }
    expect(await refused({ paymentMethodId: token }, other.key)).toBe('404 4001 Rejected paymentMethodId');
  });

  it.each(['Front counter', 'Card form'])('is no terminal or form (%s): 400, 2010', async (method) => {
    expect(await refused({ paymentMethodId: api.method(method).id })).toBe(
      '400 2010 Rejected paymentMethodId',
    );
  });

  it('is looked for after all fields were found good', async () => {
    expect(await refused({ paymentMethodId: unknown, amount: 0 })).toBe('400 2012 Rejected amount');
    expect(await refused({ paymentMethodId: unknown, reason: 'Recurring' })).toBe('400 2000 Rejected reason');
    const amountBreakdown = { tip: 1 };
    expect(await refused({ paymentMethodId: unknown, amountBreakdown })).toBe(
      '400 2012 Rejected amountBreakdown',
    );
  });

  it('is nothing for a key that may only read', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect(await refused({ paymentMethodId: unknown }, key)).toBe('401 1001 Rejected');
  });
});
