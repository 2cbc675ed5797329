import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PaymentMethodDetails, TransactionResult } from '@tillstream/contracts';
import { card, VISA } from '../../hosted-form/form.testing.js';
import { refusal, startTestApi, type Call, type Reply, type TestApi } from '../../testing/test.api.js';
import { BOOKS } from './books.table.js';
import type { ShopExchange } from './shop.server.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** As the page calls: without any key. */
const call = (method: string, path: string, more: Call = {}): Promise<Reply> =>
  api.call(method, `/sandbox/shop${path}`, { key: null, ...more });
const parsed = <Body>({ status, text }: Reply): Body => {
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as Body;
};
const pay = (body: object, headers = {}) => call('POST', '/data/pay-with-card', { body, headers });
const cards = async () => parsed<{ cards: PaymentMethodDetails[] }>(await call('GET', '/data/cards')).cards;
const storeCardOf = (externalId: string) => api.token({ accountHolder: { externalId } });
const [book] = BOOKS;

describe('The page of the shop', () => {
  it.each([
    ['', 'text/html; charset=utf-8'],
    ['?lang=fr', 'text/html; charset=utf-8'],
    ['/files/shop.css', 'text/css; charset=utf-8'],
    ['/files/shop.js', 'text/javascript; charset=utf-8'],
  ])('is served without a key: %s as %s', async (path, type) => {
    const reply = await call('GET', path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  });

  it('may embed forms of this service only, under each of its names', async () => {
    const policy = (await call('GET', '')).headers.get('content-security-policy');
    expect(policy).toContain(`frame-src 'self' ${api.running.origin};`);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('has no script or style in it, takes nothing from elsewhere, and never has the key', async () => {
    const { text } = await call('GET', '');
    expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style|style=|\son\w+=|https?:/);
    expect(text).toContain('src="/payment-form.js"');
    expect(text).not.toContain(api.key);
  });

  it('has no other files', async () => {
    expect((await call('GET', '/files/..%2fdocs%2freference.html')).status).toBe(404);
  });
});

describe('The server of the shop', () => {
  it('names the books and their prices', async () => {
    const { books } = parsed<{ books: { price: number }[] }>(await call('GET', '/data/books'));
    expect(books).toEqual(BOOKS);
    expect(books.every(({ price }) => Number.isInteger(price) && price > 0)).toBe(true);
  });

  it('takes the price from its own table: a price from the browser is an unknown field', async () => {
    for (const path of ['checkout', 'pay-with-card']) {
      const body = { book: book.id, ...(path !== 'checkout' && { tokenId: 'pmt_tkn_x' }), amount: 1 };
      expect(refusal(await call('POST', `/data/${path}`, { body }))).toBe('400 2000 Rejected amount');
    }
  });

  it('has no other books', async () => {
    expect(refusal(await call('POST', '/data/checkout', { body: { book: 'atlas' } }))).toBe(
      '400 2000 Rejected book',
    );
  });

  it('reads a transaction as the API returns it', async () => {
    const sale = await api.transaction('physical-sale', { amount: 700 });
    const reply = await call('GET', `/data/transactions/${sale.id}`);
    const exchange = parsed<ShopExchange>(reply);
    expect(exchange).toEqual({
      request: { method: 'GET', path: `/v1/transactions/${sale.id}` },
      status: 200,
      response: sale,
    });
    expect(reply.text).not.toContain(api.key);
    const unknown = parsed<ShopExchange>(await call('GET', '/data/transactions/trx_unknown'));
    expect(unknown).toMatchObject({ status: 404, response: { code: 4000 } });
  });
});

describe('A stored card of the shop’s customer', () => {
  it('is listed, and pays the price of the book', async () => {
    expect(await cards()).toEqual([]);
    const tokenId = await storeCardOf('demo-reader');
    expect(await cards()).toMatchObject([{ id: tokenId, maskedCardNumber: '************4242' }]);
    const exchange = parsed<ShopExchange>(await pay({ tokenId, book: book.id }));
    expect(exchange).toMatchObject({
      request: {
        method: 'POST',
        path: '/v1/transactions/token-sale',
        body: { amount: book.price, paymentMethodId: tokenId },
      },
      status: 200,
    });
    const { id, ...sale } = exchange.response as TransactionResult;
    expect(sale).toMatchObject({ type: 'Sale', status: 'Completed', amount: book.price });
    expect(sale.transactionResponses).toMatchObject([{ responseCode: 1, amountApproved: book.price }]);
    expect(await api.look(id)).toMatchObject({ orderNumber: sale.orderNumber });
  });

  it('is declined at the price of the rare folio', async () => {
    const tokenId = await storeCardOf('demo-reader');
    const { response } = parsed<ShopExchange>(await pay({ tokenId, book: 'first-folio' }));
    expect(response).toMatchObject({ status: 'Completed', transactionResponses: [{ responseCode: 11 }] });
  });

  it('is charged once by two calls with one key', async () => {
    const tokenId = await storeCardOf('demo-reader');
    const headers = { 'idempotency-key': 'purchase-1' };
    const twice = [
      await pay({ tokenId, book: book.id }, headers),
      await pay({ tokenId, book: book.id }, headers),
    ];
    const [first, second] = twice.map(
      (reply) => (parsed<ShopExchange>(reply).response as TransactionResult).id,
    );
    expect(second).toBe(first);
  });

  it('is no card of another customer: 404, and nothing is charged', async () => {
    const tokenId = await storeCardOf('ann');
    expect(refusal(await pay({ tokenId, book: book.id }))).toBe('404 4000 Rejected');
    expect((await api.list(`/v1/transactions?paymentMethodId=${tokenId}&type=Sale`)).data).toEqual([]);
  });

  it('can still be used after the key of the demo merchant was changed', async () => {
    const tokenId = await storeCardOf('demo-reader');
    const key = await api.keyOf(api.running.facts.merchantId);
    const file = join(api.dataDir, 'sandbox.json');
    const facts = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify({ ...api.running.facts, apiKey: key }));
    expect(parsed<ShopExchange>(await pay({ tokenId, book: book.id })).status).toBe(200);
    writeFileSync(file, JSON.stringify({ ...api.running.facts, apiKey: 'sk_test_wrong' }));
    expect(refusal(await pay({ tokenId, book: book.id }))).toBe('500 9000 Unknown');
    writeFileSync(file, facts);
  });
});

describe('The form of the shop', () => {
  const opened = async (path: string, body: object) => {
    const exchange = parsed<ShopExchange>(await call('POST', path, { body }));
    const { id, form } = exchange.response as TransactionResult;
    const submit = (number: string) =>
      api.call('POST', `/pay/${form?.sessionId}/submit`, {
        key: null,
        body: { card: card(number), billingContact: { countryCode: 'US', zipCode: '10001' } },
      });
    const read = async () =>
      parsed<ShopExchange>(await call('GET', `/data/transactions/${id}`)).response as TransactionResult;
    return { exchange, form, submit, read };
  };

  it('asks for the price of the book, for messages, and for no more than country and ZIP code', async () => {
    const { exchange, form, read } = await opened('/data/checkout', { book: book.id });
    expect(exchange.request).toEqual({
      method: 'POST',
      path: '/v1/transactions/virtual-sale',
      body: {
        amount: book.price,
        orderNumber: expect.stringMatching(/^MSB[0-9A-F]{8}$/) as string,
        useJavaScriptCallback: true,
        formConfig: { billingInfoCaptureLevel: 'Minimal' },
      },
    });
    expect(form?.url).toBe(`${api.running.origin}/pay/${form?.sessionId}`);
    expect(await read()).toMatchObject({ status: 'Pending', resultCode: 1010, amount: book.price });
  });

  it('has the bank verify the card, if the customer wants that', async () => {
    const { exchange, submit } = await opened('/data/checkout', { book: book.id, verified: true });
    expect(exchange.request.body).toMatchObject({
      formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: true },
    });
    expect(JSON.parse((await submit('4000000000003220')).text)).toMatchObject({ resultCode: 4100 });
  });

  it.each([
    ['UsAccount', 'VirtualAch', 'USD'],
    ['CanadianAccount', 'VirtualEft', 'CAD'],
  ])('is one for bank accounts, for %s: %s in %s, for the same price', async (paidWith, type, currency) => {
    const { exchange, form } = await opened('/data/checkout', { book: book.id, paidWith });
    expect(exchange.response).toMatchObject({ status: 'Pending', amount: book.price, currency });
    const session = await api.get(`/pay/${form?.sessionId}/session`, { key: null });
    expect(JSON.parse(session.text)).toMatchObject({ paymentMethodType: type, useJavaScriptCallback: true });
  });

  it('posts its messages to the shop under each of its names, and may be framed by it', async () => {
    const { form } = await opened('/data/checkout', { book: book.id });
    const own = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${api.running.port}`);
    const session = await api.get(`/pay/${form?.sessionId}/session`, { key: null });
    expect(JSON.parse(session.text)).toMatchObject({ useJavaScriptCallback: true, messageOrigins: own });
    const page = await api.get(`/pay/${form?.sessionId}`, { key: null });
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${own.join(' ')}`);
  });

  it('takes a card after one that is declined', async () => {
    const { submit, read } = await opened('/data/checkout', { book: book.id });
    expect((await submit('4000000000009995')).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'Pending', resultCode: 6900 });
    expect((await submit(VISA)).status).toBe(200);
    const { status, transactionResponses } = await read();
    expect([status, ...transactionResponses.map(({ responseCode }) => responseCode)]).toEqual([
      'Completed',
      1,
      11,
    ]);
  });

  it('stores a card of its customer, which then pays', async () => {
    const { submit, read } = await opened('/data/cards', {});
    expect((await submit('5555555555554444')).status).toBe(200);
    const { type, paymentMethod } = await read();
    expect([type, paymentMethod.maskedCardNumber]).toEqual(['TokenCreate', '************4444']);
    expect((await cards()).map(({ id }) => id)).toContain(paymentMethod.id);
    const { response } = parsed<ShopExchange>(await pay({ tokenId: paymentMethod.id, book: book.id }));
    expect(response).toMatchObject({ transactionResponses: [{ responseCode: 1 }] });
  });
});

describe('A call of another site', () => {
  it.each([
    ['POST', '/data/checkout', { book: book.id }],
    ['POST', '/data/cards', {}],
    ['POST', '/data/pay-with-card', { book: book.id, tokenId: 'pmt_tkn_x' }],
    ['GET', '/data/cards', undefined],
  ])('is refused: %s %s', async (method, path, body) => {
    const headers = { origin: 'https://evil.example' };
    const reply = await call(method, path, { headers, ...(body && { body }) });
    expect(refusal(reply)).toBe('401 1000 Rejected Origin');
  });
});
