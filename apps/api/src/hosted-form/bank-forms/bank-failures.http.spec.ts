import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { eventually } from '../../testing/eventually.js';
import { ACH, ANSWER, bankToken, openBankForm, pass, timesOf } from './bank.testing.js';

/** The resolver inquires again soon, and no lost answer opens the processor's circuit breaker. */
const SETTINGS = { BREAKER_FAILURES: '0', INQUIRY_STEPS_MS: '200', INQUIRY_EVERY_MS: '200' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(SETTINGS);
});
afterAll(() => api.stop());

const settled = async (id: string, status: string): Promise<void> =>
  eventually(async () => (await api.look(id)).status === status);

describe('A bank payment with a lost answer', () => {
  it.each([920_001, 920_003])(
    'for %i is Interrupted, then Processing, and decided by the bank once',
    async (amount) => {
      const form = await openBankForm(api, ACH, { amount });
      const reply = await form.submit(ACH.entered());
      expect(refusal(reply)).toBe('500 3000 Interrupted');
      expect(envelopeOf(reply).errorDetails[0]?.details).toBe(form.id);
      expect(refusal(await form.submit(ACH.entered()))).toBe('409 3401 Rejected');
      await settled(form.id, 'Processing');
      expect(await form.look()).toMatchObject({
        resultCode: 0,
        transactionResponses: [{ responseCode: 57 }],
      });
      await pass(api, ANSWER + 60);
      expect(await form.look()).toMatchObject({
        status: 'Completed',
        transactionResponses: [{ responseCode: 1, amountApproved: amount }],
      });
      expect(await timesOf(api, form.id, 'ConsentGiven', 'Captured')).toEqual({
        ConsentGiven: 1,
        Captured: 1,
      });
    },
    60_000,
  );

  it('that never reached the processor ends with 50, and the bank is never asked', async () => {
    const form = await openBankForm(api, ACH, { amount: 920_002 });
    expect(refusal(await form.submit(ACH.entered()))).toBe('500 3000 Interrupted');
    await settled(form.id, 'Completed');
    await pass(api, ANSWER + 60);
    expect(await form.look()).toMatchObject({
      transactionResponses: [{ responseCode: 50, amountApproved: 0 }],
    });
  }, 60_000);

  it('that the processor refused to take was not sent, and the form is over', async () => {
    const form = await openBankForm(api, ACH, { amount: 920_004 });
    expect(refusal(await form.submit(ACH.entered()))).toBe('500 9000 Rejected');
    expect(await form.look()).toMatchObject({ status: 'Cancelled', resultCode: 9998 });
    expect(refusal(await form.submit(ACH.entered()))).toBe('400 3201 Rejected');
  });

  it('with a stored account is found too, with 4001', async () => {
    const paymentMethodId = await bankToken(api);
    const reply = await api.operation('token-sale', { amount: 920_001, paymentMethodId });
    expect(refusal(reply)).toBe('500 3000 Interrupted');
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await settled(id, 'Processing');
    expect(await api.look(id)).toMatchObject({
      resultCode: 4001,
      transactionResponses: [{ responseCode: 57 }],
    });
    await pass(api, ANSWER + 60);
    expect(await api.look(id)).toMatchObject({
      status: 'Completed',
      transactionResponses: [{ responseCode: 1 }],
    });
  }, 60_000);
});

describe('A refund of a bank payment with a lost answer', () => {
  it('is found, is Processing, and is executed once', async () => {
    const form = await openBankForm(api, ACH, { amount: 2_000_000 });
    await form.submitted(ACH.entered());
    await pass(api, ANSWER + 60);
    const body = { originalTransactionId: form.id, amount: 920_001 };
    const reply = await api.operation('refund', body);
    expect(refusal(reply)).toBe('500 3000 Interrupted');
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await settled(id, 'Processing');
    await pass(api, ANSWER + 60);
    expect(await api.look(id)).toMatchObject({
      status: 'Completed',
      executedAs: 'Refund',
      transactionResponses: [{ responseCode: 1, amountApproved: 920_001 }],
    });
    expect(await timesOf(api, form.id, 'Refunded')).toEqual({ Refunded: 1 });
  }, 60_000);
});
