import type { HistoryItem } from '@tillstream/contracts';
import { eventually } from '../../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { entered, open, progressIn, TestForm } from '../form.testing.js';

const DECLINED = '4000000000000002';
/** The resolver inquires again soon, and no lost answer opens the processor's circuit breaker. */
const SETTINGS = { BREAKER_FAILURES: '0', INQUIRY_STEPS_MS: '200', INQUIRY_EVERY_MS: '200' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(SETTINGS);
});
afterAll(() => api.stop());

const sale = (body: object = {}) => TestForm.open(api, 'virtual-sale', body);
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/** How often an event of this type is in the history of a form's transaction. */
async function times({ id }: TestForm, type: string): Promise<number> {
  const { data } = await api.list<HistoryItem>(`/v1/transactions/${id}/events`);
  return data.filter((one) => one.type === type).length;
}

describe('Submissions of one form', () => {
  it('that are sent at once charge once', async () => {
    const form = await sale();
    const replies = await Promise.all([1, 2, 3, 4].map(() => form.submit()));
    const others = replies.filter(({ status }) => status !== 200);
    expect(others).toHaveLength(3);
    for (const reply of others) expect(refusal(reply)).toMatch(/^(409 3401|400 3201) Rejected$/);
    expect(await times(form, 'Authorized')).toBe(1);
    expect(await times(form, 'TryRequested')).toBe(1);
  });

  it('are refused once it is over', async () => {
    const form = await sale();
    await form.submitted();
    expect(refusal(await form.submit())).toBe('400 3201 Rejected');
    expect(refusal(await form.cancel())).toBe('400 3201 Rejected');
    expect(await times(form, 'Authorized')).toBe(1);
  });

  it('with the same key are one attempt, also if the card differs', async () => {
    const form = await sale();
    const first = await form.submitted(entered(DECLINED), withKey('one'));
    expect(await form.submitted(entered(DECLINED), withKey('one'))).toEqual(first);
    expect(await form.submitted(entered(), withKey('one'))).toEqual(first);
    const second = await form.submitted(entered(), withKey('two'));
    expect(second).toMatchObject({ status: 'Completed', responseCode: 1 });
    expect(await form.submitted(entered(), withKey('two'))).toEqual(second);
    expect((await form.look()).transactionResponses).toHaveLength(2);
  });

  it('with the same key at once charge once', async () => {
    const form = await sale();
    const replies = await Promise.all([1, 2, 3].map(() => form.submit(entered(), withKey('same'))));
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(refusal(reply)).toBe('409 3401 Rejected');
    expect(await form.submitted(entered(), withKey('same'))).toMatchObject({ responseCode: 1 });
    expect(await times(form, 'Authorized')).toBe(1);
  });

  it('may have the keys of another form', async () => {
    const [one, two] = [await sale(), await sale()];
    await one.submitted(entered(), withKey('shared'));
    expect(await two.submitted(entered(), withKey('shared'))).toMatchObject({ responseCode: 1 });
    expect(await times(two, 'Authorized')).toBe(1);
  });
});

describe('A form that the customer cancels', () => {
  it('before an attempt is Cancelled with 55, and cancelling again changes nothing', async () => {
    const form = await sale({ returnUrl: 'https://shop.example/back' });
    const progress = progressIn(await form.cancel());
    expect(progress).toMatchObject({ status: 'Cancelled', resultCode: 55, triesLeft: 0 });
    const { searchParams } = new URL(progress.redirectUrl ?? '');
    expect([...searchParams.keys()]).toEqual(['transactionId', 'referenceId', 'status', 'resultCode']);
    expect(progressIn(await form.cancel())).toEqual(progress);
    expect(await form.look()).toMatchObject({
      status: 'Cancelled',
      resultCode: 55,
      transactionResponses: [],
    });
    expect(refusal(await form.submit())).toBe('400 3201 Rejected');
  });

  it('after a failed attempt has the result of that attempt', async () => {
    const form = await sale();
    await form.submitted(entered(DECLINED));
    expect(progressIn(await form.cancel())).toMatchObject({
      status: 'Completed',
      resultCode: 6900,
      responseCode: 10,
    });
  });

  it('during an attempt goes on: 409', async () => {
    const form = await sale({ amount: 920_001 });
    const submitted = form.submit();
    await eventually(async () => (await times(form, 'TryRequested')) === 1);
    expect(refusal(await form.cancel())).toBe('409 3401 Rejected');
    expect(refusal(await submitted)).toBe('500 3000 Interrupted');
  });
});

describe('A submission with an unknown outcome', () => {
  it.each([
    [920_001, 'Completed 0 1'],
    [920_002, 'Completed 0 50'],
    [920_003, 'Completed 0 1'],
  ])(
    'for %i is Interrupted, and the resolver finishes it as %s',
    async (amount, ending) => {
      const form = await sale({ amount });
      const reply = await form.submit(entered(), withKey('lost'));
      expect(refusal(reply)).toBe('500 3000 Interrupted');
      expect(envelopeOf(reply).errorDetails[0]?.details).toBe(form.id);
      expect((await form.session()).status).toBe('Interrupted');
      expect(refusal(await form.submit())).toBe('409 3401 Rejected');
      expect(refusal(await form.submit(entered(), withKey('lost')))).toBe('500 3000 Interrupted');
      await eventually(async () => (await form.session()).status === 'Completed');
      const { data } = await api.list(`/v1/transactions?id=${form.id}`);
      const shown = data.map(
        ({ status, resultCode, transactionResponses: [first] }) =>
          `${status} ${resultCode} ${first?.responseCode}`,
      );
      expect(shown).toEqual([ending]);
      expect(await form.submitted(entered(), withKey('lost'))).toMatchObject({ status: 'Completed' });
      expect(refusal(await form.submit())).toBe('400 3201 Rejected');
    },
    60_000,
  );

  it('that the processor refused to take was not sent, and nothing moved', async () => {
    const form = await sale({ amount: 920_004 });
    const reply = await form.submit();
    expect(refusal(reply)).toBe('500 9000 Rejected');
    expect(envelopeOf(reply).errorDetails[0]?.details).toBe(form.id);
    expect(await form.look()).toMatchObject({ status: 'Cancelled', resultCode: 9998 });
    expect(await form.session()).toMatchObject({ status: 'Cancelled', resultCode: 9998, triesLeft: 0 });
  });

  it('of a card to be stored is finished too', async () => {
    const form = TestForm.of(api, await open(api, 'token'));
    expect(await form.submitted()).toMatchObject({ status: 'Completed' });
    expect((await form.look()).paymentMethod.type).toBe('Token');
  });
});
