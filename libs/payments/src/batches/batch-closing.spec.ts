import { streamOfBatch } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { batchIdFor } from './batch.register.js';
import {
  createOtherBatches,
  loadBatch,
  batches,
  batchedTotals,
  closeBatches,
  closeBatchesSetup,
  closeFirstBatch,
  delayedItems,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
  voidOf,
} from '../testing/batches.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

describe('an operator’s command to close', () => {
  it('closes the open batch of every currency at the time of the command', async () => {
    await saleOf(100);
    const answer = await closeBatches();
    expect(answer).toMatchObject([
      { currency: 'USD', status: 'Closed', amount: 100, closedAt: new Date(setup.clock.now()).toISOString() },
      { currency: 'CAD', status: 'Open', transactionCount: 0, amount: 0 },
    ]);
    const [usd] = answer as readonly { readonly id: string }[];
    expect(await batches.find(usd?.id ?? '')).toEqual((answer as readonly object[])[0]);
  });

  it('leaves an empty batch open, also when repeated', async () => {
    const first = await closeFirstBatch('CAD');
    expect(first).toMatchObject({ status: 'Open', openedAt: setup.merchant.createdAt });
    expect(await closeFirstBatch('CAD')).toEqual(first);
  });

  it('closes the batches of a disabled merchant', async () => {
    await saleOf(100);
    await setup.useCases.provisioning.setMerchantDisabled(operator, setup.merchant.id, { disabled: true });
    expect(await closeFirstBatch()).toMatchObject({ status: 'Closed', amount: 100 });
  });

  it('is rejected for an unknown merchant and for a currency that the merchant does not offer', async () => {
    expect(await batches.close({ actor: operator, merchantId: 'mer_1', waitMs: 0 })).toBeUndefined();
    await setup.useCases.provisioning.changeMerchant(operator, setup.merchant.id, { currencies: ['USD'] });
    expect(await closeBatches('CAD')).toEqual({ kind: 'CurrencyNotOffered', offered: ['USD'] });
    for (const id of ['', 'bat_1', batchIdFor(setup.merchant.id, 'USD', 1)]) {
      expect(await batches.find(id)).toBeUndefined();
    }
  });

  it('closes items of a currency that the merchant gave up before its first batch', async () => {
    await saleOf(100);
    const { paymentMethods, id } = setup.merchant;
    for (const method of paymentMethods)
      if (method.currency === 'USD')
        await setup.useCases.provisioning.changePaymentMethod(
          operator,
          { merchantId: id, paymentMethodId: method.id },
          { disabled: true },
        );
    await setup.useCases.provisioning.changeMerchant(operator, id, { currencies: ['CAD'] });
    expect(await closeBatches()).toMatchObject([
      { currency: 'USD', status: 'Closed', amount: 100 },
      { currency: 'CAD', status: 'Open' },
    ]);
  });

  it('records the operator’s name', async () => {
    await saleOf(100);
    const closed = await closeFirstBatch();
    const events = await readWholeStream(setup.memory, streamOfBatch(closed?.id ?? '') ?? '');
    expect(events.map(({ type, metadata }) => [type, (metadata['actor'] as { name: string }).name])).toEqual([
      ['BatchOpened', 'Olga'],
      ['BatchClosing', 'Olga'],
      ['BatchClosed', 'tillstream'],
      ['BatchSettled', 'tillstream'],
    ]);
  });
});

describe('the batch closer', () => {
  const ITEMS = 30;
  const manySales = async () => {
    const ids: string[] = [];
    for (let number = 1; number <= ITEMS; number++) ids.push(await saleOf(number));
    return ids;
  };
  const TOTAL = (ITEMS * (ITEMS + 1)) / 2;

  it('can die at any append: another process completes the closing with the same totals', async () => {
    await manySales();
    const original = setup.store.append.bind(setup.store);
    let left = 0;
    setup.store.append = (append) =>
      left-- > 0 ? original(append) : Promise.reject(new Error('the process is dead'));
    setup.clock.pass(1);
    const time = setInterval(() => setup.clock.pass(10), 10);
    let deaths = 0;
    for (let closed = false; !closed && deaths < 100; closed = (await loadBatch(1))?.status === 'Closed') {
      left = 5;
      deaths += 1;
      const doomed = createOtherBatches();
      const { id: merchantId } = setup.merchant;
      const request = { actor: operator, merchantId, currency: 'USD', waitMs: 150 } as const;
      await (deaths === 1 ? doomed.close(request) : doomed.runDue(150)).catch(() => undefined);
      await doomed.stop();
    }
    clearInterval(time);
    expect(deaths).toBeGreaterThan(ITEMS / 5);
    const closed = await loadBatch(1);
    expect(closed).toMatchObject({ status: 'Closed', totals: { transactionCount: ITEMS, amount: TOTAL } });
    expect((await batchedTotals()).get(closed?.id ?? '')).toEqual({ count: ITEMS, amount: TOTAL });
  });

  it('gives the same totals when several processes close the batch at the same time', async () => {
    const sales = await manySales();
    await voidOf(sales[7] ?? '');
    const closers = [batches, createOtherBatches(), createOtherBatches()];
    const racing = closers.map((one) => closeBatches('USD', one));
    // Each concurrent void succeeds before the batch takes its item, or is refused.
    const voids = await Promise.all(
      sales
        .slice(20)
        .map((id) => setup.useCases.payments.void(setup.context(), { originalTransactionId: id } as never)),
    );
    await Promise.all(racing);
    const closed = await loadBatch(1);
    expect(closed?.status).toBe('Closed');
    const { transactionCount: count, amount } = closed?.totals ?? {};
    expect((await batchedTotals()).get(closed?.id ?? '')).toEqual({ count, amount });
    for (const [index, id] of sales.slice(20).entries()) {
      const { batch: taken } = await setup.operation(id);
      if (voids[index]?.kind === 'Answered') expect(taken).toBeUndefined();
    }
    for (const one of closers.slice(1)) await one.stop();
  });

  it('waits for rows that lag behind, so that the totals have every item', async () => {
    await manySales();
    const late = createOtherBatches(delayedItems(300));
    expect(await closeBatches('USD', late)).toMatchObject([
      { status: 'Closed', transactionCount: ITEMS, amount: TOTAL },
    ]);
    await late.stop();
  });

  it('records nothing after a pause in which another process completed the closing', async () => {
    await manySales();
    const paused = createOtherBatches();
    const original = setup.store.append.bind(setup.store);
    let resume = (): void => undefined;
    const stalled = new Promise<void>((resolve) => (resume = resolve));
    let stalls = true;
    setup.store.append = async (append) => {
      const isItem = append.events.some(({ type }) => type === 'Batched');
      if (isItem && stalls) await stalled;
      return original(append);
    };
    const early = closeBatches('USD', paused);
    await new Promise((resolve) => setTimeout(resolve, 200));
    stalls = false;
    expect(await closeFirstBatch()).toMatchObject({ status: 'Open', transactionCount: 0 });
    resume();
    await early;
    expect([...(await batchedTotals()).values()]).toEqual([{ count: ITEMS, amount: TOTAL }]);
    await paused.stop();
  });
});
