import { connect, type Socket } from 'node:net';
import type { SandboxTerminal } from '@tillstream/contracts';
import { startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

const LIMIT = 3;

let api: TestApi;
beforeAll(async () => {
  const settings = { REQUESTS_IN_FLIGHT_PER_MERCHANT: String(LIMIT), TERMINAL_DEADLINE_MS: '20000' };
  api = await startTestApi(settings);
});
afterAll(() => api.stop());

/** A request whose body never ends. */
function unfinished(key: string, path = '/v1/transactions/token-sale'): Promise<Socket> {
  const { hostname, port } = new URL(api.running.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `x-api-key: ${key}`,
    'content-type: application/json',
    'content-length: 100',
  ];
  return new Promise((resolve) => {
    socket.once('connect', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n{"amount":1,`, () => resolve(socket)),
    );
  });
}

async function gauge(name: string): Promise<number> {
  const { text } = await api.call('GET', '/metrics', { key: null });
  const [, value] = new RegExp(`^tillstream_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text) ?? [];
  return Number(value);
}

/** The text of the metrics is kept for half a second. */
async function untilGauge(name: string, value: number): Promise<void> {
  for (const end = Date.now() + 20_000; (await gauge(name)) !== value;) {
    if (Date.now() > end) throw new Error(`${name} is ${await gauge(name)}, not ${value}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** Until a sale waits for its customer at the terminal. */
async function untilWaiting(terminal: string): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const { text } = await api.call('GET', `/admin/v1/sandbox/terminals/${terminal}`);
    if ((JSON.parse(text) as SandboxTerminal).waiting) return;
  }
  throw new Error('no sale waits at the terminal');
}

const untilInFlight = (count: number): Promise<void> => untilGauge('merchant_requests_in_flight_most', count);
const read = (key: string, path = '/v1/payment-methods'): Promise<Reply> => api.call('GET', path, { key });

/** Until the merchant has a place again: the gauge may still tell of the moment before its requests began. */
async function untilServed(key: string): Promise<void> {
  for (const end = Date.now() + 20_000; (await read(key)).status !== 200;)
    if (Date.now() > end) throw new Error('the merchant is still refused');
}

describe('A merchant with too many requests in flight', () => {
  it('is answered 429 with Retry-After, before any other error but 401, and others are served', async () => {
    const [busy, other] = [await api.otherMerchant(), await api.otherMerchant()];
    const before = await gauge('merchant_requests_refused_total');
    const sockets = await Promise.all(Array.from({ length: LIMIT }, () => unfinished(busy.key)));
    await untilInFlight(LIMIT);
    await untilGauge('merchants_at_request_limit', 1);
    const refused = await Promise.all([
      read(busy.key),
      read(busy.key, '/v1/transactions/trx_unknown'),
      api.call('POST', '/v1/transactions/refund', { key: busy.key, body: '{' }),
    ]);
    for (const { status, headers, text } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
      expect(JSON.parse(text)).toMatchObject({ code: 3000, status: 'Rejected' });
    }
    const readOnly = await api.keyOf(busy.id, { readOnly: true });
    const forbidden = await api.call('POST', '/v1/transactions/refund', { key: readOnly, body: {} });
    expect(forbidden.status).toBe(401);
    expect((await read(other.key)).status).toBe(200);
    await untilGauge('merchant_requests_refused_total', before + refused.length);
    expect(await gauge('http_rate_limited_total')).toBe(0);

    sockets[0]?.destroy();
    await untilInFlight(LIMIT - 1);
    expect((await read(busy.key)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await untilInFlight(0);
  }, 60_000);

  it('is not one whose terminals wait for their customers', async () => {
    const { id, key } = await api.otherMerchant();
    const terminals = await api.running.provisioning.addPaymentMethods(
      { type: 'Operator', name: 'tester' },
      id,
      Array.from(
        { length: LIMIT + 1 },
        () => ({ type: 'Physical', currency: 'USD', isDefault: false }) as const,
      ),
    );
    for (const { id: terminal } of terminals)
      await api.call('PUT', `/admin/v1/sandbox/terminals/${terminal}`, {
        body: { mode: 'Manual', card: null },
      });
    const sales: Promise<Reply>[] = [];
    for (const { id: paymentMethodId } of terminals) {
      const body = { amount: 100, paymentMethodId };
      sales.push(api.call('POST', '/v1/transactions/physical-sale', { key, body }));
      await untilWaiting(paymentMethodId);
    }
    await untilInFlight(LIMIT + 1);
    expect((await read(key)).status).toBe(200);
    for (const { id: terminal } of terminals)
      await api.call('POST', `/admin/v1/sandbox/terminals/${terminal}/customer`, {
        body: { action: 'Cancel' },
      });
    for (const { status } of await Promise.all(sales)) expect(status).toBe(200);
    await untilInFlight(0);
  }, 60_000);
});

describe('A request gives its place back', () => {
  const times = async (work: () => Promise<Reply>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < 2 * LIMIT; count++) statuses.push((await work()).status);
    return [...new Set(statuses)];
  };

  it('however it ends', async () => {
    const { key, terminal } = await api.otherMerchant();
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      times(() => api.call('POST', path, { key, body, headers }));
    const sale = { amount: 100, paymentMethodId: terminal };
    const path = '/v1/transactions/physical-sale';
    expect(await times(() => read(key, '/v1/transactions/trx_unknown'))).toEqual([404]);
    expect(await times(() => read(key, '/v1/transactions?limit=0'))).toEqual([400]);
    expect(await times(() => read(key, '/v1/nothing'))).toEqual([404]);
    expect(
      await times(() => api.call('GET', '/v1/transactions', { key, headers: { accept: 'text/csv' } })),
    ).toEqual([200]);
    expect(await post(path, '{')).toEqual([400]);
    expect(await post(path, { amount: 100, referenceId: 'x'.repeat(100_001) })).toEqual([400]);
    expect(await post(path, sale)).toEqual([200]);
    expect(await post(path, sale, { 'idempotency-key': 'one' })).toEqual([200]);
    expect(await post(path, { ...sale, amount: 200 }, { 'idempotency-key': 'one' })).toEqual([400]);
    expect(await post('/v1/account-holders', { externalId: 'same' })).toEqual([200, 400]);
    await untilInFlight(0);
  }, 60_000);

  it('when the client goes while the body is sent, and while the request is worked on', async () => {
    const { key, terminal } = await api.otherMerchant();
    for (let count = 0; count < 2 * LIMIT; count++) (await unfinished(key)).destroy();
    await untilInFlight(0);
    for (let count = 0; count < 2 * LIMIT; count++) {
      const abort = new AbortController();
      const sale = fetch(`${api.running.origin}/v1/transactions/physical-sale`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 100 + count, paymentMethodId: terminal }),
        signal: abort.signal,
      });
      setTimeout(() => abort.abort(), count);
      await sale.catch(() => undefined);
    }
    await untilServed(key);
    // A sale that goes on counts again once its processor has answered, and the gauge is up to half a second old.
    await new Promise((resume) => setTimeout(resume, 1_000));
    await untilInFlight(0);
    expect(await times(() => read(key))).toEqual([200]);
  }, 60_000);
});
