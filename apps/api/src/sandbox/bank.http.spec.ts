import type { SandboxClockMoved } from '@tillstream/contracts';
import {
  ACCOUNT,
  ACH,
  ANSWER,
  bankSale,
  EFT,
  openBankForm,
  pass,
  RETURN,
  timesOf,
} from '../hosted-form/bank-forms/bank.testing.js';
import { eventually } from '../testing/eventually.js';
import { refusal, resultOf, startTestApi, type TestApi } from '../testing/test.api.js';

/** Faster with several at once. */
const inTens = async <Result>(count: number, run: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  while (results.length < count) results.push(...(await Promise.all(Array.from({ length: 10 }, run))));
  return results;
};

describe('The simulated bank', () => {
  let api: TestApi;
  beforeAll(async () => (api = await startTestApi()));
  afterAll(() => api.stop());

  const refund = (originalTransactionId: string, amount: number) =>
    api.transaction('refund', { originalTransactionId, amount });

  it.each([
    ['approves', 'ACH', ACCOUNT.approved, 1, 1_000],
    ['approves', 'EFT', ACCOUNT.approved, 1, 1_000],
    ['declines with 10', 'ACH', ACCOUNT.declined, 10, 0],
    ['declines with 11', 'ACH', ACCOUNT.withoutFunds, 11, 0],
    ['declines with 14, because it has no such account,', 'EFT', '98765432101', 14, 0],
  ] as const)('%s an %s payment after a day', async (_what, kind, account, responseCode, amountApproved) => {
    const id = await bankSale(api, { ACH, EFT }[kind], account, { amount: 1_000 });
    await pass(api, ANSWER - 600);
    expect(await api.look(id)).toMatchObject({ status: 'Processing' });
    await pass(api, 600);
    const sale = await api.look(id);
    expect(sale).toMatchObject({ status: 'Completed', resultCode: 0 });
    expect(sale.transactionResponses).toMatchObject([{ responseCode, amountApproved }]);
  });

  it('takes an approved payment back after three days', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    await pass(api, ANSWER);
    await pass(api, RETURN - 600);
    expect(await timesOf(api, id, 'Captured', 'BankReturned')).toEqual({ Captured: 1, BankReturned: 0 });
    await pass(api, 600);
    expect(await timesOf(api, id, 'Captured', 'BankReturned')).toEqual({ Captured: 1, BankReturned: 1 });
  });

  it('sends a notice of change, whose account number is shown nowhere', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.changed);
    await pass(api, ANSWER);
    const { text } = await api.get(`/v1/transactions/${id}/events`);
    expect(text).toContain('"code":"C01"');
    expect(text).not.toContain(ACCOUNT.approved);
  });

  it('answers refunds after a day too', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.approved, { amount: 1_000 });
    await pass(api, ANSWER);
    const back = await refund(id, 400);
    expect(back).toMatchObject({ status: 'Processing', executedAs: 'Refund' });
    await pass(api, ANSWER);
    expect(await api.look(back.id)).toMatchObject({
      status: 'Completed',
      transactionResponses: [{ responseCode: 1, amountApproved: 400 }],
    });
  });

  it('answers 120 payments at once, some twice and out of order', async () => {
    const ids = await inTens(120, () => bankSale(api, ACH, ACCOUNT.returned));
    await pass(api, ANSWER);
    for (const id of ids) expect(await api.look(id)).toMatchObject({ status: 'Completed' });
    await pass(api, RETURN);
    await pass(api, 60);
    for (const id of ids) {
      expect(await timesOf(api, id, 'Captured', 'BankReturned')).toEqual({ Captured: 1, BankReturned: 1 });
    }
  });

  describe('by amount', () => {
    it.each([
      [900_051, 11, 0],
      [900_010, 2, 450_005],
      [900_000, 1, 900_000],
    ])('%i shows its code with the bank’s answer', async (amount, responseCode, amountApproved) => {
      const id = await bankSale(api, ACH, ACCOUNT.approved, { amount });
      expect(await api.look(id)).toMatchObject({ status: 'Processing' });
      await pass(api, ANSWER);
      expect((await api.look(id)).transactionResponses).toMatchObject([{ responseCode, amountApproved }]);
    });

    it('930000 + n declines a refund at once', async () => {
      const id = await bankSale(api, ACH, ACCOUNT.approved, { amount: 2_000_000 });
      await pass(api, ANSWER);
      const back = await refund(id, 930_013);
      expect(back).toMatchObject({ status: 'Completed', transactionResponses: [{ responseCode: 13 }] });
    });
  });
});

describe('A submission without an answer', () => {
  let api: TestApi;
  // The bank executes late only after the service has annulled the payment.
  beforeAll(async () => (api = await startTestApi({ SANDBOX_BROKEN_WORD_DELAY_MS: '5000' })));
  afterAll(() => api.stop());

  const interrupted = async (amount: number): Promise<string> => {
    const form = await openBankForm(api, ACH, { amount });
    expect(refusal(await form.submit(ACH.entered()))).toBe('500 3000 Interrupted');
    return form.id;
  };
  /** Later inquiries follow the service's clock. */
  const until = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      await pass(api, 30);
      return (await api.look(id)).status === status;
    });

  it.each([920_001, 920_003])('is found by inquiry: %i', async (amount) => {
    const id = await interrupted(amount);
    await until(id, 'Processing');
    await pass(api, ANSWER);
    expect(await api.look(id)).toMatchObject({
      status: 'Completed',
      transactionResponses: [{ responseCode: 1, amountApproved: amount }],
    });
  });

  it('that never arrived ends with 50: 920002', async () => {
    const id = await interrupted(920_002);
    await until(id, 'Completed');
    expect(await api.look(id)).toMatchObject({
      transactionResponses: [{ responseCode: 50, amountApproved: 0 }],
    });
    await pass(api, ANSWER);
    expect(await timesOf(api, id, 'NotExecuted', 'Captured')).toEqual({ NotExecuted: 1, Captured: 0 });
  });

  it('that the bank executes all the same is reversed: 920006', async () => {
    const id = await interrupted(920_006);
    await until(id, 'Completed');
    await new Promise((resume) => setTimeout(resume, 5_500));
    await pass(api, ANSWER);
    await pass(api, ANSWER);
    expect(await timesOf(api, id, 'NotExecuted', 'LateApprovalFound', 'Reversed')).toEqual({
      NotExecuted: 1,
      LateApprovalFound: 1,
      Reversed: 1,
    });
  });
});

describe('Two processes with one bank', () => {
  it('tell of every answer once, whichever of them moves the clock', async () => {
    const first = await startTestApi();
    const second = await startTestApi({ DATA_DIR: first.dataDir });
    try {
      const ids = await inTens(60, () => bankSale(first, ACH));
      const move = async (api: TestApi): Promise<SandboxClockMoved> => {
        const body = { advanceSeconds: ANSWER };
        return JSON.parse(
          (await api.call('POST', '/admin/v1/sandbox/clock', { body })).text,
        ) as SandboxClockMoved;
      };
      const moved = await Promise.all([move(first), move(second)]);
      expect(moved.map(({ pending }) => pending)).toEqual([0, 0]);
      for (const id of ids) {
        const looks = await Promise.all([first, second].map((api) => api.get(`/v1/transactions/${id}`)));
        for (const look of looks) expect(resultOf(look)).toMatchObject({ status: 'Completed' });
        expect(await timesOf(first, id, 'Captured')).toEqual({ Captured: 1 });
      }
    } finally {
      await second.stop({ keepData: true });
      await first.stop();
    }
  });
});
