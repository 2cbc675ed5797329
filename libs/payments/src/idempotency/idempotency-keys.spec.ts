import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyKeys } from './idempotency-keys.js';
import { findOperationOfCommand } from './existing-operation.js';
import { createPaymentRepository, createTokenRepository } from '../stream-repository/repositories.js';
import { noReadModels } from '../read-model-write-through/write-through.js';
import { TokenDetailsReader } from '../stored-cards/token-details.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const noLog = (): void => undefined;

describe('idempotency keys', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const start = (key: string, fingerprint = 'f') =>
    setup.useCases.payments.idempotency.start(setup.merchant.id, key, fingerprint);
  const saleUnder = async (key: string) => {
    const started = await start(key);
    if (started.kind !== 'New') return started;
    return setup.useCases.payments.physicalSale(setup.context(started.ticket), { amount: 1_000 });
  };

  it('start one operation, and replay its stored response', async () => {
    const first = await start('k');
    if (first.kind !== 'New') throw new Error('the key is already in use');
    const sale = await setup.useCases.payments.physicalSale(setup.context(first.ticket), { amount: 1_000 });
    expect(sale.kind).toBe('Answered');
    await setup.useCases.payments.idempotency.storeResponse(
      setup.merchant.id,
      first.ticket,
      Uint8Array.of(1, 2),
    );
    expect(await start('k')).toEqual({ kind: 'Replay', answer: Uint8Array.of(1, 2) });
    expect(await start('k', 'other')).toEqual({ kind: 'Mismatch' });
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('let only one of two concurrent requests run', async () => {
    const starts = await Promise.all([start('k'), start('k')]);
    const results = await Promise.all(
      starts.map((started) =>
        started.kind === 'New'
          ? setup.useCases.payments.physicalSale(setup.context(started.ticket), { amount: 1_000 })
          : Promise.reject(new Error(started.kind)),
      ),
    );
    expect(results.map(({ kind }) => kind).sort()).toEqual(['Answered', 'KeyTaken']);
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('give the result from history when no response was stored', async () => {
    const sale = await saleUnder('k');
    expect(await start('k')).toMatchObject({
      kind: 'FromHistory',
      result: { kind: 'Answered', operationId: requireOperationId(sale as never) },
    });
  });

  it('are running until the deadline of the first request has passed', async () => {
    setup.crash.crashAt('before-send');
    await expect(saleUnder('k')).rejects.toThrow();
    expect(await start('k')).toEqual({ kind: 'Running' });
    setup.clock.pass(setup.timings.sendWithin + setup.timings.terminalDeadline + setup.timings.margin);
    expect(await start('k')).toEqual({ kind: 'Running' });
    setup.clock.pass(1);
    expect(await start('k')).toMatchObject({ kind: 'FromHistory', result: { kind: 'Interrupted' } });
    await setup.untilResolved();
    expect(await start('k')).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    expect(setup.chargedTotal()).toBe(0);
  });

  it('can be used again after a day, and never before a response was stored', async () => {
    const first = await start('k');
    if (first.kind !== 'New') throw new Error('the key is already in use');
    await setup.useCases.payments.physicalSale(setup.context(first.ticket), { amount: 1_000 });
    setup.clock.pass(setup.timings.idempotencyLifetime);
    expect((await start('k')).kind).toBe('FromHistory');
    await setup.useCases.payments.idempotency.storeResponse(
      setup.merchant.id,
      first.ticket,
      Uint8Array.of(1),
    );
    const again = await saleUnder('k');
    expect(again.kind).toBe('Answered');
    expect(setup.chargedTotal()).toBe(2_000);
  });

  it('do not expire before their operation has an outcome', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    setup.processor.inject('inquire', ...Array.from({ length: 100 }, () => 'NoAnswerBefore' as const));
    const first = await start('k');
    if (first.kind !== 'New') throw new Error('the key is already in use');
    await setup.useCases.payments.physicalSale(setup.context(first.ticket), { amount: 1_000 });
    await setup.useCases.payments.idempotency.storeResponse(
      setup.merchant.id,
      first.ticket,
      Uint8Array.of(5),
    );
    setup.clock.pass(2 * setup.timings.idempotencyLifetime);
    expect(await start('k')).toEqual({ kind: 'Replay', answer: Uint8Array.of(5) });
    expect(await start('k', 'other')).toEqual({ kind: 'Mismatch' });
    const { clock, timings, vault, idempotency } = setup;
    const ports = { store: setup.memory, clock, timings, vault, idempotency, readModels: noReadModels };
    const log = { info: noLog, warn: noLog, error: noLog };
    const tokens = createTokenRepository(ports);
    const parts = {
      ...ports,
      payments: createPaymentRepository(ports),
      tokens,
      tokenDetails: new TokenDetailsReader({ tokens, vault, log }),
    };
    const keys = new IdempotencyKeys({ ...ports, log }, (stream, commandId) =>
      findOperationOfCommand(parts, stream, commandId),
    );
    expect(await keys.forgetExpired()).toBe(0);
    setup.processor.clearFaults();
    setup.clock.pass(1_800_000);
    await setup.untilResolved();
    expect(await keys.forgetExpired()).toBe(1);
    expect((await start('k')).kind).toBe('New');
  });

  it('never start a second operation under one command', async () => {
    const started = await start('k');
    if (started.kind !== 'New') throw new Error('the key is already in use');
    const ticket = { ...started.ticket, key: randomBytes(4).toString('hex') };
    const first = await setup.useCases.payments.physicalSale(setup.context(started.ticket), {
      amount: 1_000,
    });
    const second = await setup.useCases.payments.physicalSale(setup.context(ticket), { amount: 1_000 });
    expect(requireOperationId(second)).toBe(requireOperationId(first));
    expect(setup.chargedTotal()).toBe(1_000);
  });
});
