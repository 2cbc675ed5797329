import { envelopeOf, refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const sell = (body: string, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/transactions/physical-sale', { body, headers });
const createMerchant = (body: string) => api.call('POST', '/admin/v1/merchants', { body });

describe('A body in which an object has one name twice', () => {
  it('is refused on a merchant’s path: 400, 2900, with the name and its place, and no sale is made', async () => {
    const reply = await sell('{"amount":1000,"referenceId":"twice-1","amount":999999}');
    expect(refusal(reply)).toBe('400 2900 Rejected amount');
    expect(envelopeOf(reply)).toMatchObject({
      message: 'The name amount is twice in one object of the body.',
      errorDetails: [{ details: 'received the name amount twice, allowed once in each object' }],
    });
    const { data } = await api.list('/v1/transactions?referenceId=twice-1');
    expect(data).toEqual([]);
  });

  it('is refused on an operator’s path', async () => {
    const reply = await createMerchant('{"name":"Corner shop","name":"Other shop"}');
    expect(refusal(reply)).toBe('400 2900 Rejected name');
    const limits = '{"name":"Shop","unreferencedRefunds":{"enabled":true,"enabled":false}}';
    expect(refusal(await createMerchant(limits))).toBe('400 2900 Rejected unreferencedRefunds.enabled');
  });

  it('is refused in any depth, also where nothing is a field', async () => {
    const breakdown =
      '{"amount":300,"amountBreakdown":{"tip":100,"t\\u0069p":200,"amountGoodsAndServices":100}}';
    expect(refusal(await sell(breakdown))).toBe('400 2900 Rejected amountBreakdown.tip');
    expect(refusal(await sell('{"amount":1,"x":[0,{"y":1,"y":1}]}'))).toBe('400 2900 Rejected x[1].y');
    expect(refusal(await sell('{"amount":1,"__proto__":{},"__proto__":{}}'))).toBe(
      '400 2900 Rejected __proto__',
    );
    const deep = 10_000;
    const reply = await sell(`${'{"a":'.repeat(deep)}{"b":1,"b":1}${'}'.repeat(deep)}`);
    expect(refusal(reply)).toMatch(/^400 2900 Rejected (a\.){50}$/);
  });

  it('is refused before its fields, its query and its Idempotency-Key are looked at', async () => {
    const body = '{"amount":"x","amount":"y","nonsense":1}';
    expect(refusal(await sell(body, { 'idempotency-key': '' }))).toBe('400 2900 Rejected amount');
    const key = { 'idempotency-key': 'twice' };
    const first = await sell('{"amount":1000}', key);
    expect(refusal(await sell('{"amount":1000,"amount":1000}', key))).toBe('400 2900 Rejected amount');
    const again = await sell('{"amount":1000}', key);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('is refused after the key, and without any value in the answer', async () => {
    const body = '{"cvv":"987","cvv":"654","4242424242424242":1,"4242424242424242":2}';
    const path = '/v1/transactions/physical-sale';
    expect(refusal(await api.call('POST', path, { body, key: null }))).toBe('401 1000 Rejected');
    const { text } = await sell(body);
    const { traceId, timestamp, ...said } = JSON.parse(text) as Record<string, unknown>;
    expect([traceId, timestamp]).toEqual([expect.any(String), expect.any(String)]);
    expect(JSON.stringify(said)).not.toMatch(/987|654/);
    const number = await sell('{"4242424242424242":1,"4242424242424242":2}');
    expect(refusal(number)).toBe(`400 2900 Rejected ${'*'.repeat(16)}`);
    expect(number.text).not.toContain('4242');
  });

  it('is not one whose texts look like objects, nor one with a name once in each of two objects', async () => {
    const referenceId = JSON.stringify('{"amount":1,"amount":2}');
    const body = `{"amount":300,"referenceId":${referenceId},"invoiceNumber":"amount","amountBreakdown":{"tip":300}}`;
    const { status, text } = await sell(body);
    expect([status, text]).toEqual([200, expect.stringContaining('"amountApproved":300')]);
  });
});
