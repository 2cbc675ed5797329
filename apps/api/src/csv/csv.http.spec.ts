import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Merchant, TransactionResult } from '@tillstream/contracts';
import { readCsv, rowOf, type CsvPage } from '../testing/csv.page.js';
import { refusal, startTestApi, type Call, type Reply, type TestApi } from '../testing/test.api.js';

const CSV = { headers: { accept: 'text/csv' } };
const SALES = 7;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  for (let sale = 0; sale < SALES; sale++)
    await api.transaction('physical-sale', { amount: 1000 + (sale % 3), referenceId: `order "${sale}", №` });
  await api.transaction('physical-sale', { amount: 900_051 });
  await api.transaction('refund', {
    originalTransactionId: (await api.transaction('physical-sale', { amount: 5 })).id,
  });
  await api.token({ accountHolder: { externalId: 'ann', name: 'Ann Ämann' } });
});
afterAll(() => api.stop());

async function csv(path: string, call: Call = {}): Promise<CsvPage & { readonly headers: Headers }> {
  const reply = await api.get(path, { ...call, headers: { ...CSV.headers, ...call.headers } });
  if (reply.status !== 200) throw new Error(reply.text);
  return { ...readCsv(reply.text), headers: reply.headers };
}

const typeOf = ({ headers }: Reply): string => headers.get('content-type')?.split(';')[0] ?? 'none';

describe('The Accept header of a request for a list', () => {
  it.each([
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['text/csv; header=present', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv, */*;q=0.1', 'text/csv'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['application/json;q=0.8, text/*;q=0.9', 'text/csv'],
    ['text/csv;q=0.5, application/xml', 'text/csv'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*, text/csv;q=0.9', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv;q=0, */*', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['image/png', 'application/json'],
    ['text/csv; charset=utf-16', 'application/json'],
    ['nonsense', 'application/json'],
  ])('%s gets %s', async (accept, type) => {
    const reply = await api.get('/v1/payment-methods', { headers: { accept } });
    expect([reply.status, typeOf(reply), reply.headers.get('vary')]).toEqual([200, type, 'Accept']);
  });

  it('changes no other response', async () => {
    const [id = ''] = (await csv('/v1/transactions?limit=1')).rows[0] ?? [];
    const one = await api.get(`/v1/transactions/${id}`, CSV);
    expect([one.status, typeOf(one), one.headers.get('vary')]).toEqual([200, 'application/json', null]);
    const sale = await api.operation('physical-sale', { amount: 5 }, CSV);
    expect([sale.status, typeOf(sale)]).toEqual([200, 'application/json']);
  });
});

describe('A page as CSV', () => {
  it.each([
    '/v1/transactions?limit=2',
    '/v1/transactions?limit=3&sort=amount',
    '/v1/transactions?limit=4&sort=-amount&type=Sale&amountMin=1001',
    '/v1/payment-methods?limit=2&sort=createdAt',
  ])('is the page as JSON, row by row and cursor by cursor: %s', async (path) => {
    let cursor: string | null = '';
    let pages = 0;
    do {
      const at: string = cursor === '' ? path : `${path}&cursor=${cursor}`;
      const page = await api.list(at);
      const { columns, rows, headers } = await csv(at);
      expect(rows).toEqual(page.data.map((item) => rowOf(columns, item)));
      expect(headers.get('x-next-cursor')).toBe(page.nextCursor);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(1);
  });

  it('has the total in headers where it is asked for', async () => {
    const { total } = await api.list('/v1/transactions?includeTotal=true');
    const asked = await csv('/v1/transactions?includeTotal=true&limit=1');
    expect(asked.headers.get('x-total-count')).toBe(String(total));
    expect(asked.headers.has('x-total-is-at-least')).toBe(false);
    expect((await csv('/v1/transactions?limit=1')).headers.has('x-total-count')).toBe(false);
  });

  it('has the same columns whatever is in it, also if it is empty', async () => {
    const full = await csv('/v1/transactions');
    const empty = await csv('/v1/transactions?id=trx_01K4Q2B5C7D9E1F3G5H7J9K1MN');
    expect(empty.rows).toEqual([]);
    expect(empty.columns).toEqual(full.columns);
    expect(full.columns).toEqual(
      expect.arrayContaining(['id', 'amount', 'paymentMethod.id', 'transactionResponses.0.responseCode']),
    );
  });

  it('has the headers of every response, and no length, since it is sent as it is made', async () => {
    const { id, key } = await api.otherMerchant({ rateLimitPerSecond: 50 });
    const { headers } = await csv('/v1/transactions', { key });
    expect(id).toMatch(/^mer_/);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('x-api-version')).toBe('2026.08.03');
    expect(headers.get('x-ratelimit-limit')).toBe('50');
    expect(headers.get('cache-control')).toBe('no-store');
    expect([headers.get('content-length'), headers.get('transfer-encoding')]).toEqual([null, 'chunked']);
  });

  it('has the same headers without a body for HEAD', async () => {
    const reply = await api.call('HEAD', '/v1/transactions?limit=1&includeTotal=true', CSV);
    expect([reply.status, typeOf(reply), reply.text]).toEqual([200, 'text/csv', '']);
    expect(reply.headers.get('x-next-cursor')).toMatch(/./);
    expect(Number(reply.headers.get('x-total-count'))).toBeGreaterThan(SALES);
  });

  it('shows what a merchant is called as a text, not as a formula', async () => {
    const name = '=HYPERLINK("https://evil.example";"x")';
    const { id } = await api.otherMerchant({ name });
    const { columns, rows } = await csv('/admin/v1/merchants');
    const row = rows.find(([first]) => first === id) ?? [];
    expect(row[columns.indexOf('name')]).toBe(`'${name}`);
    const { data } = await api.list<Merchant>('/admin/v1/merchants');
    expect(row).toEqual(
      rowOf(
        columns,
        data.find((one) => one.id === id),
      ),
    );
  });

  it('shows the outcome of a transaction in columns, and a receipt as JSON', async () => {
    const { columns, rows } = await csv('/v1/transactions?status=Completed&type=Sale&responseCode=11');
    const at = (name: string): string => rows[0]?.[columns.indexOf(name)] ?? '';
    expect(at('transactionResponses.0.responseCode')).toBe('11');
    expect(at('transactionResponses.0.amountApproved')).toBe('0');
    const [found] = (await api.list<TransactionResult>(`/v1/transactions?id=${at('id')}`)).data;
    expect(JSON.parse(at('transactionResponses.0.receipt.lines'))).toEqual(
      found?.transactionResponses[0]?.receipt.lines,
    );
  });
});

describe('An error of a request for CSV is JSON with its status', () => {
  it.each([
    ['400 2000 Rejected limit', '/v1/transactions?limit=0'],
    ['400 2000 Rejected cursor', '/v1/transactions?cursor=x'],
    ['404 4000 Rejected', '/v1/transactions/trx_01K4Q2B5C7D9E1F3G5H7J9K1MN/events'],
    ['404 4000 Rejected', '/v1/nothing'],
  ])('%s of %s', async (expected, path) => {
    const reply = await api.get(path, CSV);
    expect([refusal(reply), typeOf(reply)]).toEqual([expected, 'application/json']);
  });

  it('without a key and above the rate limit too', async () => {
    expect(refusal(await api.get('/v1/transactions', { ...CSV, key: null }))).toBe('401 1000 Rejected');
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 1 });
    const replies = await Promise.all([1, 2, 3].map(() => api.get('/v1/transactions', { ...CSV, key })));
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited.map((reply) => [refusal(reply), typeOf(reply)])[0]).toEqual([
      '429 3000 Rejected',
      'application/json',
    ]);
  });
});

it('A client that leaves in the middle of a page disturbs no other client', async () => {
  const headers = { ...CSV.headers, 'x-api-key': api.key };
  const request = get(`${api.running.origin}/v1/transactions`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.destroy();
  expect((await csv('/v1/transactions')).rows.length).toBeGreaterThan(SALES);
});
