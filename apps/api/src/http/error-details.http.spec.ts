import type { ErrorDetail } from '@tillstream/contracts';
import { envelopeOf, startTestApi, type Call, type Reply, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const terminal = '/admin/v1/sandbox/terminals';
const sell = (body: unknown, call: Call = {}) => api.operation('physical-sale', body, call);
const typed = (type: string, value: string) => sell('{"amount":1}', { headers: { [type]: value } });
const set = (body: object, id = api.method('Mobile').id) => api.call('PUT', `${terminal}/${id}`, { body });
const move = (to: string) => api.call('POST', '/admin/v1/sandbox/clock', { body: { to } });

function onlyDetail(reply: Reply): ErrorDetail {
  const { code, errorDetails } = envelopeOf(reply);
  expect(errorDetails).toHaveLength(1);
  const [detail] = errorDetails;
  expect(Object.keys(detail ?? {})).toEqual(['code', 'field', 'message', 'details']);
  expect(detail?.code).toBe(code);
  return detail as ErrorDetail;
}

describe('An entry of errorDetails says its code, its field, a sentence, and what was received and is allowed', () => {
  const unreadable: [what: string, call: () => Promise<Reply>, details: string][] = [
    ['an empty body', () => sell(''), 'received nothing, allowed a JSON object in UTF-8'],
    ['null', () => sell('null'), 'received null, allowed a JSON object in UTF-8'],
    ['an array', () => sell('[]'), 'received an empty array, allowed a JSON object in UTF-8'],
    ['a short list', () => sell([1, 'a']), 'received [1,"a"], allowed a JSON object in UTF-8'],
    [
      'a list without end',
      () => sell('['.repeat(9_000) + ']'.repeat(9_000)),
      'received an array of 1, allowed a JSON object in UTF-8',
    ],
    ['no JSON', () => sell('{'), 'received something else, allowed a JSON object in UTF-8'],
    ['too much', () => sell(' '.repeat(100_001)), 'received more, allowed 100000 bytes'],
    [
      'another type',
      () => typed('content-type', 'text/plain'),
      'received "text/plain" as content type, allowed application/json, in UTF-8',
    ],
    [
      'something compressed',
      () => typed('content-encoding', 'gzip'),
      'received "gzip" as content encoding, allowed none',
    ],
  ];
  it.each(unreadable)('for a body that is %s', async (_what, call, details) => {
    expect(onlyDetail(await call())).toMatchObject({ code: 2900, field: 'body', details });
  });

  it('for a name that is empty: it can be seen all the same', async () => {
    const field = '""';
    expect(onlyDetail(await sell({ amount: 1, '': 1 }))).toMatchObject({ code: 2000, field });
    expect(onlyDetail(await api.get('/v1/transactions?=1'))).toMatchObject({ code: 2000, field });
  });

  it('for a breakdown: its sum, and the amount', async () => {
    expect(onlyDetail(await sell({ amount: 100, amountBreakdown: { tip: 99 } }))).toMatchObject({
      code: 2012,
      field: 'amountBreakdown',
      details: 'the parts sum to 99, the amount is 100',
    });
  });

  it('for an unknown payment method', async () => {
    const detail = onlyDetail(await sell({ amount: 1, paymentMethodId: 'pmt_trm_x' }));
    expect(detail).toMatchObject({ code: 4002, field: 'paymentMethodId' });
    expect(detail.details).toMatch(/^received .*, allowed /);
  });

  it('for a reference of several transactions', async () => {
    await sell({ amount: 1, referenceId: 'both' });
    await sell({ amount: 1, referenceId: 'both' });
    expect(onlyDetail(await api.operation('refund', { originalReferenceId: 'both' }))).toMatchObject({
      code: 2000,
      field: 'originalReferenceId',
      details: 'received a reference of several transactions, allowed originalTransactionId instead',
    });
  });

  it('for an amount that is held', async () => {
    const sale = await api.transaction('physical-sale', { amount: 1_000_000 });
    const refund = (amount: number) => api.operation('refund', { originalTransactionId: sale.id, amount });
    await refund(920_001);
    expect(onlyDetail(await refund(500_000))).toMatchObject({
      code: 3401,
      field: 'amount',
      details: 'received 500000, allowed now 1 to 79999, held 920001',
    });
  });

  it('for an Idempotency-Key of another form, or of another request', async () => {
    const keyed = (key: string, amount: number) => sell({ amount }, { headers: { 'idempotency-key': key } });
    const field = 'Idempotency-Key';
    const details = 'received "", allowed one header of 1 to 255 printable ASCII characters';
    expect(onlyDetail(await keyed('', 1))).toMatchObject({ code: 2000, field, details });
    await keyed('used', 1);
    expect(onlyDetail(await keyed('used', 2))).toMatchObject({
      code: 2000,
      field,
      details: 'received the key of another request, allowed a new key, or the very same request',
    });
  });

  it('for a terminal’s mode and card, without the card', async () => {
    const allowed = 'allowed one of Auto, Manual, Offline, LowBattery, LostLink';
    expect(onlyDetail(await set({ mode: 'Sleepy' })).details).toBe(`received "Sleepy", ${allowed}`);
    const { field, details } = onlyDetail(await set({ card: '4111111111111111' }));
    expect(field).toBe('card');
    expect(details).toMatch(/^received a text of 16 characters, allowed a number of the sandbox .*GIFT/);
    expect(onlyDetail(await set({}, 'nobody'))).toMatchObject({ code: 4002, field: 'id' });
  });

  it('for a clock that should go back, or further than it can', async () => {
    const back = onlyDetail(await move('2000-01-01T00:00:00Z'));
    expect(back.field).toBe('to');
    expect(back.details).toMatch(/^received 2000-01-01T00:00:00\.000Z, allowed a time after 2\d{3}-.*Z$/);
    expect(onlyDetail(await move('9999-12-31T12:00:00Z')).details).toContain('allowed no time after 9999');
  });

  it('but for an operation that was stored: there details is its id, and nothing else', async () => {
    for (const amount of [920_001, 920_004]) {
      const { errorDetails } = envelopeOf(await sell({ amount }));
      expect(Object.keys(errorDetails[0] ?? {})).toEqual(['code', 'message', 'details']);
      expect(errorDetails[0]?.details).toMatch(/^trx_[0-9A-Z]{26}$/);
    }
  });
});
