import type { SandboxClockMoved } from '@tillstream/contracts';
import { startTestApi, type TestApi } from '../testing/test.api.js';

const DAY = 86_400;

describe('Work that falls due when the clock is moved', () => {
  let api: TestApi;
  beforeAll(async () => (api = await startTestApi()));
  afterAll(() => api.stop());

  const move = async (body: object): Promise<SandboxClockMoved> => {
    const reply = await api.call('POST', '/admin/v1/sandbox/clock', { body });
    expect(reply.status).toBe(200);
    return JSON.parse(reply.text) as SandboxClockMoved;
  };
  const events = async (id: string) =>
    (await api.list<{ type: string; data: { amount?: number } }>(`/v1/transactions/${id}/events`)).data;

  it('is done when it answers: what an authorization has open is reversed, and it can not be captured', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    const partly = { originalTransactionId: auth.id, amount: 300 };
    await api.transaction('capture', partly);
    const moved = await move({ advanceSeconds: 8 * DAY });
    expect(moved.pending).toBe(0);
    const history = await events(auth.id);
    // In no order with the batch that has the capture: its cut-off falls due as well.
    const rest = [{ data: { amount: 700 } }];
    expect(history.filter(({ type }) => type === 'AuthorizationExpired')).toMatchObject(rest);
    expect(history.filter(({ type }) => type === 'Reversed')).toMatchObject(rest);

    const late = await api.transaction('capture', { originalTransactionId: auth.id, amount: 1 });
    expect(late).toMatchObject({
      status: 'Completed',
      resultCode: 0,
      transactionResponses: [{ responseCode: 10, hostResponseText: 'authorization expired' }],
    });
  });

  it('is done soon, also without a request that waits for it', async () => {
    const auth = await api.transaction('physical-auth', { amount: 500 });
    const moved = await move({ advanceSeconds: 8 * DAY, settle: false });
    expect(moved.ran).toBe(0);
    const until = Date.now() + 60_000;
    while ((await events(auth.id)).at(-1)?.type !== 'Reversed' && Date.now() < until) {
      await new Promise((resume) => setTimeout(resume, 50));
    }
    expect((await events(auth.id)).at(-1)?.type).toBe('Reversed');
  });

  it('is done by whichever process: both have the same clock', async () => {
    const other = await startTestApi({ DATA_DIR: api.dataDir });
    try {
      const auth = await api.transaction('physical-auth', { amount: 700 });
      const reply = await other.call('POST', '/admin/v1/sandbox/clock', {
        body: { advanceSeconds: 8 * DAY },
      });
      expect(JSON.parse(reply.text)).toMatchObject({ pending: 0 });
      expect((await events(auth.id)).at(-1)?.type).toBe('Reversed');
    } finally {
      await other.stop({ keepData: true });
    }
  });
});
