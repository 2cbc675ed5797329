import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noLog, type ProcessorFactory } from '@tillstream/platform';
import { openSimulatedProcessor, SlowBank, SUBMITTED_AMOUNT } from '@tillstream/processors/testing';
import { eventually } from '../../testing/eventually.js';
import { resultOf, startTestApi, type TestApi } from '../../testing/test.api.js';

describe('A processor whose bank answers later', () => {
  const books = mkdtempSync(join(tmpdir(), 'slow-bank-'));
  let bank: SlowBank;
  let api: TestApi;
  const pier = (): ProcessorFactory => ({
    name: 'pier',
    isConfigured: () => true,
    open: async () => {
      const { processor, close } = openSimulatedProcessor('pier', join(books, 'pier.db'));
      return {
        processor: bank.wrap(processor),
        notices: bank.notices('pier'),
        wrongSettings: async () => [],
        trouble: async () => [],
        close,
      };
    },
  });
  const started = (settings: Record<string, string> = {}): Promise<TestApi> =>
    startTestApi({ PROCESSOR_ROUTES: '*/*/*=pier:p-7', ...settings }, noLog, [pier()]);
  const submitted = async (): Promise<string> => {
    const sale = resultOf(await api.operation('physical-sale', { amount: SUBMITTED_AMOUNT }));
    expect(sale).toMatchObject({ status: 'Processing' });
    return sale.id;
  };
  const completed = (id: string): Promise<void> =>
    eventually(async () => (await api.look(id)).status === 'Completed');

  beforeEach(() => void (bank = new SlowBank()));
  afterEach(() => api.stop());
  afterAll(() => rmSync(books, { recursive: true }));

  it.each([
    ['Approved', 1, SUBMITTED_AMOUNT],
    ['Declined', 11, 0],
  ] as const)('a notice ends the sale: %s', async (outcome, responseCode, amountApproved) => {
    api = await started();
    const id = await submitted();
    await bank.settle(`${id}.1`, outcome);
    await completed(id);
    expect(await api.look(id)).toMatchObject({ transactionResponses: [{ responseCode, amountApproved }] });
    await eventually(async () => bank.unacknowledged === 0);
  });

  it('where the notice is lost, an inquiry finds the answer', async () => {
    bank.losesNotices = true;
    api = await started({ BANK_ANSWER_WITHIN_MS: '500' });
    const id = await submitted();
    await bank.settle(`${id}.1`, 'Approved');
    await completed(id);
    expect(await api.look(id)).toMatchObject({ transactionResponses: [{ responseCode: 1 }] });
  });

  it('the next start handles a notice that waited while the service was stopped', async () => {
    api = await started();
    const id = await submitted();
    const { dataDir } = api;
    await api.stop({ keepData: true });
    await bank.settle(`${id}.1`, 'Declined');
    expect(bank.unacknowledged).toBe(1);
    api = await started({ DATA_DIR: dataDir });
    await completed(id);
    await eventually(async () => bank.unacknowledged === 0);
  });
});
