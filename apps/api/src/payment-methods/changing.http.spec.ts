import { refusal, resultOf, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
});
afterAll(() => api.stop());

const unknown = `pmt_tkn_01J${'0'.repeat(21)}T00`;
const listed = async (id: string) => JSON.stringify((await api.list(`/v1/transactions?id=${id}`)).data[0]);

/** MMYY of so many months from now. */
function expiryIn(months: number): string {
  const now = new Date();
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return date.toISOString().slice(5, 7) + date.toISOString().slice(2, 4);
}

describe('A change of a stored card', () => {
  it('is an operation of its own, with the token as it is now', async () => {
    const id = await api.token({ description: 'Old' });
    const reply = await api.change(id, { description: 'New', cardExpDate: '0131', referenceId: 'change-1' });
    const result = resultOf(reply);
    expect(result).toEqual({
      id: expect.stringMatching(/^trx_[0-9A-Z]{23}T01$/) as string,
      referenceId: 'change-1',
      type: 'TokenUpdate',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String) as string,
      currency: 'USD',
      transactionResponses: [],
      paymentMethod: {
        id,
        type: 'Token',
        currency: 'USD',
        description: 'New',
        cardType: 'VISA',
        maskedCardNumber: expect.any(String) as string,
        cardExpDate: '0131',
        accountType: 'Credit',
      },
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect((await api.get(`/v1/transactions/${result.id}`)).text).toBe(reply.text);
    expect(await listed(result.id)).toBe(reply.text);
  });

  it('leaves what was shown before as it was', async () => {
    const created = resultOf(await api.store({ description: 'Old' }));
    await api.change(created.paymentMethod.id, { description: 'New', cardExpDate: '0131' });
    expect(await api.look(created.id)).toEqual(created);
    expect(await listed(created.id)).toBe(JSON.stringify(created));
  });

  it('gives it a holder, or another one', async () => {
    const created = resultOf(await api.store());
    const first = resultOf(
      await api.change(created.paymentMethod.id, { accountHolder: { externalId: 'first' } }),
    );
    expect(created).not.toHaveProperty('accountHolderId');
    expect(first.accountHolderId).toMatch(/^acc_/);
    const second = resultOf(
      await api.change(created.paymentMethod.id, { accountHolder: { externalId: 'second' } }),
    );
    expect(second.accountHolderId).not.toBe(first.accountHolderId);
  });

  it('takes a billing contact, which is never shown of a card from a terminal', async () => {
    const id = await api.token();
    const reply = await api.change(id, {
      billingContact: { name: 'Ann', countryCode: 'US', zipCode: '12345' },
    });
    expect(resultOf(reply).paymentMethod).not.toHaveProperty('billingContact');
    const { id: operation } = resultOf(reply);
    expect((await api.get(`/v1/transactions/${operation}`)).text).toBe(reply.text);
    expect(await listed(operation)).toBe(reply.text);
  });

  it('may be of nothing but a reference', async () => {
    const reply = await api.change(await api.token(), { referenceId: 'only' });
    expect(resultOf(reply).referenceId).toBe('only');
  });

  it('names at least one field: 2000, field body; an empty body is 2900', async () => {
    const id = await api.token();
    expect(refusal(await api.change(id, {}))).toBe('400 2000 Rejected body');
    expect(refusal(await api.change(id, { description: null }))).toBe('400 2000 Rejected body');
    expect(refusal(await api.change(id, { x: 1 }))).toBe('400 2000 Rejected x');
    expect(refusal(await api.change(id, ''))).toBe('400 2900 Rejected body');
  });

  it.each([
    [{ description: 'a'.repeat(101) }, '2000 Rejected description'],
    [{ referenceId: 'a'.repeat(101) }, '2000 Rejected referenceId'],
    [{ cardExpDate: '1330' }, '2000 Rejected cardExpDate'],
    [{ cardExpDate: 1230 }, '2000 Rejected cardExpDate'],
    [{ billingContact: { countryCode: 'ZZ', zipCode: '1' } }, '2101 Rejected billingContact.countryCode'],
    [{ billingContact: { countryCode: 'US', zipCode: '1' } }, '2102 Rejected billingContact.zipCode'],
    [{ billingContact: { countryCode: 'US' } }, '2103 Rejected billingContact.zipCode'],
    [{ billingContact: { city: 'a'.repeat(101) } }, '2000 Rejected billingContact.city'],
    [{ accountHolder: { externalId: 'a', email: 'x' } }, '2105 Rejected accountHolder.email'],
    [{ paymentMethodId: 'x' }, '2000 Rejected paymentMethodId'],
    [{ maskedCardNumber: '4242' }, '2000 Rejected maskedCardNumber'],
  ])('to %j: 400, %s', async (body, answer) => {
    expect(refusal(await api.change(unknown, body))).toBe(`400 ${answer}`);
  });

  it('has an expiry that is not past: the month that now is counts to its end', async () => {
    const id = await api.token();
    for (const months of [0, 1, 12]) {
      const cardExpDate = expiryIn(months);
      expect(resultOf(await api.change(id, { cardExpDate })).paymentMethod.cardExpDate).toBe(cardExpDate);
    }
    for (const months of [-1, -12])
      expect(refusal(await api.change(id, { cardExpDate: expiryIn(months) }))).toBe(
        '400 2000 Rejected cardExpDate',
      );
  });

  it('of a token that is unknown, removed, another merchant’s or none: 404, 4001', async () => {
    const removed = await api.token();
    await api.remove(removed);
    const theirs = await api.token({}, { key: other.key });
    const terminal = api.method('Front counter').id;
    for (const id of [unknown, removed, theirs, terminal, 'x', encodeURIComponent('a/b c')]) {
      expect(refusal(await api.change(id, { description: 'x' }))).toBe('404 4001 Rejected');
    }
  });

  it('to a holder that is unknown: 404, 4003, after the token', async () => {
    const accountHolder = { id: `acc_01J${'0'.repeat(23)}` };
    expect(refusal(await api.change(await api.token(), { accountHolder }))).toBe(
      '404 4003 Rejected accountHolder.id',
    );
    expect(refusal(await api.change(unknown, { accountHolder }))).toBe('404 4001 Rejected');
  });

  it('is not for a key that may only read', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect(refusal(await api.change(unknown, {}, { key }))).toBe('401 1001 Rejected');
    expect(refusal(await api.remove(unknown, { key }))).toBe('401 1001 Rejected');
  });
});

describe('A removal of a stored card', () => {
  it('answers the token without number and expiry, and when', async () => {
    const id = await api.token({ description: 'Gone', accountHolder: { externalId: 'gone' } });
    const reply = await api.remove(id);
    const result = resultOf(reply);
    expect(result).toEqual({
      id: expect.stringMatching(/^trx_/) as string,
      referenceId: expect.stringMatching(/^ref_/) as string,
      type: 'TokenRemove',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String) as string,
      currency: 'USD',
      transactionResponses: [],
      paymentMethod: {
        id,
        type: 'Token',
        currency: 'USD',
        description: 'Gone',
        dateDeleted: result.createdAt,
        cardType: 'VISA',
        accountType: 'Credit',
      },
      accountHolderId: expect.stringMatching(/^acc_/) as string,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect((await api.get(`/v1/transactions/${result.id}`)).text).toBe(reply.text);
    expect(await listed(result.id)).toBe(reply.text);
  });

  it('shows on every operation of the token, in a look and in the list', async () => {
    const created = resultOf(await api.store());
    const { id } = created.paymentMethod;
    const changed = resultOf(await api.change(id, { description: 'x' }));
    const removed = resultOf(await api.remove(id));
    for (const operation of [created, changed]) {
      const look = await api.look(operation.id);
      expect(look.paymentMethod).toMatchObject({ id, dateDeleted: removed.createdAt });
      expect(JSON.stringify(look)).not.toMatch(/cardExpDate|maskedCardNumber/);
      expect(await listed(operation.id)).toBe(JSON.stringify(look));
    }
  });

  it('a second time, or of what was never there: 404, 4001', async () => {
    const id = await api.token();
    await api.remove(id);
    expect(refusal(await api.remove(id))).toBe('404 4001 Rejected');
    expect(refusal(await api.remove(unknown))).toBe('404 4001 Rejected');
    expect(refusal(await api.remove(await api.token({}, { key: other.key })))).toBe('404 4001 Rejected');
  });

  it('has no body: nothing and {} are one, anything else is refused', async () => {
    expect((await api.remove(await api.token(), { body: '{}' })).status).toBe(200);
    const id = await api.token();
    expect(refusal(await api.remove(id, { body: { referenceId: 'x' } }))).toBe(
      '400 2000 Rejected referenceId',
    );
    expect(refusal(await api.remove(id, { body: '[]' }))).toBe('400 2900 Rejected body');
    expect(refusal(await api.call('DELETE', `/v1/payment-methods/token/${id}?x=1`))).toBe(
      '400 2000 Rejected x',
    );
    expect((await api.remove(id)).status).toBe(200);
  });
});
