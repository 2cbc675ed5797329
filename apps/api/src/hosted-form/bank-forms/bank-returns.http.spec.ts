import type { Batch, BatchClosing, HistoryItem, TransactionResult } from '@tillstream/contracts';
import { noLog } from '@tillstream/platform';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { ACCOUNT, ACH, ANSWER, bankSale, EFT, historyOf, pass, RETURN, timesOf } from './bank.testing.js';

const AMOUNT = 1_250;
const alerts: unknown[] = [];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { ...noLog, error: (...line: unknown[]) => void alerts.push(line) });
});
afterAll(() => api.stop());
beforeEach(() => void alerts.splice(0));

const closeUsd = async (): Promise<Batch> => {
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/batches/close`;
  const { text } = await api.call('POST', path, { body: { currency: 'USD' } });
  return (JSON.parse(text) as BatchClosing).data[0] as Batch;
};
const refund = (originalTransactionId: string, amount?: number): Promise<TransactionResult> =>
  api.transaction('refund', { originalTransactionId, ...(amount !== undefined && { amount }) });
const refused = async (originalTransactionId: string, amount?: number): Promise<string> =>
  refusal(await api.operation('refund', { originalTransactionId, ...(amount !== undefined && { amount }) }));
const first = ({ transactionResponses: [response] }: TransactionResult) => response;

interface BatchedItem {
  readonly batchId: string;
  readonly amount: number;
  readonly returnId?: string;
}
/** What batches took of the payment, in order. */
const batched = async (id: string): Promise<readonly BatchedItem[]> =>
  (await historyOf(api, id))
    .filter(({ type }: HistoryItem) => type === 'Batched')
    .map(({ data }) => data as unknown as BatchedItem);

describe('A bank return', () => {
  it('after the batch of its sale has closed goes into a later batch', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    await pass(api, ANSWER + 1);
    const ofSale = await closeUsd();
    expect((await api.look(id)).batchId).toBe(ofSale.id);
    await pass(api, RETURN);
    expect(await timesOf(api, id, 'BankReturned')).toEqual({ BankReturned: 1 });
    await closeUsd();
    const [sale, returned, ...more] = await batched(id);
    expect(sale).toMatchObject({ batchId: ofSale.id, amount: AMOUNT });
    expect(returned).toMatchObject({ amount: -AMOUNT, returnId: expect.any(String) });
    expect(returned?.batchId).not.toBe(ofSale.id);
    expect(more).toEqual([]);
    expect(await api.look(id)).toMatchObject({ status: 'Completed', batchId: ofSale.id });
  });

  it('while the batch of its sale is open is debited all the same', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    // The answer, the return and the cut-offs of these days fall due at once.
    await pass(api, ANSWER + RETURN + 1);
    await pass(api, RETURN);
    await closeUsd();
    expect(await timesOf(api, id, 'Captured', 'BankReturned')).toEqual({ Captured: 1, BankReturned: 1 });
    const items = await batched(id);
    expect(items.map(({ amount }) => amount).sort((one, other) => other - one)).toEqual([AMOUNT, -AMOUNT]);
  });

  it('leaves nothing to refund', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    await pass(api, ANSWER + 1);
    await pass(api, RETURN);
    expect(await refused(id)).toBe('400 2012 Rejected amount');
    expect(await refused(id, 1)).toBe('400 2012 Rejected amount');
    expect(alerts.filter((line) => JSON.stringify(line).includes('limit-broken'))).toEqual([]);
  });

  it('after a refund is recorded, and alerts the operator', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    await pass(api, ANSWER + 1);
    const given = await refund(id, 400);
    await pass(api, ANSWER + 1);
    expect(await api.look(given.id)).toMatchObject({ status: 'Completed', executedAs: 'Refund' });
    await pass(api, RETURN);
    const { BankReturned, Refunded } = await timesOf(api, id, 'BankReturned', 'Refunded');
    expect([BankReturned, Refunded]).toEqual([1, 1]);
    const broken = alerts.filter((line) => (line as [string])[0] === 'limit-broken');
    expect(JSON.stringify(broken)).toContain(id);
    expect(await refused(id, 1)).toBe('400 2012 Rejected amount');
  });

  it('before a refund has its outcome is recorded, and the refund keeps its own', async () => {
    const id = await bankSale(api, ACH, ACCOUNT.returned);
    await pass(api, ANSWER + 1);
    await pass(api, RETURN - 3_600);
    const given = await refund(id, 400);
    expect(given).toMatchObject({ status: 'Processing', resultCode: 4001 });
    await pass(api, 7_200);
    expect(await timesOf(api, id, 'BankReturned')).toEqual({ BankReturned: 1 });
    await pass(api, ANSWER);
    expect(['Completed 1', 'Completed 10', 'Completed 20']).toContain(
      `${(await api.look(given.id)).status} ${first(await api.look(given.id))?.responseCode}`,
    );
  });
});

describe.each([ACH, EFT])('A refund of an $name payment', (kind) => {
  it('is executed as a refund, and Processing until the bank answers', async () => {
    const id = await bankSale(api, kind);
    await pass(api, ANSWER + 1);
    const given = await refund(id, 400);
    expect(given).toMatchObject({
      type: 'Refund',
      status: 'Processing',
      resultCode: 4001,
      executedAs: 'Refund',
      amount: 400,
      originalTransactionId: id,
      transactionResponses: [{ responseCode: 57, amountApproved: 0 }],
    });
    expect(await refused(id)).toMatch(/^409 3401 Rejected/);
    expect(await refused(id, 900)).toMatch(/^409 3401 Rejected/);
    await pass(api, ANSWER + 1);
    const done = await api.look(given.id);
    expect(done).toMatchObject({ status: 'Completed', resultCode: 0, executedAs: 'Refund' });
    expect(done.transactionResponses).toMatchObject([{ responseCode: 1, amountApproved: 400 }]);
    expect(await timesOf(api, id, 'Refunded', 'Voided')).toEqual({ Refunded: 1, Voided: 0 });
    expect(await refused(id)).toBe('400 2012 Rejected amount');
    expect((await refund(id, 850)).status).toBe('Processing');
    expect(refusal(await api.operation('void', { originalTransactionId: given.id }))).toMatch(
      /^400 20(10|11) Rejected/,
    );
  });
});
