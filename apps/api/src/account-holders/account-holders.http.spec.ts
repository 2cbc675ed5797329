import type { AccountHolder } from '@tillstream/contracts';
import {
  refusal,
  resultOf,
  startTestApi,
  type Call,
  type OtherMerchant,
  type Reply,
  type TestApi,
} from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
});
afterAll(() => api.stop());

const PATH = '/v1/account-holders';
const at = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
const create = (body: unknown, call: Call = {}) => api.call('POST', PATH, { body, ...call });
const holderOf = (reply: Reply): AccountHolder => {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text) as AccountHolder;
};
const made = async (body: unknown = {}, call: Call = {}) => holderOf(await create(body, call));
const unknown = `acc_01J${'0'.repeat(23)}`;
const billingContact = {
  name: 'Ann Smith',
  countryCode: 'CA',
  zipCode: 'k1a 0b1',
  address: '1 Main St',
  state: 'ON',
  city: 'Ottawa',
  address2: 'Floor 2',
};
const everything = {
  externalId: 'customer-1',
  name: 'Ann Smith',
  email: 'ann@example.com',
  phone: '+1 613 555 0100',
  billingContact,
};

describe('An account holder', () => {
  it('has what it was given, an id and its times, and is looked up with the same bytes', async () => {
    const reply = await create(everything);
    const holder = holderOf(reply);
    expect(holder).toEqual({
      id: expect.stringMatching(/^acc_[0-9A-Z]{26}$/) as string,
      ...everything,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      updatedAt: holder.createdAt,
    });
    expect((await api.get(at(holder.id))).text).toBe(reply.text);
    expect((await api.get(at('customer-1'))).text).toBe(reply.text);
    const { data } = await api.list<AccountHolder>(`${PATH}?externalId=customer-1`);
    expect(JSON.stringify(data[0])).toBe(reply.text);
  });

  it('may be of nothing: an empty body is {}', async () => {
    const holder = holderOf(await api.call('POST', PATH));
    expect(Object.keys(holder)).toEqual(['id', 'createdAt', 'updatedAt']);
    expect((await made()).id).not.toBe(holder.id);
  });

  it.each(['a/b', 'a b+c', 'ünï/№ 7', '100%', 'c?x=1#y', 'ann@example.com', '€'.repeat(100)])(
    'is found by any external id, URL-encoded: %s',
    async (externalId) => {
      const { id } = await made({ externalId });
      expect(holderOf(await api.get(at(externalId)))).toMatchObject({ id, externalId });
      expect(holderOf(await api.call('PUT', at(externalId), { body: { name: 'x' } })).id).toBe(id);
      expect(holderOf(await api.call('DELETE', at(externalId))).id).toBe(id);
    },
  );

  it('has an external id that no other has: 400, 2100', async () => {
    await made({ externalId: 'taken' });
    expect(refusal(await create({ externalId: 'taken' }))).toBe('400 2100 Rejected externalId');
    const second = await made();
    const reply = await api.call('PUT', at(second.id), { body: { externalId: 'taken' } });
    expect(refusal(reply)).toBe('400 2100 Rejected externalId');
    expect((await made({ externalId: 'taken' }, { key: other.key })).externalId).toBe('taken');
  });

  it('is made once however often its external id is asked for at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ externalId: 'at-once' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await api.list(`${PATH}?externalId=at-once`)).data).toHaveLength(1);
  });

  it('of another merchant, or unknown: 404, 4003', async () => {
    const theirs = await made({ externalId: 'theirs' }, { key: other.key });
    for (const id of [unknown, theirs.id, 'theirs', 'nobody', 'x'.repeat(300), 'trx_1', ' ', 'a\u0000b']) {
      expect(refusal(await api.get(at(id)))).toBe('404 4003 Rejected');
      expect(refusal(await api.call('PUT', at(id), { body: { name: 'x' } }))).toBe('404 4003 Rejected');
      expect(refusal(await api.call('DELETE', at(id)))).toBe('404 4003 Rejected');
      expect(refusal(await api.get(`/v1/payment-methods/account-holder/${encodeURIComponent(id)}`))).toBe(
        '404 4003 Rejected',
      );
    }
  });

  it.each([
    [{ externalId: unknown }, '2100 Rejected externalId'],
    [{ externalId: 'x'.repeat(101) }, '2100 Rejected externalId'],
    [{ name: 'x'.repeat(101) }, '2100 Rejected name'],
    [{ phone: 'x'.repeat(41) }, '2100 Rejected phone'],
    [{ email: 'nobody' }, '2105 Rejected email'],
    [{ billingContact: { countryCode: 'UK', zipCode: '1' } }, '2101 Rejected billingContact.countryCode'],
    [{ billingContact: { countryCode: 'US', zipCode: '1' } }, '2102 Rejected billingContact.zipCode'],
    [{ billingContact: { countryCode: 'US' } }, '2103 Rejected billingContact.zipCode'],
    [{ billingContact: { zipCode: '12345' } }, '2103 Rejected billingContact.countryCode'],
    [{ billingContact: { street: 'x' } }, '2100 Rejected billingContact.street'],
    [{ email: 'nobody', phone: '' }, '2000 Rejected email phone'],
    [{ id: unknown }, '2000 Rejected id'],
  ])('is not made or changed with %j: 400, %s', async (body, answer) => {
    expect(refusal(await create(body))).toBe(`400 ${answer}`);
    expect(refusal(await api.call('PUT', at(unknown), { body }))).toBe(`400 ${answer}`);
  });

  it('is nothing that a read-only key can write', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    const { id } = await made({ externalId: 'to-read' }, { key: other.key });
    expect(refusal(await create({}, { key }))).toBe('401 1001 Rejected');
    expect(refusal(await api.call('PUT', at(id), { body: {}, key }))).toBe('401 1001 Rejected');
    expect(refusal(await api.call('DELETE', at(id), { key }))).toBe('401 1001 Rejected');
    expect(holderOf(await api.get(at(id), { key })).id).toBe(id);
  });
});

describe('A change of an account holder', () => {
  it('changes what it names and leaves the rest', async () => {
    const before = await made({ ...everything, externalId: 'to-change' });
    const reply = await api.call('PUT', at(before.id), { body: { name: 'Ann Jones', phone: null } });
    const after = holderOf(reply);
    expect(after).toEqual({ ...before, name: 'Ann Jones', updatedAt: after.updatedAt });
    expect(after.updatedAt >= before.updatedAt).toBe(true);
    expect((await api.get(at(before.id))).text).toBe(reply.text);
    expect(JSON.stringify((await api.list(`${PATH}?externalId=to-change`)).data[0])).toBe(reply.text);
  });

  it('gives it another external id, and frees the one before', async () => {
    const { id } = await made({ externalId: 'maiden' });
    await api.call('PUT', at('maiden'), { body: { externalId: 'married' } });
    expect(holderOf(await api.get(at('married'))).id).toBe(id);
    expect(refusal(await api.get(at('maiden')))).toBe('404 4003 Rejected');
    expect((await made({ externalId: 'maiden' })).id).not.toBe(id);
  });

  it('names at least one field: 2000, field body; an empty body is 2900', async () => {
    const { id } = await made();
    expect(refusal(await api.call('PUT', at(id), { body: {} }))).toBe('400 2000 Rejected body');
    expect(refusal(await api.call('PUT', at(id)))).toBe('400 2900 Rejected body');
  });
});

describe('An erasure', () => {
  it('responds with the erased data once; then the holder is not found', async () => {
    const before = await made({ ...everything, externalId: 'forget-me' });
    const erased = holderOf(await api.call('DELETE', at(before.id)));
    expect(erased).toMatchObject({ ...everything, externalId: 'forget-me', id: before.id });
    expect(refusal(await api.call('DELETE', at(before.id)))).toBe('404 4003 Rejected');
    expect(refusal(await api.get(at(before.id)))).toBe('404 4003 Rejected');
    expect(refusal(await api.get(at('forget-me')))).toBe('404 4003 Rejected');
    expect((await api.list(`${PATH}?externalId=forget-me`)).data).toEqual([]);
    expect((await made({ externalId: 'forget-me' })).id).not.toBe(before.id);
  });

  it('removes the tokens: payments with them show it, and can still be refunded', async () => {
    const accountHolder = { externalId: 'payer' };
    const tokens = [await api.token({ accountHolder }), await api.token({ accountHolder })];
    const [first = '', second = ''] = tokens;
    const sale = await api.transaction('token-sale', { amount: 500, paymentMethodId: first });
    const holder = holderOf(await api.call('DELETE', at('payer')));
    for (const paymentMethodId of tokens) {
      const reply = await api.operation('token-sale', { amount: 1, paymentMethodId });
      expect(refusal(reply)).toBe('404 4001 Rejected paymentMethodId');
    }
    const look = await api.look(sale.id);
    expect(look).toMatchObject({
      accountHolderId: holder.id,
      paymentMethod: { dateDeleted: expect.any(String) as string },
    });
    expect((await api.list(`/v1/transactions?id=${sale.id}`)).data).toEqual([look]);
    expect(refusal(await api.remove(second))).toBe('404 4001 Rejected');
    expect(resultOf(await api.operation('refund', { originalTransactionId: sale.id })).status).toBe(
      'Completed',
    );
    const gone = { accountHolder: { id: holder.id } };
    expect(refusal(await api.store(gone))).toBe('404 4003 Rejected accountHolder.id');
  });

  it('has no body but {}', async () => {
    const { id } = await made();
    expect(refusal(await api.call('DELETE', at(id), { body: { reason: 'x' } }))).toBe(
      '400 2000 Rejected reason',
    );
    expect(holderOf(await api.call('DELETE', at(id), { body: {} })).id).toBe(id);
  });
});
