import type { PaymentMethodDetails } from '@tillstream/contracts';
import { refusal, resultOf, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
/** In the order of their making: VISA, MASTERCARD and a debit VISA in USD, VISA in CAD, and one that was removed. */
let tokens: readonly string[];
beforeAll(async () => {
  api = await startTestApi();
  const counter = api.method('Front counter').id;
  const made: string[] = [];
  for (const card of [null, '5555555555554444', '4000056655665556']) {
    await api.setTerminal(counter, { card });
    made.push(await api.token({ accountHolder: { externalId: 'ann/1' }, description: `No. ${made.length}` }));
  }
  await api.setTerminal(counter, { card: null });
  const ann = { externalId: 'ann/1' };
  made.push(await api.token({ accountHolder: ann, paymentMethodId: api.method('Mobile').id }));
  made.push(await api.token({ accountHolder: ann }));
  tokens = made;
  await api.remove(made[4] ?? '');
  await api.token({ accountHolder: { externalId: 'bob' } });
  await api.token();
});
afterAll(() => api.stop());

const path = (query = '', id = 'ann/1') =>
  `/v1/payment-methods/account-holder/${encodeURIComponent(id)}${query}`;
const list = (query = '', id?: string) => api.list<PaymentMethodDetails>(path(query, id));
/** Places in `tokens`. */
const found = async (query = '', id?: string) =>
  (await list(query, id)).data.map((one) => tokens.indexOf(one.id));

describe('The payment methods of an account holder', () => {
  it('are the tokens, the newest first, without those that were removed', async () => {
    expect(await found()).toEqual([3, 2, 1, 0]);
    expect(await list()).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('have what the token has, and nothing is null', async () => {
    const { data } = await list('?sort=createdAt&limit=1');
    expect(data).toEqual([
      {
        id: tokens[0],
        type: 'Token',
        currency: 'USD',
        description: 'No. 0',
        cardType: 'VISA',
        maskedCardNumber: expect.stringMatching(/^\*+4242$/) as string,
        cardExpDate: '1234',
        accountType: 'Credit',
      },
    ]);
  });

  it('have what was changed a moment ago', async () => {
    const { paymentMethod } = resultOf(
      await api.change(tokens[1] ?? '', { description: 'Changed', cardExpDate: '0145' }),
    );
    const { data } = await list('?cardType=MASTERCARD');
    expect(data).toEqual([paymentMethod]);
    expect(data[0]).toMatchObject({ description: 'Changed', cardExpDate: '0145' });
  });

  it('are filtered; several values mean any', async () => {
    expect(await found('?cardType=MASTERCARD')).toEqual([1]);
    expect(await found('?accountType=Debit')).toEqual([2]);
    expect(await found('?accountType=Debit&accountType=Credit&cardType=VISA')).toEqual([3, 2, 0]);
    expect(await found('?type=Token')).toEqual([3, 2, 1, 0]);
    expect(await found('?type=Physical&type=Virtual')).toEqual([]);
  });

  it('are filtered by when they were made: from then, until before then', async () => {
    const made = (index: number) => `referenceId=${tokens[index]?.replace('pmt_tkn_', 'ref_') ?? ''}`;
    const at = async (index: number) =>
      (await api.list(`/v1/transactions?${made(index)}`)).data[0]?.updatedAt ?? '';
    expect(await found(`?createdFrom=${await at(2)}`)).toEqual([3, 2]);
    expect(await found(`?createdTo=${await at(2)}`)).toEqual([1, 0]);
    expect(await found(`?createdFrom=${await at(1)}&createdTo=${await at(3)}`)).toEqual([2, 1]);
  });

  it('are with the removed ones where that is asked for: they say when, and nothing of the card', async () => {
    expect(await found('?includeDeleted=true')).toEqual([4, 3, 2, 1, 0]);
    expect(await found('?includeDeleted=false')).toEqual([3, 2, 1, 0]);
    const { data } = await list('?includeDeleted=true&limit=1');
    expect(data).toEqual([
      {
        id: tokens[4],
        type: 'Token',
        currency: 'USD',
        dateDeleted: expect.stringMatching(/Z$/) as string,
        cardType: 'VISA',
        accountType: 'Credit',
      },
    ]);
  });

  it('come in pages, either way, with a total', async () => {
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?sort=createdAt&limit=3&includeTotal=true${cursor}`);
      expect(page.total).toBe(4);
      seen.push(...page.data.map(({ id }) => tokens.indexOf(id)));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it('are found by the acc_ id of the holder and by the merchant’s id; an unknown holder is 404, 4003', async () => {
    const reply = await api.get('/v1/account-holders/ann%2F1');
    const { id } = JSON.parse(reply.text) as { id: string };
    expect(await found('', id)).toEqual([3, 2, 1, 0]);
    expect(refusal(await api.get(path('', 'nobody')))).toBe('404 4003 Rejected');
  });

  it('are none where the holder has none', async () => {
    await api.call('POST', '/v1/account-holders', { body: { externalId: 'new' } });
    expect((await list('', 'new')).data).toEqual([]);
  });

  it('go with a token that gets another holder', async () => {
    const token = await api.token({ accountHolder: { externalId: 'from' } });
    await api.change(token, { accountHolder: { externalId: 'to' } });
    expect((await list('', 'from')).data).toEqual([]);
    expect((await list('', 'to')).data).toMatchObject([{ id: token }]);
  });

  it.each([
    ['type=token', 'type'],
    ['cardType=Visa', 'cardType'],
    ['accountType=credit', 'accountType'],
    ['createdFrom=2026', 'createdFrom'],
    ['includeDeleted=1', 'includeDeleted'],
    ['includeDeleted=true&includeDeleted=true', 'includeDeleted'],
    ['sort=amount', 'sort'],
    ['currency=USD', 'currency'],
    ['limit=0', 'limit'],
  ])('refuse ?%s: 2000', async (query, field) => {
    expect(refusal(await api.get(path(`?${query}`)))).toBe(`400 2000 Rejected ${field}`);
  });

  it('refuse a cursor of another holder, other filters or another sort', async () => {
    const { nextCursor } = await list('?limit=1');
    for (const other of [
      path(`?cursor=${nextCursor}`, 'bob'),
      path(`?cursor=${nextCursor}&includeDeleted=true`),
      path(`?cursor=${nextCursor}&sort=createdAt`),
    ]) {
      expect(refusal(await api.get(other))).toBe('400 2000 Rejected cursor');
    }
  });
});
