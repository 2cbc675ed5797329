import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOperation, streamOfTokenOperation, type OperationId } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { RoutedProcessors, SandboxProcessor } from '@tillstream/processors';
import { FaultyProcessor } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;

/** Two processors with books of their own: `sandbox` is the stage's, `harbor` came later. */
describe('with several processors', () => {
  let stage: PaymentsTestSetup;
  let harbor: FaultyProcessor;
  let harborBooks: Sandbox;
  let folder: string;

  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
    folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    harborBooks = openSandbox({
      file: join(folder, 'harbor.db'),
      processorDeadlineMs: stage.timings.processorDeadline,
    });
    const now = () => ({ realMs: stage.clock.real, monotonicMs: stage.clock.monotonic });
    harbor = new FaultyProcessor(new SandboxProcessor({ sandbox: harborBooks, name: 'harbor', now }));
  });
  afterEach(async () => {
    await stage.close();
    harborBooks.close();
    rmSync(folder, { recursive: true });
  });

  const toSandbox = { processor: 'sandbox', account: 'acct' };
  const toHarbor = { processor: 'harbor', account: 'harbor-7' };
  const configure = (processors: readonly FaultyProcessor[], ...rules: object[]): void =>
    void (stage.processors = new RoutedProcessors(processors, rules as (typeof toSandbox)[]));
  const switchToHarbor = (): void => configure([stage.processor, harbor], toHarbor);
  const removeSandbox = (): void => configure([harbor], toHarbor);
  const firstInquiryDue = (): void =>
    stage.clock.pass(stage.timings.sendWithin + stage.timings.processorDeadline + stage.timings.margin);
  const firstInquiry = async (): Promise<void> => {
    firstInquiryDue();
    await stage.useCases.resolver.runDue(0);
  };
  const hoursPass = async (hours: number): Promise<void> => {
    for (let half = 0; half < hours * 2; half++) {
      stage.clock.ahead += 1_800_000;
      await stage.useCases.resolver.runDue(0);
    }
  };
  const attemptOf = async (id: OperationId) => (await stage.operation(id)).attempt;

  it('a new attempt follows the route of its merchant, channel and currency, and keeps where it went', async () => {
    configure(
      [stage.processor, harbor],
      { ...toHarbor, merchantId: 'mer_other' },
      { ...toHarbor, channel: 'Token' },
      { ...toHarbor, channel: 'CardPresent', currency: 'CAD' },
      toSandbox,
    );
    const usd = requireAnswered(await stage.sale(1_000)).operation;
    expect(await attemptOf(usd.id)).toMatchObject({ processor: 'sandbox', processorAccount: 'acct' });
    const terminal = await stage.addTerminal('CAD', false);
    const cad = requireAnswered(await stage.sale(1_000, { paymentMethodId: terminal.id })).operation;
    expect(await attemptOf(cad.id)).toMatchObject({ processor: 'harbor', processorAccount: 'harbor-7' });
    expect(harbor.sent).toEqual([`sale ${cad.id}.1`]);
    expect(stage.processor.sent).toEqual([`sale ${usd.id}.1`]);
  });

  it('a merchant without a route is refused, and nothing is stored', async () => {
    configure([stage.processor], { ...toSandbox, merchantId: 'mer_other' });
    expect(await stage.sale(1_000)).toMatchObject({ kind: 'Rejected', rejection: { code: 'NoProcessor' } });
    expect((await stage.memory.readAll({ categories: ['payment'] })).events).toEqual([]);
  });

  it('an attempt of A whose answer was lost is asked of A after a switch to B, and found', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await stage.sale(1_000));
    switchToHarbor();
    await firstInquiry();
    expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(harbor.sent).toEqual([]);
  });

  it('the capture, refund and void of an approval by A go to A and its account after a switch to B', async () => {
    const { operation: auth } = requireAnswered(await stage.auth(1_000));
    const { operation: sale } = requireAnswered(await stage.sale(500));
    switchToHarbor();
    const { payments } = stage.useCases;
    const capture = await payments.capture(stage.context(), { originalTransactionId: auth.id, amount: 600 });
    await payments.void(stage.context(), { originalTransactionId: auth.id });
    await payments.refund(stage.context(), { originalTransactionId: sale.id, amount: 200 });
    const { id } = requireAnswered(capture).operation;
    expect(await attemptOf(id)).toMatchObject({ processor: 'sandbox', processorAccount: 'acct' });
    expect(harbor.sent).toEqual([]);
    expect(stage.chargedTotal()).toBe(600 + 500 - 200);
  });

  it('an expired authorization of A is reversed at A after a switch to B', async () => {
    const { operation } = requireAnswered(await stage.auth(1_000));
    switchToHarbor();
    stage.clock.ahead += stage.timings.authorizationLifetime;
    await stage.useCases.resolver.runDue(1_000);
    expect(await stage.eventTypes(operation.id)).toContain('Reversed');
    expect(harbor.sent).toEqual([]);
  });

  it('a check of a card at A is asked of A after a switch to B', async () => {
    stage.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await stage.storeCard());
    switchToHarbor();
    await firstInquiry();
    const stream = streamOfTokenOperation(id as OperationId) ?? '';
    const events = await readWholeStream(stage.memory, stream);
    expect(events.map(({ type }) => type)).toContain('TokenCreated');
    expect(harbor.sent).toEqual([]);
  });

  describe('where the processor of an attempt is configured no more', () => {
    it('nobody else is asked: it is not annulled, waits for an operator, and is found once A is back', async () => {
      stage.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await stage.sale(1_000));
      removeSandbox();
      await firstInquiry();
      expect((await stage.operation(id)).progress.status).toBe('Interrupted');
      expect((await stage.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
      expect(stage.alerts).toEqual(expect.arrayContaining(['processor-not-configured', 'operator-needed']));
      expect(harbor.sent).toEqual([]);
      expect((await stage.useCases.unknownOutcomes.list({ limit: 5 })).items).toMatchObject([
        { transactionId: id },
      ]);

      configure([stage.processor, harbor], toHarbor);
      await stage.useCases.unknownOutcomes.inquire(operator, id);
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('a refund of its sale is never sent, and the client is told so', async () => {
      const { operation } = requireAnswered(await stage.sale(1_000));
      removeSandbox();
      const result = await stage.useCases.payments.refund(stage.context(), {
        originalTransactionId: operation.id,
      });
      expect(result).toMatchObject({ kind: 'NotSent' });
      if (result.kind !== 'NotSent') throw new Error('unreachable');
      expect(findOperation(result.payment, result.operationId)?.progress).toMatchObject({
        status: 'NotSent',
        reason: 'no processor "sandbox" is configured',
      });
      expect(harbor.sent).toEqual([]);
      expect(stage.chargedTotal()).toBe(1_000);
    });

    it('an operator who inquires asks nobody, and one who resolves by mistake is found out once A is back', async () => {
      stage.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await stage.sale(1_000));
      removeSandbox();
      await firstInquiry();
      const { unknownOutcomes } = stage.useCases;
      expect(await unknownOutcomes.inquire(operator, id)).toMatchObject({ kind: 'Unknown' });
      const word = { outcome: 'NotReceived', reason: 'by phone' } as const;
      expect(await unknownOutcomes.resolve(operator, id, word)).toMatchObject({ kind: 'Known' });
      await hoursPass(9 * 24);
      expect(harbor.sent).toEqual([]);
      configure([stage.processor, harbor], toHarbor);
      await hoursPass(4);
      expect(await stage.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
      expect(harbor.sent).toEqual([]);
      expect(stage.chargedTotal()).toBe(0);
    });

    it('an expired authorization is reversed there, however long A was away', async () => {
      const { operation } = requireAnswered(await stage.auth(1_000));
      removeSandbox();
      stage.clock.ahead += stage.timings.authorizationLifetime;
      await hoursPass(9 * 24);
      expect(await stage.eventTypes(operation.id)).not.toContain('ReversalRequested');
      expect(stage.alerts).toContain('processor-not-configured');
      configure([stage.processor, harbor], toHarbor);
      await hoursPass(1);
      expect(await stage.eventTypes(operation.id)).toContain('Reversed');
      expect(harbor.sent).toEqual([]);
    });

    it('a late approval of A is reversed there, however long A was away', async () => {
      stage.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await stage.sale(1_000));
      firstInquiryDue();
      const word = { outcome: 'NotReceived', reason: 'by phone' } as const;
      await stage.useCases.unknownOutcomes.resolve(operator, id, word);
      const answer = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
      const content = { kind: 'Answered', answer } as const;
      await stage.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
      removeSandbox();
      await hoursPass(9 * 24);
      expect(stage.chargedTotal()).toBe(1_000);
      configure([stage.processor, harbor], toHarbor);
      await hoursPass(1);
      expect(stage.chargedTotal()).toBe(0);
      expect(harbor.sent).toEqual([]);
    });

    it('a notice about a card that was checked there leaves no work behind', async () => {
      stage.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await stage.storeCard());
      const answer = { kind: 'Approved', amount: 0, facts: { responseCode: 1 } } as const;
      const content = { kind: 'Answered', answer } as const;
      await stage.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
      removeSandbox();
      await firstInquiry();
      expect(await stage.workQueue.list('Notice', undefined, 5)).toEqual([]);
      expect(await stage.workQueue.list('Outcome', undefined, 5)).toHaveLength(1);
    });

    it('a card that was to be stored there waits for an operator too', async () => {
      stage.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await stage.storeCard());
      removeSandbox();
      await firstInquiry();
      expect((await stage.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
      expect(harbor.sent).toEqual([]);
    });
  });
});
