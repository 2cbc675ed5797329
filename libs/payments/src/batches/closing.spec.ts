import { streamOfBatch } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { batchIdFor } from './batch.book.js';
import {
  another,
  batch,
  batches,
  booked,
  close,
  closeBatchesStage,
  closedNow,
  lateItems,
  openBatchesStage,
  operator,
  saleOf,
  stage,
  voidOf,
} from '../testing/batches.stage.js';

beforeEach(openBatchesStage);
afterEach(closeBatchesStage);

describe('an operator’s command', () => {
  it('closes what is open now, in every currency, at the time of the command', async () => {
    await saleOf(100);
    const answer = await close();
    expect(answer).toMatchObject([
      { currency: 'USD', status: 'Closed', amount: 100, closedAt: new Date(stage.clock.now()).toISOString() },
      { currency: 'CAD', status: 'Open', transactionCount: 0, amount: 0 },
    ]);
    const [usd] = answer as readonly { readonly id: string }[];
    expect(await batches.find(usd?.id ?? '')).toEqual((answer as readonly object[])[0]);
  });

  it('leaves an empty batch open, whoever asks again', async () => {
    const first = await closedNow('CAD');
    expect(first).toMatchObject({ status: 'Open', openedAt: stage.merchant.createdAt });
    expect(await closedNow('CAD')).toEqual(first);
  });

  it('closes batches of a disabled merchant too', async () => {
    await saleOf(100);
    await stage.module.provisioning.setMerchantDisabled(operator, stage.merchant.id, true);
    expect(await closedNow()).toMatchObject({ status: 'Closed', amount: 100 });
  });

  it('needs a merchant that exists, and a currency that it takes', async () => {
    expect(await batches.close({ actor: operator, merchantId: 'mer_1', waitMs: 0 })).toBeUndefined();
    await stage.module.provisioning.changeMerchant(operator, stage.merchant.id, { currencies: ['USD'] });
    expect(await close('CAD')).toEqual({ kind: 'CurrencyNotOffered', offered: ['USD'] });
    for (const id of ['', 'bat_1', batchIdFor(stage.merchant.id, 'USD', 1)]) {
      expect(await batches.find(id)).toBeUndefined();
    }
  });

  it('closes what waits in a currency that the merchant took before its first batch', async () => {
    await saleOf(100);
    const { paymentMethods, id } = stage.merchant;
    for (const method of paymentMethods)
      if (method.currency === 'USD')
        await stage.module.provisioning.setPaymentMethodDisabled(operator, id, method.id, true);
    await stage.module.provisioning.changeMerchant(operator, id, { currencies: ['CAD'] });
    expect(await close()).toMatchObject([
      { currency: 'USD', status: 'Closed', amount: 100 },
      { currency: 'CAD', status: 'Open' },
    ]);
  });

  it('is recorded with the operator’s name', async () => {
    await saleOf(100);
    const closed = await closedNow();
    const events = await readWholeStream(stage.memory, streamOfBatch(closed?.id ?? '') ?? '');
    expect(events.map(({ type, metadata }) => [type, (metadata['actor'] as { name: string }).name])).toEqual([
      ['BatchOpened', 'Olga'],
      ['BatchClosing', 'Olga'],
      ['BatchClosed', 'tillstream'],
    ]);
  });
});

describe('whoever closes a batch', () => {
  const ITEMS = 30;
  const manySales = async () => {
    const ids: string[] = [];
    for (let number = 1; number <= ITEMS; number++) ids.push(await saleOf(number));
    return ids;
  };
  const TOTAL = (ITEMS * (ITEMS + 1)) / 2;

  it('may die at any append: another ends it with the same totals', async () => {
    await manySales();
    const original = stage.store.append.bind(stage.store);
    let left = 0;
    stage.store.append = (append) =>
      left-- > 0 ? original(append) : Promise.reject(new Error('the process is dead'));
    stage.clock.pass(1);
    const time = setInterval(() => stage.clock.pass(10), 10);
    let deaths = 0;
    for (let closed = false; !closed && deaths < 100; closed = (await batch(1))?.status === 'Closed') {
      left = 5;
      deaths += 1;
      const doomed = another();
      const { id: merchantId } = stage.merchant;
      const request = { actor: operator, merchantId, currency: 'USD', waitMs: 150 } as const;
      await (deaths === 1 ? doomed.close(request) : doomed.runDue(150)).catch(() => undefined);
      await doomed.stop();
    }
    clearInterval(time);
    expect(deaths).toBeGreaterThan(ITEMS / 5);
    const closed = await batch(1);
    expect(closed).toMatchObject({ status: 'Closed', totals: { transactionCount: ITEMS, amount: TOTAL } });
    expect((await booked()).get(closed?.id ?? '')).toEqual({ count: ITEMS, amount: TOTAL });
  });

  it('may have company: several at once come to the same', async () => {
    const sales = await manySales();
    await voidOf(sales[7] ?? '');
    const closers = [batches, another(), another()];
    const racing = closers.map((one) => close('USD', one));
    // Voids come meanwhile: each is done before its item is taken, or refused.
    const voids = await Promise.all(
      sales
        .slice(20)
        .map((id) => stage.module.payments.void(stage.context(), { originalTransactionId: id } as never)),
    );
    await Promise.all(racing);
    const closed = await batch(1);
    expect(closed?.status).toBe('Closed');
    const { transactionCount: count, amount } = closed?.totals ?? {};
    expect((await booked()).get(closed?.id ?? '')).toEqual({ count, amount });
    for (const [index, id] of sales.slice(20).entries()) {
      const { batch: taken } = await stage.operation(id);
      if (voids[index]?.kind === 'Answered') expect(taken).toBeUndefined();
    }
    for (const one of closers.slice(1)) await one.stop();
  });

  it('waits for rows that are late, and counts what they do not show yet', async () => {
    await manySales();
    const late = another(lateItems(300));
    expect(await close('USD', late)).toMatchObject([
      { status: 'Closed', transactionCount: ITEMS, amount: TOTAL },
    ]);
    await late.stop();
  });

  it('may have been paused over the end of it, and finds nothing left to say', async () => {
    await manySales();
    const paused = another();
    const original = stage.store.append.bind(stage.store);
    let resume = (): void => undefined;
    const stalled = new Promise<void>((resolve) => (resume = resolve));
    let stalls = true;
    stage.store.append = async (append) => {
      const isItem = append.events.some(({ type }) => type === 'Batched');
      if (isItem && stalls) await stalled;
      return original(append);
    };
    const early = close('USD', paused);
    await new Promise((resolve) => setTimeout(resolve, 200));
    stalls = false;
    expect(await closedNow()).toMatchObject({ status: 'Open', transactionCount: 0 });
    resume();
    await early;
    expect([...(await booked()).values()]).toEqual([{ count: ITEMS, amount: TOTAL }]);
    await paused.stop();
  });
});
