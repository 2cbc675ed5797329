import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  requireAnswered,
  Crashed,
  requireOperationId,
  PaymentsTestSetup,
} from '../testing/payments.setup.js';

describe('the payment protocol', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => setup.close());

  it('stores the request before it calls the processor, and the outcome before it responds', async () => {
    const steps: string[] = [];
    const note = (step: string) => (): void =>
      void steps.push(`${step}: ${setup.processor.sent.length} sent`);
    setup.store.inject({ kind: 'Delay', ms: 1 }, { before: note('request') });
    setup.store.inject({ kind: 'Delay', ms: 1 }, { before: note('outcome') });
    const { operation } = requireAnswered(await setup.sale(1_000));
    expect(steps).toEqual(['request: 0 sent', 'outcome: 1 sent']);
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(await setup.eventTypes(operation.id)).toEqual([
      'SaleRequested',
      'TryRequested',
      'Authorized',
      'Captured',
    ]);
  });

  it('sends nothing when the request could not be stored', async () => {
    setup.store.inject({ kind: 'Unavailable' });
    expect(await setup.sale(1_000)).toEqual({ kind: 'NotStored' });
    expect(setup.processor.sent).toEqual([]);
  });

  it('sends nothing when the result of the append is unknown, and closes the operation later', async () => {
    setup.store.inject({ kind: 'LoseAnswer', written: true }, { times: 1 });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    const result = await setup.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    expect(setup.processor.sent).toEqual([]);
    setup.store.clearFaults();
    await setup.untilResolved();
    expect((await setup.operation(requireOperationId(result))).progress).toEqual({ status: 'NotExecuted' });
    expect(setup.chargedTotal()).toBe(0);
  });

  it('repeats an append with an unknown result unchanged, and starts one operation', async () => {
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    const { operation } = requireAnswered(await setup.sale(1_000));
    expect(await setup.eventTypes(operation.id)).toEqual([
      'SaleRequested',
      'TryRequested',
      'Authorized',
      'Captured',
    ]);
  });

  it('returns Interrupted when the outcome can not be stored, and stores it when the store works again', async () => {
    setup.crash.runAt('before-outcome', () => setup.store.inject({ kind: 'Unavailable' }, { times: 1_000 }));
    const result = await setup.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    setup.store.clearFaults();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await setup.operation(requireOperationId(result))).progress).toEqual({
      status: 'Approved',
      amount: 1_000,
    });
  });

  it('sends nothing once sendBefore has passed, by either clock', async () => {
    for (const stalled of [() => (setup.clock.real += 2_001), () => (setup.clock.monotonic += 2_001)]) {
      setup.crash.runAt('before-send', () => void stalled());
      const result = await setup.sale(1_000);
      expect(result.kind).toBe('NotSent');
      expect((await setup.operation(requireOperationId(result))).progress.status).toBe('NotSent');
    }
    expect(setup.chargedTotal()).toBe(0);
  });

  it('returns Interrupted when the processor does not respond in time', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const result = await setup.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    expect((await setup.operation(requireOperationId(result))).progress).toEqual({
      status: 'Interrupted',
      cause: 'NoAnswer',
      lostLink: false,
    });
  });

  it.each([
    'after-claim',
    'after-request',
    'before-send',
    'after-send',
    'after-answer',
    'before-outcome',
    'after-outcome',
  ] as const)('leaves a history that the resolver finishes after a crash %s', async (point) => {
    setup.crash.crashAt(point);
    await expect(setup.sale(1_000)).rejects.toThrow(Crashed);
    setup.start();
    await setup.untilResolved();
    const stored = await setup.memory.readAll({ categories: ['payment'] });
    const id = stored.events[0]?.data['operationId'];
    if (typeof id !== 'string') {
      expect(point).toBe('after-claim');
      expect(setup.chargedTotal()).toBe(0);
      return;
    }
    const { progress } = await setup.operation(id);
    expect(['Approved', 'NotExecuted']).toContain(progress.status);
    expect(setup.chargedTotal()).toBe(progress.status === 'Approved' ? 1_000 : 0);
  });

  it('never sends a capture twice after a crash that follows the sending', async () => {
    const { operation: auth } = requireAnswered(await setup.auth(1_000));
    setup.crash.crashAt('after-answer');
    const capture = setup.useCases.payments.capture(setup.context(), {
      originalTransactionId: auth.id,
      amount: 400,
    });
    await expect(capture).rejects.toThrow(Crashed);
    setup.start();
    await setup.untilResolved();
    const [, captured] = (await setup.payment(auth.id)).operations;
    expect(captured?.progress).toEqual({ status: 'Approved', amount: 400 });
    expect(setup.chargedTotal()).toBe(400);
  });

  it.each([
    ['920001', 920_001, { status: 'Approved', amount: 920_001 }, 920_001],
    ['920002', 920_002, { status: 'NotExecuted' }, 0],
    ['920003', 920_003, { status: 'Approved', amount: 920_003 }, 920_003],
  ])('finds the outcome of a sale of %s', async (_name, amount, progress, charged) => {
    const result = await setup.sale(amount);
    expect(result.kind).toBe('Interrupted');
    await setup.untilResolved();
    expect((await setup.operation(requireOperationId(result))).progress).toEqual(progress);
    expect(setup.chargedTotal()).toBe(charged);
  });

  it('sends a capture that never arrived again, under the same key', async () => {
    const { operation: auth } = requireAnswered(await setup.auth(5_000_000));
    const result = await setup.useCases.payments.capture(setup.context(), {
      originalTransactionId: auth.id,
      amount: 920_002,
    });
    expect(result.kind).toBe('Interrupted');
    await setup.untilResolved();
    expect((await setup.operation(requireOperationId(result))).progress).toEqual({
      status: 'Approved',
      amount: 920_002,
    });
    expect(setup.chargedTotal()).toBe(920_002);
    expect(await setup.eventTypes(auth.id)).toContain('ResendRequested');
  });

  it('returns NotSent after a refused connection', async () => {
    const result = await setup.sale(920_004);
    expect(result.kind).toBe('NotSent');
    expect(setup.chargedTotal()).toBe(0);
  });

  it('reverses an approval that arrives after the operation was closed as not executed', async () => {
    const result = await setup.sale(920_006);
    await setup.untilResolved(3);
    expect((await setup.operation(requireOperationId(result))).progress).toEqual({ status: 'NotExecuted' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    setup.clock.ahead += 25 * 3_600_000;
    await setup.untilResolved(3);
    const payment = await setup.payment(requireOperationId(result));
    expect(payment.flags).toContainEqual({ kind: 'LateApproval', operationId: requireOperationId(result) });
    expect(payment.operations.at(-1)).toMatchObject({
      kind: 'Reversal',
      progress: { status: 'Approved', amount: 920_006 },
    });
    expect(setup.chargedTotal()).toBe(0);
  });

  it('requests the last transaction of a terminal once its lost link is back', async () => {
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'LostLink', card: null });
    const result = await setup.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    await setup.untilResolved(4);
    expect((await setup.operation(requireOperationId(result))).progress.status).toBe('Interrupted');
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'Auto', card: null });
    setup.clock.ahead += 3_600_000;
    await setup.untilResolved(2);
    const operation = await setup.operation(requireOperationId(result));
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(operation.responses[0]?.outcome.source).toBe('LastTransaction');
  });

  it('sends a refund instead of a void if the processor has closed its batch', async () => {
    const { operation: sale } = requireAnswered(await setup.sale(950_001));
    const { operation } = requireAnswered(
      await setup.useCases.payments.refund(setup.context(), { originalTransactionId: sale.id }),
    );
    expect(operation).toMatchObject({
      executedAs: 'Refund',
      progress: { status: 'Approved', amount: 950_001 },
    });
    expect(operation.attempt?.number).toBe(2);
    expect(setup.chargedTotal()).toBe(0);
  });

  it('reverses the open amount of an authorization when it expires', async () => {
    const { operation: auth } = requireAnswered(await setup.auth(1_000));
    requireAnswered(
      await setup.useCases.payments.capture(setup.context(), { originalTransactionId: auth.id, amount: 300 }),
    );
    setup.clock.ahead += setup.timings.authorizationLifetime;
    await setup.untilResolved(2);
    const payment = await setup.payment(auth.id);
    expect(payment.operations.at(-1)).toMatchObject({
      kind: 'Reversal',
      progress: { status: 'Approved', amount: 700 },
    });
    const late = requireAnswered(
      await setup.useCases.payments.capture(setup.context(), { originalTransactionId: auth.id, amount: 1 }),
    );
    expect(late.operation.responses[0]?.outcome).toMatchObject({
      responseCode: 10,
      hostText: 'authorization expired',
    });
  });

  it('inquires less and less often, and needs an operator after seven days', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    setup.processor.inject('inquire', ...Array.from({ length: 400 }, () => 'NoAnswerBefore' as const));
    const id = requireOperationId(await setup.sale(1_000));
    for (let round = 0; round < 360; round++) {
      setup.clock.ahead += 31 * 60_000;
      setup.clock.pass(200_000);
      await setup.useCases.resolver.runDue(0);
    }
    const work = await setup.workQueue.find(`Outcome:${id}`);
    expect(work?.dueAt).toBeNull();
    expect(setup.alerts).toContain('operator-needed');
    expect((await setup.operation(id)).progress.status).toBe('Interrupted');
  });
});
