import type { TransactionResult } from '@tillstream/contracts';
import fc from 'fast-check';
import { refusal, resultOf, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
/** All that the demo merchant did, as looks show it at the end. */
let world: readonly TransactionResult[];
beforeAll(async () => {
  // What is unknown stays unknown as long as this takes.
  api = await startTestApi({ INQUIRY_MARGIN_MS: '600000' });
  other = await api.otherMerchant();
  await api.transaction('physical-sale', { amount: 777 }, { key: other.key });
  world = await Promise.all((await history()).map((id) => api.look(id)));
});
afterAll(() => api.stop());

/** Every type and several endings, in several currencies, with and without numbers and holders. */
async function history(): Promise<string[]> {
  const counter = api.method('Front counter').id;
  const ids: string[] = [];
  const pay = async (name: string, body: object): Promise<TransactionResult> => {
    const result = await api.transaction(name, body);
    ids.push(result.id);
    return result;
  };
  const keep = async (body: object): Promise<string> => {
    const result = resultOf(await api.store(body));
    ids.push(result.id);
    return result.paymentMethod.id;
  };
  const sale = await pay('physical-sale', { amount: 1_000, referenceId: 'order-1', invoiceNumber: 'I1' });
  await pay('refund', { originalTransactionId: sale.id, amount: 400, orderNumber: 'A1' });
  await pay('refund', { originalTransactionId: sale.id, amount: 100, referenceId: 'order-1' });
  const auth = await pay('physical-auth', { amount: 2_000, orderNumber: 'A1', referenceId: 'order-2' });
  await pay('capture', { originalTransactionId: auth.id, amount: 1_000, invoiceNumber: 'I1' });
  await pay('void', { originalTransactionId: auth.id });
  await pay('physical-sale', { amount: 900_051, invoiceNumber: 'I2' });
  await pay('physical-sale', { amount: 900_010 });
  await pay('physical-sale', { amount: 1_000, paymentMethodId: api.method('Mobile').id });
  await pay('unreferenced-physical-refund', { amount: 1_000 });
  await api.setTerminal(counter, { card: '5555555555554444' });
  await pay('physical-sale', { amount: 1_000, referenceId: 'Bestellung №7' });
  const token = await keep({ accountHolder: { externalId: 'ann' }, referenceId: 'order-1' });
  await api.setTerminal(counter, { card: '4000000000000002' });
  await keep({});
  await api.setTerminal(counter, { mode: 'LowBattery', card: null });
  await pay('physical-sale', { amount: 5 });
  await api.setTerminal(counter, { mode: 'Auto', card: null });
  await pay('token-sale', { amount: 300, paymentMethodId: token, invoiceNumber: 'I1' });
  const removed = await keep({ accountHolder: { externalId: 'bob' } });
  const paid = await pay('token-auth', { amount: 300, paymentMethodId: removed });
  await pay('capture', { originalTransactionId: paid.id });
  ids.push(resultOf(await api.change(token, { description: 'x' })).id);
  ids.push(resultOf(await api.remove(removed)).id);
  await api.operation('physical-sale', { amount: 920_002, referenceId: 'lost' });
  const { data } = await api.list('/v1/transactions?referenceId=lost');
  return [...ids, ...data.map(({ id }) => id)];
}

type Asked = Readonly<Record<string, string | readonly string[]>>;
const queryOf = (asked: Asked): string => {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(asked)) {
    for (const value of typeof values === 'string' ? [values] : values) query.append(name, value);
  }
  return `/v1/transactions?${query.toString()}`;
};

const FIELDS: Readonly<Record<string, (one: TransactionResult) => string | number | undefined>> = {
  id: ({ id }) => id,
  referenceId: ({ referenceId }) => referenceId,
  originalTransactionId: ({ originalTransactionId }) => originalTransactionId,
  type: ({ type }) => type,
  status: ({ status }) => status,
  responseCode: ({ transactionResponses: [first] }) => first?.responseCode,
  paymentMethodId: ({ paymentMethod }) => paymentMethod.id,
  accountHolderId: ({ accountHolderId }) => accountHolderId,
  invoiceNumber: ({ invoiceNumber }) => invoiceNumber,
  orderNumber: ({ orderNumber }) => orderNumber,
  cardType: ({ transactionResponses: [first] }) => first?.cardType,
  currency: ({ currency }) => currency,
};
const RANGES: Readonly<Record<string, (one: TransactionResult, bound: string) => boolean>> = {
  amountMin: ({ amount = -1 }, bound) => amount >= Number(bound),
  amountMax: ({ amount }, bound) => amount !== undefined && amount <= Number(bound),
  createdFrom: ({ createdAt }, bound) => createdAt >= bound,
  createdTo: ({ createdAt }, bound) => createdAt < bound,
  updatedFrom: ({ updatedAt }, bound) => updatedAt >= bound,
  updatedTo: ({ updatedAt }, bound) => updatedAt < bound,
};

function expected({ sort = '-createdAt', ...filters }: Asked): TransactionResult[] {
  const field = String(sort).replace('-', '') as 'createdAt' | 'updatedAt' | 'amount';
  const direction = String(sort).startsWith('-') ? -1 : 1;
  const fits = (one: TransactionResult): boolean =>
    Object.entries(filters).every(([name, values]) => {
      const range = RANGES[name];
      return range ? range(one, String(values)) : values.includes(String(FIELDS[name]?.(one)));
    });
  return world.filter(fits).sort((a, b) => {
    const [x, y] = [a[field] ?? -1, b[field] ?? -1];
    if (x !== y) return x < y ? -direction : direction;
    return a.id < b.id ? -direction : direction;
  });
}

async function paged(asked: Asked, limits: readonly number[]): Promise<TransactionResult[]> {
  const all: TransactionResult[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page += 1) {
    const limit = limits[page % limits.length] ?? 25;
    const path = queryOf({ ...asked, limit: String(limit), ...(cursor !== null && { cursor }) });
    const { data, hasMore, nextCursor } = await api.list(path);
    expect(data.length).toBeLessThanOrEqual(limit);
    expect(hasMore).toBe(nextCursor !== null);
    all.push(...data);
    cursor = nextCursor;
  }
  return all;
}

/** Values that the world has, and now and then one that it does not. */
function asking(): fc.Arbitrary<Asked> {
  const of = (name: string): fc.Arbitrary<string[]> => {
    const values = world.flatMap((one) => FIELDS[name]?.(one) ?? []).map(String);
    return fc.uniqueArray(fc.constantFrom(...new Set(values)), { minLength: 1, maxLength: 3 });
  };
  const amount = fc.constantFrom('0', '100', '400', '1000', '1001', '999999999');
  const instant = fc.constantFrom(...world.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]));
  const parts: Record<string, fc.Arbitrary<string | string[]>> = {
    sort: fc.constantFrom('createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'amount', '-amount'),
    amountMin: amount,
    amountMax: amount,
    createdFrom: instant,
    createdTo: instant,
    updatedFrom: instant,
    updatedTo: instant,
  };
  for (const name of Object.keys(FIELDS)) parts[name] = of(name);
  const some = fc.subarray(Object.keys(parts), { maxLength: 3 });
  return some.chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, parts[name] ?? amount]))),
  );
}

describe('The list of transactions', () => {
  it('is what the filters leave of all, in the order asked for, on pages of any size', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(asking(), sizes, async (asked, limits) => {
        const found = expected(asked);
        expect(await paged(asked, limits)).toEqual(found);
        const { total } = await api.list(queryOf({ ...asked, limit: '1', includeTotal: 'true' }));
        expect(total).toBe(found.length);
      }),
      { numRuns: 60 },
    );
  });

  it('has each item with the bytes of its look', async () => {
    const { text } = await api.get('/v1/transactions?limit=100');
    const looks = await Promise.all(
      expected({}).map(async ({ id }) => (await api.get(`/v1/transactions/${id}`)).text),
    );
    expect(text).toBe(`{"data":[${looks.join(',')}],"hasMore":false,"nextCursor":null}`);
  });

  it('is empty where nothing fits, and where a range is upside down', async () => {
    const empty = '{"data":[],"hasMore":false,"nextCursor":null}';
    const ranges = [
      'amountMin=2&amountMax=1',
      'createdFrom=2030-01-01T00:00:00Z&createdTo=2020-01-01T00:00:00Z',
      'batchId=bat_1',
      'settlementId=stl_1',
      'id=nobody',
      'referenceId=nobody',
    ];
    for (const query of ranges) expect((await api.get(`/v1/transactions?${query}`)).text).toBe(empty);
    const { total } = await api.list('/v1/transactions?id=nobody&includeTotal=true');
    expect(total).toBe(0);
  });

  it('is of the merchant alone, and its cursor is valid for no other merchant', async () => {
    const { data } = await api.list('/v1/transactions', { key: other.key });
    expect(data.map(({ amount }) => amount)).toEqual([777]);
    const { nextCursor } = await api.list('/v1/transactions?limit=1');
    const reply = await api.get(`/v1/transactions?cursor=${nextCursor}`, { key: other.key });
    expect(refusal(reply)).toBe('400 2000 Rejected cursor');
    const mine = world.map(({ id }) => `id=${id}`).join('&');
    expect((await api.list(`/v1/transactions?${mine}`, { key: other.key })).data).toEqual([]);
  });

  it('is for a read-only key too', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect((await api.list('/v1/transactions', { key })).data).toHaveLength(1);
  });

  it('goes on behind its cursor, also after transactions were added', async () => {
    const first = await api.list('/v1/transactions?limit=5&sort=-createdAt', { key: api.key });
    const before = expected({}).map(({ id }) => id);
    await api.transaction('physical-sale', { amount: 1, referenceId: 'meanwhile' });
    const second = await api.list(`/v1/transactions?limit=5&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(before.slice(0, 10));
    const { data } = await api.list('/v1/transactions?referenceId=meanwhile');
    expect(data).toHaveLength(1);
  });
});

describe('What the list of transactions is asked', () => {
  const wrong: [query: string, fields: string][] = [
    ['id=', 'id'],
    [`id=${'x'.repeat(36)}`, 'id'],
    [`referenceId=${'x'.repeat(101)}`, 'referenceId'],
    [`paymentMethodId=${'x'.repeat(36)}`, 'paymentMethodId'],
    [`invoiceNumber=${'x'.repeat(101)}`, 'invoiceNumber'],
    ['orderNumber=a-b', 'orderNumber'],
    ['type=sale', 'type'],
    ['status=Approved', 'status'],
    ['responseCode=3', 'responseCode'],
    ['responseCode=', 'responseCode'],
    ['cardType=visa', 'cardType'],
    ['currency=EUR', 'currency'],
    ['amountMin=-1', 'amountMin'],
    ['amountMax=1000000000', 'amountMax'],
    ['amountMin=1&amountMin=2', 'amountMin'],
    ['createdFrom=yesterday', 'createdFrom'],
    ['createdTo=2026-08-03', 'createdTo'],
    ['updatedTo=2026-08-03T12:00:00Z&updatedTo=2026-08-04T12:00:00Z', 'updatedTo'],
    ['sort=id', 'sort'],
    ['amount=100', 'amount'],
    ['limit=1000', 'limit'],
    ['includeTotal=1', 'includeTotal'],
    ['cursor=x', 'cursor'],
    [Array.from({ length: 51 }, (_, index) => `id=trx_${index}`).join('&'), 'id'],
    ['id=&type=x&limit=0', 'limit id type'],
  ];
  it.each(wrong.map(([query, fields]) => [query.slice(0, 60), query, fields]))(
    'is not %s: 2000',
    async (_name, query, fields) => {
      expect(refusal(await api.get(`/v1/transactions?${query}`))).toBe(`400 2000 Rejected ${fields}`);
    },
  );

  it('may be much: 50 values of one parameter, and 0 as a bound', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `id=trx_${index}`).join('&');
    expect((await api.get(`/v1/transactions?${ids}&amountMin=0&amountMax=0`)).status).toBe(200);
  });
});
