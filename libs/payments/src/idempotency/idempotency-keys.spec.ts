import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyKeys } from './idempotency-keys.js';
import { findOperationOfCommand } from './existing-operation.js';
import { createPaymentRepository, createTokenRepository } from '../stream-repository/stream-repositories.js';
import { noReadModels } from '../read-model-write-through/read-model-writer.port.js';
import { TokenDetailsReader } from '../stored-cards/token-details.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const noLog = (): void => undefined;

describe('idempotency keys', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const begin = (key: string, fingerprint = 'f') =>
    stage.useCases.payments.idempotency.start(stage.merchant.id, key, fingerprint);
  const saleUnder = async (key: string) => {
    const start = await begin(key);
    if (start.kind !== 'New') return start;
    return stage.useCases.payments.physicalSale(stage.context(start.ticket), { amount: 1_000 });
  };

  it('begin one operation, and replay the answer that was kept', async () => {
    const first = await begin('k');
    if (first.kind !== 'New') throw new Error('a new key is new');
    const sale = await stage.useCases.payments.physicalSale(stage.context(first.ticket), { amount: 1_000 });
    expect(sale.kind).toBe('Answered');
    await stage.useCases.payments.idempotency.storeResponse(
      stage.merchant.id,
      first.ticket,
      Uint8Array.of(1, 2),
    );
    expect(await begin('k')).toEqual({ kind: 'Replay', answer: Uint8Array.of(1, 2) });
    expect(await begin('k', 'other')).toEqual({ kind: 'Mismatch' });
    expect(stage.chargedTotal()).toBe(1_000);
  });

  it('let one of two requests through that began at the same time', async () => {
    const starts = await Promise.all([begin('k'), begin('k')]);
    const results = await Promise.all(
      starts.map((start) =>
        start.kind === 'New'
          ? stage.useCases.payments.physicalSale(stage.context(start.ticket), { amount: 1_000 })
          : Promise.reject(new Error(start.kind)),
      ),
    );
    expect(results.map(({ kind }) => kind).sort()).toEqual(['Answered', 'KeyTaken']);
    expect(stage.chargedTotal()).toBe(1_000);
  });

  it('answer from history when the first answer was never kept', async () => {
    const sale = await saleUnder('k');
    expect(await begin('k')).toMatchObject({
      kind: 'FromHistory',
      result: { kind: 'Answered', operationId: requireOperationId(sale as never) },
    });
  });

  it('are running while the first has no outcome, until nobody can be at it any more', async () => {
    stage.crash.crashAt('before-send');
    await expect(saleUnder('k')).rejects.toThrow();
    expect(await begin('k')).toEqual({ kind: 'Running' });
    stage.clock.pass(stage.timings.sendWithin + stage.timings.terminalDeadline + stage.timings.margin);
    expect(await begin('k')).toEqual({ kind: 'Running' });
    stage.clock.pass(1);
    expect(await begin('k')).toMatchObject({ kind: 'FromHistory', result: { kind: 'Interrupted' } });
    await stage.untilResolved();
    expect(await begin('k')).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    expect(stage.chargedTotal()).toBe(0);
  });

  it('can be used again after a day, and never before the first had its answer', async () => {
    const first = await begin('k');
    if (first.kind !== 'New') throw new Error('a new key is new');
    await stage.useCases.payments.physicalSale(stage.context(first.ticket), { amount: 1_000 });
    stage.clock.pass(stage.timings.idempotencyLifetime);
    expect((await begin('k')).kind).toBe('FromHistory');
    await stage.useCases.payments.idempotency.storeResponse(
      stage.merchant.id,
      first.ticket,
      Uint8Array.of(1),
    );
    const again = await saleUnder('k');
    expect(again.kind).toBe('Answered');
    expect(stage.chargedTotal()).toBe(2_000);
  });

  it('are kept as long as their operation has no outcome, however old they are', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    stage.processor.inject('inquire', ...Array.from({ length: 100 }, () => 'NoAnswerBefore' as const));
    const first = await begin('k');
    if (first.kind !== 'New') throw new Error('a new key is new');
    await stage.useCases.payments.physicalSale(stage.context(first.ticket), { amount: 1_000 });
    await stage.useCases.payments.idempotency.storeResponse(
      stage.merchant.id,
      first.ticket,
      Uint8Array.of(5),
    );
    stage.clock.pass(2 * stage.timings.idempotencyLifetime);
    expect(await begin('k')).toEqual({ kind: 'Replay', answer: Uint8Array.of(5) });
    expect(await begin('k', 'other')).toEqual({ kind: 'Mismatch' });
    const tokens = createTokenRepository(stage.memory, stage.clock);
    const parts = {
      payments: createPaymentRepository(stage.memory, stage.clock),
      tokens,
      facts: new TokenDetailsReader(tokens, stage.vault, { info: noLog, warn: noLog, error: noLog }),
      readModels: noReadModels,
    };
    const keys = new IdempotencyKeys(
      stage.idempotency,
      (stream, commandId) => findOperationOfCommand(parts, stream, commandId),
      stage.clock,
      stage.timings,
      { info: noLog, warn: noLog, error: noLog },
    );
    expect(await keys.forgetExpired()).toBe(0);
    stage.processor.clearFaults();
    stage.clock.pass(1_800_000);
    await stage.untilResolved();
    expect(await keys.forgetExpired()).toBe(1);
    expect((await begin('k')).kind).toBe('New');
  });

  it('never begin a second operation under one command', async () => {
    const start = await begin('k');
    if (start.kind !== 'New') throw new Error('a new key is new');
    const ticket = { ...start.ticket, key: randomBytes(4).toString('hex') };
    const first = await stage.useCases.payments.physicalSale(stage.context(start.ticket), { amount: 1_000 });
    const second = await stage.useCases.payments.physicalSale(stage.context(ticket), { amount: 1_000 });
    expect(requireOperationId(second)).toBe(requireOperationId(first));
    expect(stage.chargedTotal()).toBe(1_000);
  });
});
