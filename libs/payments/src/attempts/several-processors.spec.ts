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

/** Two processors with a ledger each: the test setup has `sandbox`, and `harbor` is added. */
describe('with several processors', () => {
  let setup: PaymentsTestSetup;
  let harbor: FaultyProcessor;
  let harborSandbox: Sandbox;
  let folder: string;

  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
    folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    harborSandbox = openSandbox({
      file: join(folder, 'harbor.db'),
      processorDeadlineMs: setup.timings.processorDeadline,
    });
    const now = () => ({ realMs: setup.clock.real, monotonicMs: setup.clock.monotonic });
    harbor = new FaultyProcessor(new SandboxProcessor({ sandbox: harborSandbox, name: 'harbor', now }));
  });
  afterEach(async () => {
    await setup.close();
    harborSandbox.close();
    rmSync(folder, { recursive: true });
  });

  const toSandbox = { processor: 'sandbox', account: 'acct' };
  const toHarbor = { processor: 'harbor', account: 'harbor-7' };
  const configure = (processors: readonly FaultyProcessor[], ...rules: object[]): void =>
    void (setup.processors = new RoutedProcessors(processors, rules as (typeof toSandbox)[]));
  const switchToHarbor = (): void => configure([setup.processor, harbor], toHarbor);
  const removeSandbox = (): void => configure([harbor], toHarbor);
  const firstInquiryDue = (): void =>
    setup.clock.pass(setup.timings.sendWithin + setup.timings.processorDeadline + setup.timings.margin);
  const firstInquiry = async (): Promise<void> => {
    firstInquiryDue();
    await setup.useCases.resolver.runDue(0);
  };
  const hoursPass = async (hours: number): Promise<void> => {
    for (let half = 0; half < hours * 2; half++) {
      setup.clock.ahead += 1_800_000;
      await setup.useCases.resolver.runDue(0);
    }
  };
  const attemptOf = async (id: OperationId) => (await setup.operation(id)).attempt;

  it('a new attempt follows the route of its merchant, channel and currency, and records its processor', async () => {
    configure(
      [setup.processor, harbor],
      { ...toHarbor, merchantId: 'mer_other' },
      { ...toHarbor, channel: 'Token' },
      { ...toHarbor, channel: 'CardPresent', currency: 'CAD' },
      toSandbox,
    );
    const usd = requireAnswered(await setup.sale(1_000)).operation;
    expect(await attemptOf(usd.id)).toMatchObject({ processor: 'sandbox', processorAccount: 'acct' });
    const terminal = await setup.addTerminal('CAD', false);
    const cad = requireAnswered(await setup.sale(1_000, { paymentMethodId: terminal.id })).operation;
    expect(await attemptOf(cad.id)).toMatchObject({ processor: 'harbor', processorAccount: 'harbor-7' });
    expect(harbor.sent).toEqual([`sale ${cad.id}.1`]);
    expect(setup.processor.sent).toEqual([`sale ${usd.id}.1`]);
  });

  it('a request of a merchant without a route is rejected, and nothing is stored', async () => {
    configure([setup.processor], { ...toSandbox, merchantId: 'mer_other' });
    expect(await setup.sale(1_000)).toMatchObject({ kind: 'Rejected', rejection: { code: 'NoProcessor' } });
    expect((await setup.memory.readAll({ categories: ['payment'] })).events).toEqual([]);
  });

  it('an inquiry about an attempt of A goes to A after a switch to B', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(1_000));
    switchToHarbor();
    await firstInquiry();
    expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(harbor.sent).toEqual([]);
  });

  it('the capture, refund and void of an approval by A go to A and its account after a switch to B', async () => {
    const { operation: auth } = requireAnswered(await setup.auth(1_000));
    const { operation: sale } = requireAnswered(await setup.sale(500));
    switchToHarbor();
    const { payments } = setup.useCases;
    const capture = await payments.capture(setup.context(), { originalTransactionId: auth.id, amount: 600 });
    await payments.void(setup.context(), { originalTransactionId: auth.id });
    await payments.refund(setup.context(), { originalTransactionId: sale.id, amount: 200 });
    const { id } = requireAnswered(capture).operation;
    expect(await attemptOf(id)).toMatchObject({ processor: 'sandbox', processorAccount: 'acct' });
    expect(harbor.sent).toEqual([]);
    expect(setup.chargedTotal()).toBe(600 + 500 - 200);
  });

  it('an expired authorization of A is reversed at A after a switch to B', async () => {
    const { operation } = requireAnswered(await setup.auth(1_000));
    switchToHarbor();
    setup.clock.ahead += setup.timings.authorizationLifetime;
    await setup.useCases.resolver.runDue(1_000);
    expect(await setup.eventTypes(operation.id)).toContain('Reversed');
    expect(harbor.sent).toEqual([]);
  });

  it('an inquiry about a card verification of A goes to A after a switch to B', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await setup.storeCard());
    switchToHarbor();
    await firstInquiry();
    const stream = streamOfTokenOperation(id as OperationId) ?? '';
    const events = await readWholeStream(setup.memory, stream);
    expect(events.map(({ type }) => type)).toContain('TokenCreated');
    expect(harbor.sent).toEqual([]);
  });

  describe('if the processor of an attempt is not configured any more', () => {
    it('no other processor gets the inquiry: the outcome waits for an operator until A is back', async () => {
      setup.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await setup.sale(1_000));
      removeSandbox();
      await firstInquiry();
      expect((await setup.operation(id)).progress.status).toBe('Interrupted');
      expect((await setup.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
      expect(setup.alerts).toEqual(expect.arrayContaining(['processor-not-configured', 'operator-needed']));
      expect(harbor.sent).toEqual([]);
      expect((await setup.useCases.unknownOutcomes.list({ limit: 5 })).items).toMatchObject([
        { transactionId: id },
      ]);

      configure([setup.processor, harbor], toHarbor);
      await setup.useCases.unknownOutcomes.inquire(operator, id);
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('a refund of its sale is never sent, and the result says so', async () => {
      const { operation } = requireAnswered(await setup.sale(1_000));
      removeSandbox();
      const result = await setup.useCases.payments.refund(setup.context(), {
        originalTransactionId: operation.id,
      });
      expect(result).toMatchObject({ kind: 'NotSent' });
      if (result.kind !== 'NotSent') throw new Error('unreachable');
      expect(findOperation(result.payment, result.operationId)?.progress).toMatchObject({
        status: 'NotSent',
        reason: 'no processor "sandbox" is configured',
      });
      expect(harbor.sent).toEqual([]);
      expect(setup.chargedTotal()).toBe(1_000);
    });

    it('an operator’s inquiry is not sent, and a wrong manual resolution is corrected once A is back', async () => {
      setup.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await setup.sale(1_000));
      removeSandbox();
      await firstInquiry();
      const { unknownOutcomes } = setup.useCases;
      expect(await unknownOutcomes.inquire(operator, id)).toMatchObject({ kind: 'Unknown' });
      const resolution = { outcome: 'NotReceived', reason: 'by phone' } as const;
      expect(await unknownOutcomes.resolve(operator, id, resolution)).toMatchObject({ kind: 'Known' });
      await hoursPass(9 * 24);
      expect(harbor.sent).toEqual([]);
      configure([setup.processor, harbor], toHarbor);
      await hoursPass(4);
      expect(await setup.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
      expect(harbor.sent).toEqual([]);
      expect(setup.chargedTotal()).toBe(0);
    });

    it('an expired authorization is reversed at A, even after days', async () => {
      const { operation } = requireAnswered(await setup.auth(1_000));
      removeSandbox();
      setup.clock.ahead += setup.timings.authorizationLifetime;
      await hoursPass(9 * 24);
      expect(await setup.eventTypes(operation.id)).not.toContain('ReversalRequested');
      expect(setup.alerts).toContain('processor-not-configured');
      configure([setup.processor, harbor], toHarbor);
      await hoursPass(1);
      expect(await setup.eventTypes(operation.id)).toContain('Reversed');
      expect(harbor.sent).toEqual([]);
    });

    it('a late execution of A is reversed at A, even after days', async () => {
      setup.processor.inject('sale', 'NoAnswerAfter');
      const id = requireOperationId(await setup.sale(1_000));
      firstInquiryDue();
      const resolution = { outcome: 'NotReceived', reason: 'by phone' } as const;
      await setup.useCases.unknownOutcomes.resolve(operator, id, resolution);
      const answer = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
      const content = { kind: 'Answered', answer } as const;
      await setup.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
      removeSandbox();
      await hoursPass(9 * 24);
      expect(setup.chargedTotal()).toBe(1_000);
      configure([setup.processor, harbor], toHarbor);
      await hoursPass(1);
      expect(setup.chargedTotal()).toBe(0);
      expect(harbor.sent).toEqual([]);
    });

    it('a notice about a card verification of A leaves no work item', async () => {
      setup.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await setup.storeCard());
      const answer = { kind: 'Approved', amount: 0, facts: { responseCode: 1 } } as const;
      const content = { kind: 'Answered', answer } as const;
      await setup.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
      removeSandbox();
      await firstInquiry();
      expect(await setup.workQueue.list('Notice', undefined, 5)).toEqual([]);
      expect(await setup.workQueue.list('Outcome', undefined, 5)).toHaveLength(1);
    });

    it('a token creation of A waits for an operator too', async () => {
      setup.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await setup.storeCard());
      removeSandbox();
      await firstInquiry();
      expect((await setup.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
      expect(harbor.sent).toEqual([]);
    });
  });
});
