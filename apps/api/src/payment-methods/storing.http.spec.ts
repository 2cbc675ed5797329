import type { AccountHolder } from '@tillstream/contracts';
import {
  envelopeOf,
  refusal,
  resultOf,
  startTestApi,
  type OtherMerchant,
  type TestApi,
} from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
let terminal: string;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
  terminal = api.method('Front counter').id;
});
afterEach(() => api.setTerminal(terminal, { mode: 'Auto', card: null }));
afterAll(() => api.stop());

const refused = async (body: unknown, key?: string) =>
  refusal(await api.store(body, key === undefined ? {} : { key }));
const listed = async (id: string) => JSON.stringify((await api.list(`/v1/transactions?id=${id}`)).data[0]);
const unknownHolder = `acc_01J${'0'.repeat(23)}`;

describe('A card stored at a terminal', () => {
  it('is a token with all its fields, and no field is null', async () => {
    const result = resultOf(await api.store({ description: 'Blue card', referenceId: 'wallet-1' }));
    const shown = {
      id: expect.stringMatching(/^pmt_tkn_[0-9A-Z]{26}$/) as string,
      type: 'Token',
      currency: 'USD',
      description: 'Blue card',
      cardType: 'VISA',
      maskedCardNumber: expect.stringMatching(/^\*+4242$/) as string,
      cardExpDate: '1234',
      accountType: 'Credit',
    };
    expect(result).toEqual({
      id: expect.stringMatching(/^trx_[0-9A-Z]{23}T00$/) as string,
      referenceId: 'wallet-1',
      type: 'TokenCreate',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String) as string,
      currency: 'USD',
      transactionResponses: [
        {
          responseCode: 1,
          amountApproved: 0,
          authCode: expect.any(String) as string,
          hostResponseText: expect.any(String) as string,
          paymentMethod: shown,
          cardType: 'VISA',
          accountType: 'Credit',
          receipt: { lines: expect.any(Array) as string[] },
        },
      ],
      paymentMethod: shown,
      gatewayTransactionId: expect.any(String) as string,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect(JSON.stringify(result)).not.toContain('null');
  });

  it('has the same bytes in its answer, a look and the list', async () => {
    const { text } = await api.store({ accountHolder: { externalId: 'same-bytes' } });
    const { id } = JSON.parse(text) as { id: string };
    expect((await api.get(`/v1/transactions/${id}`)).text).toBe(text);
    expect(await listed(id)).toBe(text);
  });

  it('needs no body: an empty one is {}', async () => {
    const reply = await api.call('POST', '/v1/payment-methods/physical');
    expect(resultOf(reply).type).toBe('TokenCreate');
  });

  it('has a history of its own', async () => {
    const { id, paymentMethod } = resultOf(await api.store());
    const { data } = await api.list<{ type: string; data: object }>(`/v1/transactions/${id}/events`);
    expect(data.map(({ type }) => type)).toEqual(['TokenRequested', 'VerificationRequested', 'TokenCreated']);
    expect(data[0]?.data).toMatchObject({ transactionId: id, paymentMethodId: paymentMethod.id });
  });

  it('has a history and a look for its merchant only', async () => {
    const { id } = resultOf(await api.store());
    for (const path of [`/v1/transactions/${id}`, `/v1/transactions/${id}/events`]) {
      expect(refusal(await api.get(path, { key: other.key }))).toBe('404 4000 Rejected');
    }
  });

  it.each([
    ['4000000000000002', 10],
    ['4000000000009995', 11],
    ['4000000000000069', 12],
  ])('%s is declined: no token comes of it', async (card, responseCode) => {
    await api.setTerminal(terminal, { card });
    const { text } = await api.store();
    const result = JSON.parse(text) as ReturnType<typeof resultOf>;
    expect(result).toMatchObject({ status: 'Completed', resultCode: 0, type: 'TokenCreate' });
    expect(result.transactionResponses).toMatchObject([{ responseCode, amountApproved: 0 }]);
    expect(result.paymentMethod).toMatchObject({ id: terminal, type: 'Physical' });
    expect(text).not.toContain('pmt_tkn_');
    expect((await api.get(`/v1/transactions/${result.id}`)).text).toBe(text);
    expect(await listed(result.id)).toBe(text);
  });

  it('at a terminal that is away: cancelled with its result code', async () => {
    await api.setTerminal(terminal, { mode: 'LowBattery' });
    const result = resultOf(await api.store());
    expect(result).toMatchObject({ status: 'Cancelled', resultCode: 3006 });
    expect(result.transactionResponses).toMatchObject([{ responseCode: 51 }]);
    expect(await api.look(result.id)).toEqual(result);
  });
});

describe('A card whose check has no outcome yet', () => {
  it('is 500, Interrupted, and no token until it has one: 409, 3400', async () => {
    await api.setTerminal(terminal, { mode: 'LostLink' });
    const reply = await api.store({ referenceId: 'lost-card' });
    expect(refusal(reply)).toBe('500 3000 Interrupted');
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    const look = await api.look(id);
    expect(look).toMatchObject({ type: 'TokenCreate', status: 'Interrupted', resultCode: 9999 });
    expect(await listed(id)).toBe(JSON.stringify(look));

    const token = id.replace('trx_', 'pmt_tkn_');
    const unfinished = '409 3400 Rejected';
    const named = `${unfinished} paymentMethodId`;
    for (const name of ['token-sale', 'token-auth']) {
      expect(refusal(await api.operation(name, { amount: 1, paymentMethodId: token }))).toBe(named);
    }
    expect(refusal(await api.change(token, { description: 'x' }))).toBe(unfinished);
    expect(refusal(await api.remove(token))).toBe(unfinished);

    await api.setTerminal(terminal, { mode: 'Auto' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 60 } });
    const found = await api.look(id);
    expect(found).toMatchObject({ status: 'Completed', paymentMethod: { id: token, cardExpDate: '1234' } });
    expect(await listed(id)).toBe(JSON.stringify(found));
    expect((await api.remove(token)).status).toBe(200);
  });
});

describe('The terminal that stores a card', () => {
  it('is the default where none is named', async () => {
    const { data } = await api.list<{ data: object }>(
      `/v1/transactions/${resultOf(await api.store()).id}/events`,
    );
    expect(data[0]?.data).toMatchObject({ paymentMethod: { id: terminal } });
  });

  it('gives the token its currency', async () => {
    const result = resultOf(await api.store({ paymentMethodId: api.method('Mobile').id }));
    expect(result).toMatchObject({ currency: 'CAD', paymentMethod: { type: 'Token', currency: 'CAD' } });
  });

  it('is of the merchant: else 404, 4002', async () => {
    for (const paymentMethodId of ['pmt_trm_x', other.terminal, 'p'.repeat(35)]) {
      expect(await refused({ paymentMethodId })).toBe('404 4002 Rejected paymentMethodId');
    }
  });

  it.each(['Card form', 'ACH form', 'EFT form'])('is no %s: 400, 2010', async (form) => {
    expect(await refused({ paymentMethodId: api.method(form).id })).toBe('400 2010 Rejected paymentMethodId');
  });
});

describe('The account holder of a stored card', () => {
  it('is found or made by the external id, and what is sent for one that exists is ignored', async () => {
    const accountHolder = { externalId: 'ann/1', name: 'Ann', email: 'ann@example.com' };
    const first = resultOf(await api.store({ accountHolder }));
    const second = resultOf(await api.store({ accountHolder: { externalId: 'ann/1', name: 'Bob' } }));
    expect(first.accountHolderId).toMatch(/^acc_[0-9A-Z]{26}$/);
    expect(second.accountHolderId).toBe(first.accountHolderId);
    const reply = await api.get(`/v1/account-holders/${encodeURIComponent('ann/1')}`);
    expect(JSON.parse(reply.text) as AccountHolder).toMatchObject({ id: first.accountHolderId, name: 'Ann' });
  });

  it('is named by our id', async () => {
    const { accountHolderId } = resultOf(await api.store({ accountHolder: { externalId: 'by-id' } }));
    const again = resultOf(await api.store({ accountHolder: { id: accountHolderId } }));
    expect(again.accountHolderId).toBe(accountHolderId);
  });

  it('that is unknown, or another merchant’s: 404, 4003', async () => {
    const theirs = resultOf(await api.store({ accountHolder: { externalId: 'x' } }, { key: other.key }));
    for (const id of [unknownHolder, theirs.accountHolderId]) {
      expect(await refused({ accountHolder: { id } })).toBe('404 4003 Rejected accountHolder.id');
    }
  });

  it('is the merchant’s own: the same external id of another merchant is another person', async () => {
    const mine = resultOf(await api.store({ accountHolder: { externalId: 'shared' } }));
    const theirs = resultOf(await api.store({ accountHolder: { externalId: 'shared' } }, { key: other.key }));
    expect(theirs.accountHolderId).not.toBe(mine.accountHolderId);
  });

  it.each([
    [{}, '2100 Rejected accountHolder.id'],
    [{ externalId: 'a', id: unknownHolder }, '2100 Rejected accountHolder.id'],
    [{ externalId: unknownHolder }, '2100 Rejected accountHolder.externalId'],
    [{ externalId: 'a', email: 'nobody' }, '2105 Rejected accountHolder.email'],
    [
      { externalId: 'a', billingContact: { countryCode: 'XX', zipCode: '1' } },
      '2101 Rejected accountHolder.billingContact.countryCode',
    ],
    [
      { externalId: 'a', billingContact: { countryCode: 'US', zipCode: 'K1A 0B1' } },
      '2102 Rejected accountHolder.billingContact.zipCode',
    ],
    [
      { externalId: 'a', billingContact: { zipCode: '12345' } },
      '2103 Rejected accountHolder.billingContact.countryCode',
    ],
    [{ externalId: 'a', name: 'x'.repeat(101) }, '2100 Rejected accountHolder.name'],
    [{ externalId: 'a', age: 7 }, '2100 Rejected accountHolder.age'],
  ])('that is %j: 400, %s', async (accountHolder, answer) => {
    expect(await refused({ accountHolder })).toBe(`400 ${answer}`);
  });
});

describe('What wins of several refusals', () => {
  it('is the field, then the terminal, then the holder, then the type', async () => {
    const accountHolder = { id: unknownHolder };
    const form = api.method('Card form').id;
    expect(await refused({ description: '', paymentMethodId: 'pmt_trm_x', accountHolder })).toMatch(
      /^400 2000/,
    );
    expect(await refused({ paymentMethodId: 'pmt_trm_x', accountHolder })).toMatch(/^404 4002/);
    expect(await refused({ paymentMethodId: form, accountHolder })).toMatch(/^404 4003/);
    expect(await refused({ paymentMethodId: form })).toMatch(/^400 2010/);
  });

  it('is 401 for a key that may only read', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect(await refused({ description: '' }, key)).toBe('401 1001 Rejected');
  });

  it('has a message and details that never repeat a card number', async () => {
    const reply = await api.store({
      description: 7,
      accountHolder: { externalId: 'a', phone: '4242424242424242'.repeat(3) },
    });
    expect(envelopeOf(reply).errorDetails).toHaveLength(2);
    expect(reply.text).not.toContain('4242424242424242');
  });
});
