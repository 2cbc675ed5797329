import { eventually } from '../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { entered, open, TestForm } from './form.testing.js';

const DECLINED = '4000000000000002';
const LIFETIME_SECONDS = 30 * 60;

let api: TestApi;
beforeAll(async () => {
  // An attempt is in flight for longer than the tests take.
  api = await startTestApi({ PROCESSOR_DEADLINE_MS: '8000', TERMINAL_DEADLINE_MS: '8000' });
});
afterAll(() => api.stop());

const sale = (body: object = {}) => TestForm.open(api, 'virtual-sale', body);

async function advance(advanceSeconds: number): Promise<void> {
  const body = { advanceSeconds, settle: false };
  const reply = await api.call('POST', '/admin/v1/sandbox/clock', { body });
  if (reply.status !== 200) throw new Error(reply.text);
}

describe('A form whose time has passed', () => {
  it.each(['virtual-sale', 'unreferenced-virtual-refund', 'token'])(
    'of a %s without an attempt is Expired with 3010, and takes nothing',
    async (name) => {
      const form = TestForm.of(api, await open(api, name, { returnUrl: 'https://shop.example/back' }));
      await advance(LIFETIME_SECONDS - 60);
      expect((await form.session()).status).toBe('Pending');
      await advance(61);
      expect(refusal(await form.submit())).toBe('400 3205 Rejected');
      expect(refusal(await form.submit(entered(), { headers: { 'idempotency-key': 'late' } }))).toBe(
        '400 3205 Rejected',
      );
      const session = await form.session();
      expect(session).toMatchObject({ status: 'Expired', resultCode: 3010, triesLeft: 0 });
      expect(new URL(session.redirectUrl ?? '').searchParams.get('status')).toBe('Expired');
      expect(session.now > session.expiresAt).toBe(true);
      const shown = await form.look();
      expect(shown).toMatchObject({ status: 'Expired', resultCode: 3010, transactionResponses: [] });
      expect(shown.form).toBeUndefined();
    },
  );

  it('is ended without a call of its page too', async () => {
    const form = await sale();
    await advance(LIFETIME_SECONDS + 1);
    await eventually(async () => (await form.look()).status === 'Expired');
  });

  it('has the result of its last attempt, if there was one', async () => {
    const form = await sale();
    await form.submitted(entered(DECLINED));
    await advance(LIFETIME_SECONDS + 1);
    expect(refusal(await form.submit())).toBe('400 3205 Rejected');
    expect(await form.look()).toMatchObject({ status: 'Completed', resultCode: 6900 });
  });

  it('does not end during an attempt: the outcome counts', async () => {
    const form = await sale({ amount: 920_005 });
    const submitted = form.submitted();
    await eventually(async () => {
      const { data } = await api.list<{ readonly type: string }>(`/v1/transactions/${form.id}/events`);
      return data.some(({ type }) => type === 'TryRequested');
    });
    await advance(LIFETIME_SECONDS + 1);
    expect(refusal(await form.submit())).toBe('409 3401 Rejected');
    expect(refusal(await form.cancel())).toBe('409 3401 Rejected');
    expect(await submitted).toMatchObject({ status: 'Completed', resultCode: 0, responseCode: 1 });
    expect((await form.look()).status).toBe('Completed');
  }, 30_000);
});

describe('The expiry of a card', () => {
  it('counts to the end of its month by the clock of the service', async () => {
    const form = await sale();
    const { now } = await form.session();
    const month = new Date(now);
    const of = (date: Date) => `${date.toISOString().slice(5, 7)}${date.toISOString().slice(2, 4)}`;
    const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 1));
    const { card, billingContact } = entered();
    const past = await form.submit({ card: { ...card, expDate: of(last) }, billingContact });
    expect(refusal(past)).toBe('400 2000 Rejected card.expDate');
    expect(envelopeOf(past).errorDetails[0]?.details).not.toContain(of(last));
    const current = { card: { ...card, expDate: of(month) }, billingContact };
    expect(await form.submitted(current)).toMatchObject({ responseCode: 1 });
  });
});
