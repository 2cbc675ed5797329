import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationResult } from '../requests/request.types.js';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('read models are told before a client is answered', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
    stage.writtenStreams.length = 0;
  });
  afterEach(() => stage.close());

  /** What they know last of each stream, as the types of its events. */
  const told = (category: string): (readonly string[])[] => {
    const last = new Map(
      stage.writtenStreams
        .filter((one) => one.category === category)
        .map(({ stream, events }) => [stream, events.map(({ type }) => type)] as const),
    );
    return [...last.values()];
  };

  it('of a sale, and of what follows it, with its whole history', async () => {
    const { operation } = requireAnswered(await stage.sale(1_000));
    expect(told('payment')).toEqual([['SaleRequested', 'TryRequested', 'Authorized', 'Captured']]);
    await stage.useCases.payments.refund(stage.context(), { originalTransactionId: operation.id });
    expect(told('payment')[0]?.slice(4)).toEqual(['RefundRequested', 'TryRequested', 'Voided']);
    expect(stage.writtenStreams.at(-1)?.events.at(-1)?.revision).toBe(6);
  });

  it('of a payment whose outcome nobody knows: it is listed', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    expect((await stage.sale(1_000)).kind).toBe('Interrupted');
    expect(told('payment')[0]?.at(-1)).toBe('Interrupted');
    stage.writtenStreams.length = 0;
    stage.crash.runAt('before-outcome', () => stage.store.inject({ kind: 'Unavailable' }, { times: 1 }));
    expect((await stage.sale(1_000)).kind).toBe('Interrupted');
    expect(told('payment')).toEqual([['SaleRequested', 'TryRequested']]);
  });

  it('of an operation that takes its time, while it does, and of its end', async () => {
    stage.processor.inject('sale', { delayMs: 400 });
    const selling = stage.sale(1_000);
    while (stage.writtenStreams.length === 0) await pause(5);
    expect(told('payment')).toEqual([['SaleRequested', 'TryRequested']]);
    expect(requireAnswered(await selling).operation.progress.status).toBe('Approved');
    expect(told('payment')).toEqual([['SaleRequested', 'TryRequested', 'Authorized', 'Captured']]);
  });

  it('of the check of a card that takes its time, while it does, and of its end', async () => {
    stage.processor.inject('verify', { delayMs: 400 });
    const storing = stage.storedCard();
    while (stage.writtenStreams.length === 0) await pause(5);
    expect(told('token')).toEqual([['TokenRequested', 'VerificationRequested']]);
    await storing;
    expect(told('token')).toEqual([['TokenRequested', 'VerificationRequested', 'TokenCreated']]);
  });

  it('not before the processor was asked', async () => {
    let before = 0;
    stage.crash.runAt('after-answer', () => (before = stage.writtenStreams.length));
    await stage.sale(1_000);
    await stage.storeCard({ accountHolder: { externalId: 'c-1' } });
    expect(before).toBe(0);
  });

  it('of a card, its holder, its change and its removal', async () => {
    const { id } = await stage.storedCard({ accountHolder: { externalId: 'c-1' } });
    expect(told('token')).toEqual([['TokenRequested', 'VerificationRequested', 'TokenCreated']]);
    expect(told('holder')).toEqual([['HolderCreated', 'TokenLinked']]);
    await stage.useCases.storedCards.update(stage.context(), id, { description: 'Red card' });
    expect(told('token')[0]?.at(-1)).toBe('TokenUpdated');
    await stage.useCases.storedCards.remove(stage.context(), id);
    expect(told('token')[0]?.slice(-2)).toEqual(['TokenRemoved', 'TokenKeysDestroyed']);
  });

  it('of a holder’s change and erasure, and of the tokens that it takes away', async () => {
    const { accountHolderId: id = '' } = await stage.storedCard({ accountHolder: { externalId: 'c-1' } });
    await stage.useCases.accountHolders.change(stage.context(), id, { name: 'Ada' });
    expect(told('holder')[0]?.at(-1)).toBe('HolderChanged');
    await stage.useCases.accountHolders.erase(stage.context(), id);
    expect(told('holder')[0]?.slice(-2)).toEqual(['HolderErased', 'HolderErasureFinished']);
    expect(told('token')[0]?.slice(-2)).toEqual(['TokenRemoved', 'TokenKeysDestroyed']);
  });

  it('of a merchant’s payment methods', async () => {
    await stage.addTerminal('CAD', false);
    expect(told('merchant')[0]?.at(-1)).toBe('PaymentMethodAdded');
  });

  it('of what history answers a repeat', async () => {
    const { idempotency, physicalSale } = stage.useCases.payments;
    const start = await idempotency.start(stage.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('a new key is new');
    const sale: OperationResult = await physicalSale(stage.context(start.ticket), { amount: 1_000 });
    stage.writtenStreams.length = 0;
    expect((await idempotency.start(stage.merchant.id, 'k', 'f')).kind).toBe('FromHistory');
    expect(told('payment')).toHaveLength(1);
    expect(sale.kind).toBe('Answered');
  });
});
