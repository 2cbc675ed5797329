import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  requireAnswered,
  Crashed,
  requireOperationId,
  PaymentsTestSetup,
} from '../testing/payments.setup.js';

describe('the payment protocol', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => stage.close());

  it('writes the request down before it calls the processor, and the outcome before it answers', async () => {
    const seen: string[] = [];
    const note = (what: string) => (): void => void seen.push(`${what}: ${stage.processor.sent.length} sent`);
    stage.store.inject({ kind: 'Delay', ms: 1 }, { before: note('request') });
    stage.store.inject({ kind: 'Delay', ms: 1 }, { before: note('outcome') });
    const { operation } = requireAnswered(await stage.sale(1_000));
    expect(seen).toEqual(['request: 0 sent', 'outcome: 1 sent']);
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(await stage.eventTypes(operation.id)).toEqual([
      'SaleRequested',
      'TryRequested',
      'Authorized',
      'Captured',
    ]);
  });

  it('sends nothing when the request could not be stored', async () => {
    stage.store.inject({ kind: 'Unavailable' });
    expect(await stage.sale(1_000)).toEqual({ kind: 'NotStored' });
    expect(stage.processor.sent).toEqual([]);
  });

  it('sends nothing when the store does not say whether the request was stored, and closes it later', async () => {
    stage.store.inject({ kind: 'LoseAnswer', written: true }, { times: 1 });
    stage.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    const result = await stage.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    expect(stage.processor.sent).toEqual([]);
    stage.store.clearFaults();
    await stage.untilResolved();
    expect((await stage.operation(requireOperationId(result))).progress).toEqual({ status: 'NotExecuted' });
    expect(stage.chargedTotal()).toBe(0);
  });

  it('repeats a request whose append has no known result as it is, and begins one operation', async () => {
    stage.store.inject({ kind: 'LoseAnswer', written: true });
    const { operation } = requireAnswered(await stage.sale(1_000));
    expect(await stage.eventTypes(operation.id)).toEqual([
      'SaleRequested',
      'TryRequested',
      'Authorized',
      'Captured',
    ]);
  });

  it('answers Interrupted when the outcome can not be stored, and writes it as soon as the store takes it', async () => {
    stage.crash.runAt('before-outcome', () => stage.store.inject({ kind: 'Unavailable' }, { times: 1_000 }));
    const result = await stage.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    stage.store.clearFaults();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await stage.operation(requireOperationId(result))).progress).toEqual({
      status: 'Approved',
      amount: 1_000,
    });
  });

  it('sends nothing once sendBefore has passed, by either clock', async () => {
    for (const stalled of [() => (stage.clock.real += 2_001), () => (stage.clock.monotonic += 2_001)]) {
      stage.crash.runAt('before-send', () => void stalled());
      const result = await stage.sale(1_000);
      expect(result.kind).toBe('NotSent');
      expect((await stage.operation(requireOperationId(result))).progress.status).toBe('NotSent');
    }
    expect(stage.chargedTotal()).toBe(0);
  });

  it('answers Interrupted when no answer came in time', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const result = await stage.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    expect((await stage.operation(requireOperationId(result))).progress).toEqual({
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
  ] as const)('leaves a history from which the resolver finishes when it dies %s', async (point) => {
    stage.crash.crashAt(point);
    await expect(stage.sale(1_000)).rejects.toThrow(Crashed);
    stage.start();
    await stage.untilResolved();
    const stored = await stage.memory.readAll({ categories: ['payment'] });
    const id = stored.events[0]?.data['operationId'];
    if (typeof id !== 'string') {
      expect(point).toBe('after-claim');
      expect(stage.chargedTotal()).toBe(0);
      return;
    }
    const { progress } = await stage.operation(id);
    expect(['Approved', 'NotExecuted']).toContain(progress.status);
    expect(stage.chargedTotal()).toBe(progress.status === 'Approved' ? 1_000 : 0);
  });

  it('never sends a capture twice when it dies after sending', async () => {
    const { operation: auth } = requireAnswered(await stage.auth(1_000));
    stage.crash.crashAt('after-answer');
    const capture = stage.useCases.payments.capture(stage.context(), {
      originalTransactionId: auth.id,
      amount: 400,
    });
    await expect(capture).rejects.toThrow(Crashed);
    stage.start();
    await stage.untilResolved();
    const [, captured] = (await stage.payment(auth.id)).operations;
    expect(captured?.progress).toEqual({ status: 'Approved', amount: 400 });
    expect(stage.chargedTotal()).toBe(400);
  });

  it.each([
    ['920001', 920_001, { status: 'Approved', amount: 920_001 }, 920_001],
    ['920002', 920_002, { status: 'NotExecuted' }, 0],
    ['920003', 920_003, { status: 'Approved', amount: 920_003 }, 920_003],
  ])('finds what became of a sale of %s', async (_name, amount, progress, charged) => {
    const result = await stage.sale(amount);
    expect(result.kind).toBe('Interrupted');
    await stage.untilResolved();
    expect((await stage.operation(requireOperationId(result))).progress).toEqual(progress);
    expect(stage.chargedTotal()).toBe(charged);
  });

  it('sends a capture that never arrived again, under the same key', async () => {
    const { operation: auth } = requireAnswered(await stage.auth(5_000_000));
    const result = await stage.useCases.payments.capture(stage.context(), {
      originalTransactionId: auth.id,
      amount: 920_002,
    });
    expect(result.kind).toBe('Interrupted');
    await stage.untilResolved();
    expect((await stage.operation(requireOperationId(result))).progress).toEqual({
      status: 'Approved',
      amount: 920_002,
    });
    expect(stage.chargedTotal()).toBe(920_002);
    expect(await stage.eventTypes(auth.id)).toContain('ResendRequested');
  });

  it('answers that a refused connection sent nothing', async () => {
    const result = await stage.sale(920_004);
    expect(result.kind).toBe('NotSent');
    expect(stage.chargedTotal()).toBe(0);
  });

  it('reverses an approval that comes after the operation was closed as not executed', async () => {
    const result = await stage.sale(920_006);
    await stage.untilResolved(3);
    expect((await stage.operation(requireOperationId(result))).progress).toEqual({ status: 'NotExecuted' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    stage.clock.ahead += 25 * 3_600_000;
    await stage.untilResolved(3);
    const payment = await stage.payment(requireOperationId(result));
    expect(payment.flags).toContainEqual({ kind: 'LateApproval', operationId: requireOperationId(result) });
    expect(payment.operations.at(-1)).toMatchObject({
      kind: 'Reversal',
      progress: { status: 'Approved', amount: 920_006 },
    });
    expect(stage.chargedTotal()).toBe(0);
  });

  it('asks a terminal whose link was lost for its last transaction, once the link is back', async () => {
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'LostLink', card: null });
    const result = await stage.sale(1_000);
    expect(result.kind).toBe('Interrupted');
    await stage.untilResolved(4);
    expect((await stage.operation(requireOperationId(result))).progress.status).toBe('Interrupted');
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'Auto', card: null });
    stage.clock.ahead += 3_600_000;
    await stage.untilResolved(2);
    const operation = await stage.operation(requireOperationId(result));
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(operation.responses[0]?.outcome.source).toBe('LastTransaction');
  });

  it('falls back from void to refund where the processor closed its batch first', async () => {
    const { operation: sale } = requireAnswered(await stage.sale(950_001));
    const { operation } = requireAnswered(
      await stage.useCases.payments.refund(stage.context(), { originalTransactionId: sale.id }),
    );
    expect(operation).toMatchObject({
      executedAs: 'Refund',
      progress: { status: 'Approved', amount: 950_001 },
    });
    expect(operation.attempt?.number).toBe(2);
    expect(stage.chargedTotal()).toBe(0);
  });

  it('reverses what is open of an authorization when its life ends', async () => {
    const { operation: auth } = requireAnswered(await stage.auth(1_000));
    requireAnswered(
      await stage.useCases.payments.capture(stage.context(), { originalTransactionId: auth.id, amount: 300 }),
    );
    stage.clock.ahead += stage.timings.authorizationLifetime;
    await stage.untilResolved(2);
    const payment = await stage.payment(auth.id);
    expect(payment.operations.at(-1)).toMatchObject({
      kind: 'Reversal',
      progress: { status: 'Approved', amount: 700 },
    });
    const late = requireAnswered(
      await stage.useCases.payments.capture(stage.context(), { originalTransactionId: auth.id, amount: 1 }),
    );
    expect(late.operation.responses[0]?.outcome).toMatchObject({
      responseCode: 10,
      hostText: 'authorization expired',
    });
  });

  it('looks ever less often, and leaves it to an operator after seven days', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    stage.processor.inject('inquire', ...Array.from({ length: 400 }, () => 'NoAnswerBefore' as const));
    const id = requireOperationId(await stage.sale(1_000));
    for (let round = 0; round < 360; round++) {
      stage.clock.ahead += 31 * 60_000;
      stage.clock.pass(200_000);
      await stage.useCases.resolver.runDue(0);
    }
    const work = await stage.workQueue.find(`Outcome:${id}`);
    expect(work?.dueAt).toBeNull();
    expect(stage.alerts).toContain('operator-needed');
    expect((await stage.operation(id)).progress.status).toBe('Interrupted');
  });
});
