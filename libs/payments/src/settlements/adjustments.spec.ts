import {
  batches,
  closeBatches,
  closeBatchesSetup,
  closeFirstBatch,
  loadBatch,
  moveClockTo,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
} from '../testing/batches.setup.js';
import { settlements } from '../testing/settlements.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

const adjust = (more: object = {}) =>
  batches.recordAdjustment({
    ...{ actor: operator, merchantId: setup.merchant.id, currency: 'USD' },
    ...{ amount: -2_500, reason: 'Terminal rental', waitMs: 1_000 },
    ...more,
  });

describe('an adjustment by an operator', () => {
  it('is a line of the next settlement, with its reason', async () => {
    await saleOf(10_000);
    const recorded = await adjust({ reference: 'INV-7' });
    expect(recorded).toMatchObject({
      kind: 'Recorded',
      adjustment: { kind: 'Manual', amount: -2_500, reason: 'Terminal rental', reference: 'INV-7' },
    });
    await adjust({ amount: 300, reason: 'Goodwill' });
    await closeBatches('USD');
    const [settlement] = await settlements();
    expect(settlement).toMatchObject({
      batchId: recorded?.kind === 'Recorded' ? recorded.batchId : '',
      created: {
        ...{ amount: 7_800, adjustmentAmount: -2_200 },
        lines: [
          { type: 'Sales', amount: 10_000 },
          { type: 'Adjustment', reason: 'Terminal rental', amount: -2_500 },
          { type: 'Adjustment', reason: 'Goodwill', amount: 300 },
        ],
      },
    });
  });

  it('closes a batch without payments at its cut-off', async () => {
    await adjust({ amount: 300 });
    moveClockTo('2026-03-03T03:00:00.000Z');
    expect(await batches.runDue(1_000)).toMatchObject({ pending: 0 });
    expect(await loadBatch(1)).toMatchObject({ status: 'Closed', closing: { cause: 'CutOff' } });
    expect(await settlements()).toMatchObject([{ created: { amount: 300, transactionCount: 0 } }]);
  });

  it('under a repeated command is recorded once, also after its batch was closed', async () => {
    const first = await adjust({ commandId: 'one' });
    expect(await adjust({ commandId: 'one' })).toEqual(first);
    await closeBatches('USD');
    await saleOf(1_000);
    expect(await closeFirstBatch()).toMatchObject({ transactionCount: 1 });
    expect(await adjust({ commandId: 'one' })).toEqual(first);
    expect((await settlements()).map(({ created }) => created?.amount)).toEqual([-2_500, 1_000]);
  });

  it('waits while the batch is being closed, and says so if that takes too long', async () => {
    await saleOf(1_000);
    setup.store.inject(
      { kind: 'Unavailable' },
      { times: 3, when: ({ events }) => events.some(({ type }) => type === 'BatchClosed') },
    );
    const closing = closeBatches('USD');
    const isClosing = async () => (await loadBatch(1))?.status === 'Closing';
    while (!(await isClosing())) await new Promise((resolve) => setImmediate(resolve));
    expect(await adjust({ waitMs: 0 })).toEqual({ kind: 'BatchIsClosing' });
    const waiting = adjust();
    await closing;
    expect(await waiting).toMatchObject({ kind: 'Recorded' });
    expect(await loadBatch(2)).toMatchObject({ adjustments: [{ amount: -2_500 }] });
  });

  it('is only in a currency of the merchant, and of a merchant that exists', async () => {
    const { provisioning } = setup.useCases;
    await provisioning.changeMerchant(operator, setup.merchant.id, { currencies: ['USD'] });
    expect(await adjust({ currency: 'CAD' })).toEqual({ kind: 'CurrencyNotOffered', offered: ['USD'] });
    expect(await adjust({ merchantId: 'mer_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' })).toBeUndefined();
  });
});
