import { envelopeOf, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traced = (traceparent: string): Promise<Reply> =>
  api.get('/v1/payment-methods', { headers: { traceparent } });

describe('Every response', () => {
  const paths: [string, () => Promise<Reply>][] = [
    ['a success', () => api.get('/v1/payment-methods')],
    ['a refusal', () => api.operation('physical-sale', {})],
    ['a missing key', () => api.get('/v1/payment-methods', { key: null })],
    ['an unknown path', () => api.get('/nothing')],
    ['a look at its health', () => api.get('/health/live', { key: null })],
    ['an operator’s call', () => api.get('/admin/v1/sandbox/clock')],
  ];
  it.each(paths)('(%s) has a trace id, the version and the type JSON', async (_kind, call) => {
    const { headers } = await call();
    expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('x-api-version')).toBe('2026.08.03');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });

  it('has the trace id of the request’s traceparent', async () => {
    expect((await traced(`00-${TRACE}-00f067aa0ba902b7-01`)).headers.get('x-trace-id')).toBe(TRACE);
  });

  it('takes a traceparent of a later version with more parts', async () => {
    expect((await traced(`01-${TRACE}-00f067aa0ba902b7-01-extra`)).headers.get('x-trace-id')).toBe(TRACE);
  });

  it.each([
    ['zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['a zero parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${TRACE}-00f067aa0ba902b7-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`],
    ['of version 00 with more than four parts', `00-${TRACE}-00f067aa0ba902b7-01-extra`],
    ['rubbish', 'x'],
  ])('has an id of its own where the traceparent is %s', async (_kind, traceparent) => {
    const traceId = (await traced(traceparent)).headers.get('x-trace-id');
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(TRACE);
  });
});

describe('An error', () => {
  it('is an envelope of six fields and nothing else', async () => {
    const reply = await api.operation('physical-sale', { amount: 0 });
    const envelope = envelopeOf(reply);
    expect(Object.keys(envelope)).toEqual([
      'code',
      'status',
      'message',
      'traceId',
      'timestamp',
      'errorDetails',
    ]);
    expect(envelope).toMatchObject({ code: 2012, status: 'Rejected' });
    expect(envelope.traceId).toBe(reply.headers.get('x-trace-id'));
    expect(envelope.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('says of each field the code, the path, a sentence, and what was received and is allowed', async () => {
    const reply = await api.operation('physical-sale', { amount: 10, amountBreakdown: { tip: '1' } });
    expect(envelopeOf(reply).errorDetails).toEqual([
      {
        code: 2012,
        field: 'amountBreakdown.tip',
        message: 'amountBreakdown.tip must be an integer from 0 to 999999999.',
        details: 'received "1", allowed an integer from 0 to 999999999',
      },
    ]);
  });

  it('says of a missing field what is allowed', async () => {
    expect(envelopeOf(await api.operation('physical-sale', {})).errorDetails).toEqual([
      {
        code: 2012,
        field: 'amount',
        message: 'amount is missing.',
        details: 'received nothing, allowed an integer from 1 to 999999999',
      },
    ]);
  });

  it('has errorDetails even where there are none', async () => {
    expect(envelopeOf(await api.get('/v1/nothing')).errorDetails).toEqual([]);
  });

  it('never repeats a card number, in any field', async () => {
    const pan = '4242424242424242';
    const bodies = [
      { amount: Number(pan) },
      { amount: 1, invoiceNumber: `${pan}${pan}` },
      { amount: 1, orderNumber: `${pan} 12/34` },
      { amount: 1, [pan]: 1 },
      { amount: 1, referenceId: `${pan}\u0007` },
      { amount: 1, amountBreakdown: { tip: pan } },
    ];
    for (const body of bodies) {
      const reply = await api.operation('physical-sale', body);
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain(pan);
    }
    const query = await api.get(`/v1/payment-methods?${pan}=${pan}&limit=${pan}`);
    expect(query.status).toBe(400);
    expect(query.text).not.toContain(pan);
  });
});
