import type { ListPage, ProcessorState, Readiness } from '@tillstream/contracts';
import {
  envelopeOf,
  refusal,
  startTestApi,
  type Call,
  type Reply,
  type TestApi,
} from '../../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const path = '/admin/v1/processors';
const stop = (body: unknown = { reason: 'wrong amounts' }, call: Call = {}) =>
  api.call('POST', `${path}/sandbox/stop`, { body, ...call });
const resume = (body: unknown = {}) => api.call('POST', `${path}/sandbox/resume`, { body });
const state = (reply: Reply) => JSON.parse(reply.text) as ProcessorState;
const sell = (on = api) => on.operation('physical-sale', { amount: 1_000 });
afterEach(() => resume());

describe('The processors', () => {
  it('are listed, with the state of their breaker', async () => {
    expect(await api.list<ProcessorState>(path)).toEqual({
      data: [{ name: 'sandbox', state: 'Closed' }],
      hasMore: false,
      nextCursor: null,
    } satisfies ListPage<ProcessorState>);
  });

  it('are for operators only', async () => {
    expect(refusal(await api.get(path, { key: api.key }))).toBe('401 1000 Rejected');
    expect(refusal(await stop({ reason: 'x' }, { key: api.key }))).toBe('401 1000 Rejected');
  });
});

describe('A processor that an operator stopped', () => {
  it('says who did it, why and since when', async () => {
    const stopped = { by: 'Ada', reason: 'wrong amounts', since: expect.stringMatching(/^20.*Z$/) as string };
    const reply = await stop(undefined, { headers: { 'x-actor': 'Ada' } });
    expect([reply.status, state(reply)]).toEqual([200, { name: 'sandbox', state: 'Closed', stopped }]);
    expect((await api.list<ProcessorState>(path)).data).toEqual([
      { name: 'sandbox', state: 'Closed', stopped },
    ]);
  });

  it('is sent nothing: 500, 9000, Rejected with the reason; a look shows Cancelled, 9998, 50', async () => {
    await stop();
    const reply = await sell();
    expect(refusal(reply)).toBe('500 9000 Rejected');
    const [about, why] = envelopeOf(reply).errorDetails;
    expect(why?.details).toBe('processor sandbox is stopped by an operator: wrong amounts');
    const looked = await api.look(about?.details ?? '');
    expect(looked).toMatchObject({ status: 'Cancelled', resultCode: 9998 });
    expect(looked.transactionResponses[0]?.responseCode).toBe(50);
  });

  it.each(['capture', 'refund', 'void'])('gets no %s either', async (operation) => {
    const original = await api.transaction(operation === 'capture' ? 'physical-auth' : 'physical-sale', {
      amount: 1_000,
    });
    await stop();
    const asked = { originalTransactionId: original.id, amount: 400 };
    expect(refusal(await api.operation(operation, asked))).toBe('500 9000 Rejected');
    await resume();
    expect((await api.transaction(operation, asked)).status).toBe('Completed');
  });

  it('checks no card that is to be stored', async () => {
    await stop();
    expect(refusal(await api.store())).toBe('500 9000 Rejected');
  });

  it('keeps the key of a request: a repeat gets the same answer after it was resumed', async () => {
    await stop();
    const keyed = () =>
      api.operation('physical-sale', { amount: 1_000 }, { headers: { 'idempotency-key': 'held' } });
    const first = await keyed();
    await resume();
    expect((await keyed()).text).toBe(first.text);
  });

  it('leaves lists and look-ups as they are, and shows as a warning in /health/ready', async () => {
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    await stop();
    expect((await api.list('/v1/transactions?limit=1')).data).toHaveLength(1);
    expect((await api.look(sale.id)).status).toBe('Completed');
    const warned = await until(async () => {
      const ready = await api.get('/health/ready', { key: null });
      const { checks } = JSON.parse(ready.text) as Readiness;
      const found = checks.find(({ name }) => name === 'processors');
      return ready.status === 200 && found?.state === 'warning' ? found : undefined;
    });
    expect(warned.reason).toMatch(/^processor sandbox is stopped by .*: wrong amounts$/);
  });

  it('is resumed at once', async () => {
    await stop();
    const reply = await resume({ reason: 'fixed' });
    expect([reply.status, state(reply)]).toEqual([200, { name: 'sandbox', state: 'Closed' }]);
    expect((await sell()).status).toBe(200);
  });

  it('is stopped on every other instance within 2 s, and stays so over a restart', async () => {
    const other = await startTestApi({ DATA_DIR: api.dataDir });
    expect((await sell(other)).status).toBe(200);
    await stop();
    await until(async () => ((await sell(other)).status === 500 ? true : undefined), 2_500);
    await other.stop({ keepData: true });
    const later = await startTestApi({ DATA_DIR: api.dataDir });
    expect((await sell(later)).status).toBe(500);
    await later.stop({ keepData: true });
  });

  it('is resolved all the same where something was unknown before', async () => {
    const unknown = await api.operation('physical-sale', { amount: 920_001 });
    await stop();
    const id = envelopeOf(unknown).errorDetails[0]?.details ?? '';
    const known = await until(async () => {
      const looked = await api.look(id);
      return looked.status === 'Completed' ? looked : undefined;
    }, 20_000);
    expect(known.transactionResponses[0]?.responseCode).toBe(1);
  });
});

describe('A request to stop or resume', () => {
  it.each([
    [{}, '400 2000 Rejected reason'],
    [{ reason: '' }, '400 2000 Rejected reason'],
    [{ reason: '  ' }, '400 2000 Rejected reason'],
    [{ reason: 'x'.repeat(201) }, '400 2000 Rejected reason'],
    [{ reason: 1 }, '400 2000 Rejected reason'],
    [{ reason: 'a', why: 'b' }, '400 2000 Rejected why'],
  ])('%j to stop: %s', async (body, refused) => {
    expect(refusal(await stop(body))).toBe(refused);
  });

  it('needs a body to stop, and none to resume', async () => {
    expect(refusal(await api.call('POST', `${path}/sandbox/stop`))).toBe('400 2900 Rejected body');
    expect((await api.call('POST', `${path}/sandbox/resume`)).status).toBe(200);
  });

  it('of a processor that is not there: 404, 4000', async () => {
    for (const step of ['stop', 'resume']) {
      const reply = await api.call('POST', `${path}/nobody/${step}`, { body: { reason: 'x' } });
      expect(refusal(reply)).toBe('404 4000 Rejected');
    }
  });

  it('repeated under its key is done once, even after the opposite', async () => {
    const call = { headers: { 'idempotency-key': 'stop-1' } };
    const first = await stop(undefined, call);
    await resume();
    const again = await stop(undefined, call);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await sell()).status).toBe(200);
  });
});

/** What is there within the time. */
async function until<Found>(look: () => Promise<Found | undefined>, ms = 10_000): Promise<Found> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`not there after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
