import type { TransactionResult } from '@tillstream/contracts';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import {
  ACCOUNT,
  ACH,
  ANSWER,
  bankSale,
  bankToken,
  EFT,
  historyOf,
  pass,
  RETURN,
  timesOf,
  type BankKind,
} from './bank.testing.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** `Completed 0 1 1250`: status, result code, response code and approved amount. */
const shown = ({ status, resultCode, transactionResponses: [first] }: TransactionResult): string =>
  [status, resultCode, first?.responseCode, first?.amountApproved].join(' ');

/** Each account of the sandbox: response code of the bank, what follows later. */
const ACCOUNTS: readonly [account: string, ending: string, later: string | undefined][] = [
  [ACCOUNT.approved, 'Completed 0 1 1250', undefined],
  [ACCOUNT.declined, 'Completed 0 10 0', undefined],
  [ACCOUNT.withoutFunds, 'Completed 0 11 0', undefined],
  [ACCOUNT.returned, 'Completed 0 1 1250', 'BankReturned'],
  [ACCOUNT.changed, 'Completed 0 1 1250', 'NoticeOfChangeReceived'],
  ['987654321', 'Completed 0 14 0', undefined],
];

/** What every bank payment shows, from its acceptance on. */
async function followed(ids: readonly string[], waiting: string): Promise<void> {
  for (const id of ids) expect(shown(await api.look(id))).toBe(waiting);
  await pass(api, ANSWER - 60);
  for (const id of ids) expect(shown(await api.look(id))).toBe(waiting);
  await pass(api, 120);
  for (const [index, [, ending]] of ACCOUNTS.entries()) {
    const { id = '', ...result } = await api.look(ids[index] ?? '');
    expect(shown({ id, ...result })).toBe(ending);
    expect(result.transactionResponses).toHaveLength(1);
    expect(result.transactionResponses[0]?.responseCode).not.toBe(57);
  }
  await pass(api, RETURN);
  for (const [index, [, ending, later]] of ACCOUNTS.entries()) {
    const id = ids[index] ?? '';
    expect(shown(await api.look(id))).toBe(ending);
    const { Captured, Declined, BankReturned, NoticeOfChangeReceived } = await timesOf(
      api,
      id,
      'Captured',
      'Declined',
      'BankReturned',
      'NoticeOfChangeReceived',
    );
    // One outcome, so one `sale.completed`.
    expect(Captured + Declined).toBe(1);
    expect({ BankReturned, NoticeOfChangeReceived }).toEqual({
      BankReturned: later === 'BankReturned' ? 1 : 0,
      NoticeOfChangeReceived: later === 'NoticeOfChangeReceived' ? 1 : 0,
    });
  }
}

describe.each([ACH, EFT])('Bank payments through the $name form', (kind: BankKind) => {
  it('are decided by the bank after 24 hours, as the account says', async () => {
    const ids: string[] = [];
    for (const [account] of ACCOUNTS) ids.push(await bankSale(api, kind, account));
    await followed(ids, 'Processing 0 57 0');
    const [first = ''] = ids;
    const { accountType } = (await api.look(first)).transactionResponses[0] ?? {};
    expect(accountType).toBe(kind.accountType === 'checking' ? 'Checking' : undefined);
  });

  it('of an amount with a meaning have it in the answer of the bank', async () => {
    const id = await bankSale(api, kind, ACCOUNT.approved, { amount: 900_051 });
    expect(shown(await api.look(id))).toBe('Processing 0 57 0');
    await pass(api, ANSWER + 1);
    expect(shown(await api.look(id))).toBe('Completed 0 11 0');
  });

  it('can not be voided or captured', async () => {
    const id = await bankSale(api, kind);
    const original = { originalTransactionId: id };
    expect(refusal(await api.operation('void', original))).toMatch(/^400 2010 Rejected/);
    expect(refusal(await api.operation('capture', original))).toMatch(/^400 2011 Rejected/);
    expect(refusal(await api.operation('refund', original))).toMatch(/^409 3401 Rejected/);
    await pass(api, ANSWER + 1);
    expect(refusal(await api.operation('void', original))).toMatch(/^400 2010 Rejected/);
  });
});

describe('Bank payments with a stored account', () => {
  it('are Processing with 4001, and are decided by the bank after 24 hours', async () => {
    const ids: string[] = [];
    for (const [account] of ACCOUNTS) {
      const paymentMethodId = await bankToken(api, account);
      ids.push((await api.transaction('token-sale', { amount: 1_250, paymentMethodId })).id);
    }
    await followed(ids, 'Processing 4001 57 0');
    for (const id of ids) {
      const { paymentMethod, transactionResponses } = await api.look(id);
      expect(paymentMethod).toMatchObject({ type: 'Token', accountType: 'Checking' });
      expect(paymentMethod.accountNumber).toMatch(/^\*+\d{4}$/);
      expect(transactionResponses[0]?.accountType).toBe('Checking');
    }
  });

  it('can not be authorized', async () => {
    const paymentMethodId = await bankToken(api);
    expect(refusal(await api.operation('token-auth', { amount: 100, paymentMethodId }))).toBe(
      '400 2010 Rejected paymentMethodId',
    );
  });
});

describe('A notice of change', () => {
  it('is in the history with its code, and without the corrected account', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.changed);
    await pass(api, ANSWER + 1);
    await pass(api, RETURN);
    const history = await historyOf(api, id);
    expect(history.filter(({ type }) => type === 'NoticeOfChangeReceived')).toMatchObject([
      { data: { code: 'C01', noticeId: expect.any(String) } },
    ]);
    expect(JSON.stringify(history)).not.toMatch(/ciphertext|0003333/);
  });
});

describe('Of ten bank payments', () => {
  it('the one whose answers come twice and out of order has one outcome and one return', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(await bankSale(api, ACH, ACCOUNT.returned));
    await pass(api, ANSWER + 1);
    await pass(api, RETURN + 1);
    await pass(api, RETURN);
    for (const id of ids) {
      expect(shown(await api.look(id))).toBe('Completed 0 1 1250');
      expect(
        await timesOf(api, id, 'Submitted', 'Authorized', 'Captured', 'BankReturned', 'Declined'),
      ).toEqual({
        Submitted: 1,
        Authorized: 1,
        Captured: 1,
        BankReturned: 1,
        Declined: 0,
      });
    }
  });
});

describe('The list of transactions', () => {
  it('finds bank payments that wait for their bank, until it answers', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.withoutFunds, { orderNumber: 'BANKLIST' });
    const found = async (query: string) =>
      (await api.list(`/v1/transactions?orderNumber=BANKLIST&${query}`)).data.map((one) => one.id);
    expect(await found('status=Processing&responseCode=57')).toEqual([id]);
    expect(await found(`paymentMethodId=${api.method('ACH form').id}`)).toEqual([id]);
    expect(await found('status=Completed')).toEqual([]);
    const { data } = await api.list(`/v1/transactions?id=${id}`);
    expect(data).toEqual([await api.look(id)]);
    await pass(api, ANSWER + 1);
    expect(await found('status=Processing')).toEqual([]);
    expect(await found('status=Completed&responseCode=11')).toEqual([id]);
  });
});

describe('A service that was stopped', () => {
  it('goes on with bank payments, whose answers came meanwhile', async () => {
    const first = await startTestApi();
    const ids = [await bankSale(first, ACH, ACCOUNT.approved), await bankSale(first, EFT, ACCOUNT.declined)];
    const { dataDir } = first;
    await pass(first, ANSWER - 60);
    await first.stop({ keepData: true });
    const again = await startTestApi({ DATA_DIR: dataDir });
    try {
      for (const id of ids) expect(shown(await again.look(id))).toBe('Processing 0 57 0');
      await pass(again, 120);
      expect(shown(await again.look(ids[0] ?? ''))).toBe('Completed 0 1 1250');
      expect(shown(await again.look(ids[1] ?? ''))).toBe('Completed 0 10 0');
    } finally {
      await again.stop();
    }
  });
});
