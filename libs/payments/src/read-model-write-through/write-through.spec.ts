import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationResult } from '../requests/request.types.js';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('the read models are written before the client’s response', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
    setup.writtenStreams.length = 0;
  });
  afterEach(() => setup.close());

  /** The event types of the last write of each stream. */
  const lastWritten = (category: string): (readonly string[])[] => {
    const last = new Map(
      setup.writtenStreams
        .filter((written) => written.category === category)
        .map(({ stream, events }) => [stream, events.map(({ type }) => type)] as const),
    );
    return [...last.values()];
  };

  it('for a sale and its refund, with the whole history', async () => {
    const { operation } = requireAnswered(await setup.sale(1_000));
    expect(lastWritten('payment')).toEqual([['SaleRequested', 'TryRequested', 'Authorized', 'Captured']]);
    await setup.useCases.payments.refund(setup.context(), { originalTransactionId: operation.id });
    expect(lastWritten('payment')[0]?.slice(4)).toEqual(['RefundRequested', 'TryRequested', 'Voided']);
    expect(setup.writtenStreams.at(-1)?.events.at(-1)?.revision).toBe(6);
  });

  it('for a payment with an unknown outcome', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    expect((await setup.sale(1_000)).kind).toBe('Interrupted');
    expect(lastWritten('payment')[0]?.at(-1)).toBe('Interrupted');
    setup.writtenStreams.length = 0;
    setup.crash.runAt('before-outcome', () => setup.store.inject({ kind: 'Unavailable' }, { times: 1 }));
    expect((await setup.sale(1_000)).kind).toBe('Interrupted');
    expect(lastWritten('payment')).toEqual([['SaleRequested', 'TryRequested']]);
  });

  it('for a slow operation, while it runs and when it has ended', async () => {
    setup.processor.inject('sale', { delayMs: 400 });
    const selling = setup.sale(1_000);
    while (setup.writtenStreams.length === 0) await pause(5);
    expect(lastWritten('payment')).toEqual([['SaleRequested', 'TryRequested']]);
    expect(requireAnswered(await selling).operation.progress.status).toBe('Approved');
    expect(lastWritten('payment')).toEqual([['SaleRequested', 'TryRequested', 'Authorized', 'Captured']]);
  });

  it('for a slow card verification, while it runs and when it has ended', async () => {
    setup.processor.inject('verify', { delayMs: 400 });
    const storing = setup.storedCard();
    while (setup.writtenStreams.length === 0) await pause(5);
    expect(lastWritten('token')).toEqual([['TokenRequested', 'VerificationRequested']]);
    await storing;
    expect(lastWritten('token')).toEqual([['TokenRequested', 'VerificationRequested', 'TokenCreated']]);
  });

  it('not before the processor was called', async () => {
    let before = 0;
    setup.crash.runAt('after-answer', () => (before = setup.writtenStreams.length));
    await setup.sale(1_000);
    await setup.storeCard({ accountHolder: { externalId: 'c-1' } });
    expect(before).toBe(0);
  });

  it('for a token, its holder, its change and its removal', async () => {
    const { id } = await setup.storedCard({ accountHolder: { externalId: 'c-1' } });
    expect(lastWritten('token')).toEqual([['TokenRequested', 'VerificationRequested', 'TokenCreated']]);
    expect(lastWritten('holder')).toEqual([['HolderCreated', 'TokenLinked']]);
    await setup.useCases.storedCards.update(setup.context(), id, { description: 'Red card' });
    expect(lastWritten('token')[0]?.at(-1)).toBe('TokenUpdated');
    await setup.useCases.storedCards.remove(setup.context(), id);
    expect(lastWritten('token')[0]?.slice(-2)).toEqual(['TokenRemoved', 'TokenKeysDestroyed']);
  });

  it('for a holder’s change and erasure, and for the removed tokens', async () => {
    const { accountHolderId: id = '' } = await setup.storedCard({ accountHolder: { externalId: 'c-1' } });
    await setup.useCases.accountHolders.change(setup.context(), id, { name: 'Ada' });
    expect(lastWritten('holder')[0]?.at(-1)).toBe('HolderChanged');
    await setup.useCases.accountHolders.erase(setup.context(), id);
    expect(lastWritten('holder')[0]?.slice(-2)).toEqual(['HolderErased', 'HolderErasureFinished']);
    expect(lastWritten('token')[0]?.slice(-2)).toEqual(['TokenRemoved', 'TokenKeysDestroyed']);
  });

  it('for a merchant’s payment methods', async () => {
    await setup.addTerminal('CAD', false);
    expect(lastWritten('merchant')[0]?.at(-1)).toBe('PaymentMethodAdded');
  });

  it('for a repeat whose result comes from history', async () => {
    const { idempotency, physicalSale } = setup.useCases.payments;
    const start = await idempotency.start(setup.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('the key is already in use');
    const sale: OperationResult = await physicalSale(setup.context(start.ticket), { amount: 1_000 });
    setup.writtenStreams.length = 0;
    expect((await idempotency.start(setup.merchant.id, 'k', 'f')).kind).toBe('FromHistory');
    expect(lastWritten('payment')).toHaveLength(1);
    expect(sale.kind).toBe('Answered');
  });
});
