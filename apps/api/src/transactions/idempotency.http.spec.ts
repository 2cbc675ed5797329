import { jest } from '@jest/globals';
import { StoredResponses } from '../idempotency/stored.responses.js';
import { refusal, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';
import { storedResponses } from '../testing/test.store.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const FIELD = '400 2000 Rejected Idempotency-Key';
const sell = (key: string, body: unknown = { amount: 1_000 }, more: { key?: string } = {}): Promise<Reply> =>
  api.operation('physical-sale', body, { headers: { 'idempotency-key': key }, ...more });
const salesUnder = async (reference: string): Promise<string> =>
  refusal(await api.operation('refund', { originalReferenceId: reference, amount: 999_999_999 }));

describe('A repeat under the same Idempotency-Key', () => {
  it('gets the first response: status, body byte for byte, trace id', async () => {
    const first = await sell('again-1');
    const second = await sell('again-1');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('gets the first answer even where the payment has moved on', async () => {
    const first = await sell('again-2');
    await api.transaction('void', { originalTransactionId: (JSON.parse(first.text) as { id: string }).id });
    expect((await sell('again-2')).text).toBe(first.text);
  });

  it('gets a 500 too, with its timestamp', async () => {
    for (const amount of [920_001, 920_004]) {
      const first = await sell(`lost-${amount}`, { amount });
      expect(first.status).toBe(500);
      const second = await sell(`lost-${amount}`, { amount });
      expect({ status: second.status, text: second.text }).toEqual({ status: 500, text: first.text });
    }
  });

  it('gets a decline too', async () => {
    const first = await sell('declined', { amount: 900_051 });
    expect((await sell('declined', { amount: 900_051 })).text).toBe(first.text);
  });

  it('of capture, refund and void begins one operation only', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    const capture = { originalTransactionId: auth.id, amount: 600 };
    const call = { headers: { 'idempotency-key': 'capture-1' } };
    const first = await api.operation('capture', capture, call);
    expect((await api.operation('capture', capture, call)).text).toBe(first.text);
    const rest = await api.operation('capture', { ...capture, amount: 401 });
    expect(refusal(rest)).toBe('400 2012 Rejected amount');
  });

  it('survives a restart', async () => {
    const own = await startTestApi();
    const headers = { 'idempotency-key': 'restart' };
    const first = await own.operation('physical-sale', { amount: 1 }, { headers });
    await own.stop({ keepData: true });
    const again = await startTestApi({ DATA_DIR: own.dataDir });
    expect((await again.operation('physical-sale', { amount: 1 }, { headers })).text).toBe(first.text);
    await again.stop();
  });

  it('whose answer was sealed under a key that is lost: 500, 9000, Unknown, and nothing is begun', async () => {
    const own = await startTestApi();
    const headers = { 'idempotency-key': 'sealed' };
    await own.operation('physical-sale', { amount: 1 }, { headers });
    await own.stop({ keepData: true });
    const IDEMPOTENCY_ANSWER_KEY = Buffer.alloc(32).toString('base64');
    const again = await startTestApi({ DATA_DIR: own.dataDir, IDEMPOTENCY_ANSWER_KEY });
    const reply = await again.operation('physical-sale', { amount: 1 }, { headers });
    expect(refusal(reply)).toBe('500 9000 Unknown');
    await again.stop();
  });

  it('while the first is running: 409, 3401, and the first is not disturbed', async () => {
    const body = { amount: 920_001, referenceId: 'running' };
    const together = await Promise.all([1, 2].map(() => sell('running', body)));
    expect(together.map(refusal).sort()).toEqual(['409 3401 Rejected', '500 3000 Interrupted']);
  });

  it('sent many times at once begins one operation', async () => {
    const body = { amount: 1_000, referenceId: 'at-once' };
    const replies = await Promise.all(Array.from({ length: 12 }, () => sell('at-once', body)));
    const answered = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(answered.size).toBe(1);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await salesUnder('at-once')).toBe('400 2012 Rejected amount');
  });
});

describe('The same Idempotency-Key', () => {
  it('with another body, byte for byte, path or method: 400, 2000', async () => {
    await sell('other-1', '{"amount":1000}');
    expect(refusal(await sell('other-1', '{"amount":1001}'))).toBe(FIELD);
    expect(refusal(await sell('other-1', '{"amount": 1000}'))).toBe(FIELD);
    const headers = { 'idempotency-key': 'other-1' };
    expect(refusal(await api.operation('physical-auth', '{"amount":1000}', { headers }))).toBe(FIELD);
  });

  it('of another merchant is another key', async () => {
    const { key } = await api.otherMerchant();
    const mine = await sell('shared');
    const theirs = await sell('shared', { amount: 1_000 }, { key });
    expect(theirs.status).toBe(200);
    expect(theirs.text).not.toBe(mine.text);
  });

  it('can be used again after every kind of refusal', async () => {
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    const refund = (body: object) =>
      api.operation('refund', body, { headers: { 'idempotency-key': 'free' } });
    expect((await refund({ originalTransactionId: sale.id, amount: 0 })).status).toBe(400);
    expect((await refund({ originalTransactionId: 'nobody' })).status).toBe(404);
    expect((await refund({ originalTransactionId: sale.id, amount: 1_001 })).status).toBe(400);
    expect((await refund({ originalTransactionId: sale.id, amount: 1_000 })).status).toBe(200);
  });

  it('is free again after its 24 hours', async () => {
    const own = await startTestApi();
    const headers = { 'idempotency-key': 'daily' };
    const first = await own.operation('physical-sale', { amount: 1 }, { headers });
    const advance = (advanceSeconds: number) =>
      own.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds } });
    await advance(86_000);
    expect((await own.operation('physical-sale', { amount: 1 }, { headers })).text).toBe(first.text);
    await advance(500);
    const next = await own.operation('physical-sale', { amount: 1 }, { headers });
    expect(next.headers.get('idempotent-replayed')).toBeNull();
    expect(next.text).not.toBe(first.text);
    await own.stop();
  });
});

describe('An Idempotency-Key that cannot be looked up', () => {
  const failOnce = () =>
    jest.spyOn(StoredResponses.prototype, 'lookUp').mockRejectedValueOnce(new Error('the store is away'));

  it('is reported only after the errors of the body', async () => {
    failOnce();
    expect(refusal(await sell('away', { amount: 0 }))).toBe('400 2012 Rejected amount');
  });

  it('starts no operation: 500, 3000, and a repeat starts it', async () => {
    failOnce();
    const body = { amount: 1_000, referenceId: 'away' };
    expect(refusal(await sell('away', body))).toBe('500 3000 Interrupted');
    const repeated = await sell('away', body);
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });
});

describe('An Idempotency-Key', () => {
  it('has 1 to 255 printable ASCII characters: else 400, 2000', async () => {
    expect((await sell('~'.repeat(255))).status).toBe(200);
    expect((await sell('a b!"')).status).toBe(200);
    for (const key of ['', 'x'.repeat(256), 'ü']) expect(refusal(await sell(key))).toBe(FIELD);
  });

  it('is looked at after the body: wrong fields win', async () => {
    await sell('order');
    expect(refusal(await sell('order', { amount: 0 }))).toBe('400 2012 Rejected amount');
    expect(refusal(await sell('x'.repeat(256), { amount: 0 }))).toBe('400 2012 Rejected amount');
  });

  it('wins over everything that depends on state', async () => {
    const headers = { 'idempotency-key': 'void-once' };
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    const body = { originalTransactionId: sale.id };
    const first = await api.operation('void', body, { headers });
    const second = await api.operation('void', body, { headers });
    expect(second.text).toBe(first.text);
    const third = await api.operation('void', body);
    expect(third.text).toContain('"responseCode":21');
  });

  it('is ignored on GET', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(300) };
    expect((await api.get('/v1/payment-methods', { headers })).status).toBe(200);
  });

  it('keeps its answer sealed: the files do not hold it', async () => {
    await sell('sealed', { amount: 1_000, referenceId: 'only-in-events' });
    const kept = await storedResponses(api.dataDir);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).not.toContain('resultText');
  });
});
