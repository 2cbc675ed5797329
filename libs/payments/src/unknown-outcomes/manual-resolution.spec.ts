import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';
import { anna, ben, kindOf, OperatorActions, reason } from '../testing/unknown-outcomes.setup.js';

describe('an unknown outcome', () => {
  let setup: PaymentsTestSetup;
  const operators = new OperatorActions(() => setup);
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => setup.close());

  describe('is resolved by an operator', () => {
    it('as approved: the whole amount, with the reason, the code and the operator’s name', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id, { authCode: 'A1B2' }))).toBe('Known');
      const { progress, responses } = await setup.operation(id);
      expect(progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(responses[0]?.outcome).toMatchObject({
        source: 'Operator',
        reason,
        responseCode: 1,
        authCode: 'A1B2',
      });
      expect((await operators.actorsOf(id)).at(-1)).toBe('Anna');
      expect(setup.writtenStreams.at(-1)?.stream).toContain(id.slice(4, 27));
    });

    it('as declined, with response code 10', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      const { progress, responses } = await setup.operation(id);
      expect(progress).toEqual({ status: 'Declined', resultCode: 0 });
      expect(responses[0]?.outcome).toMatchObject({ responseCode: 10, source: 'Operator' });
    });

    it('as not received: the operation was not executed', async () => {
      setup.processor.inject('sale', 'NoAnswerBefore');
      const id = requireOperationId(await setup.sale(1_000));
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }))).toBe('Known');
      expect((await setup.operation(id)).progress).toEqual({ status: 'NotExecuted' });
      expect((await operators.actorsOf(id)).at(-1)).toBe('Anna');
    });

    it.each(['NotReceived', 'Declined'] as const)(
      'as %s by mistake: a late inquiry finds the approval, and the resolver reverses it',
      async (outcome) => {
        const id = await operators.lostSale();
        operators.firstInquiry();
        await operators.resolve(id, { outcome });
        setup.clock.ahead += 60_000;
        await setup.useCases.resolver.runDue(1_000);
        const { flags, operations } = await setup.payment(id);
        expect(flags).toContainEqual({ kind: 'LateApproval', operationId: id });
        expect(operations.at(-1)).toMatchObject({
          kind: 'Reversal',
          progress: { status: 'Approved', amount: 1_000 },
        });
        expect(setup.chargedTotal()).toBe(0);
        expect((await operators.unknown.summary()).lateApprovals).toBe(1);
      },
    );

    it('as not received before a late execution, which is found and reversed', async () => {
      const id = requireOperationId(await setup.sale(920_006));
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'NotReceived' });
      await new Promise((resume) => setTimeout(resume, 200));
      setup.clock.ahead += 25 * 3_600_000;
      await setup.untilResolved(3);
      expect(await setup.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
      expect(setup.chargedTotal()).toBe(0);
    });

    it('for a capture, and the payment goes on', async () => {
      const { operation: auth } = requireAnswered(await setup.auth(1_000));
      setup.processor.inject('capture', 'NoAnswerBefore');
      const request = { originalTransactionId: auth.id, amount: 400 };
      const capture = requireOperationId(await setup.useCases.payments.capture(setup.context(), request));
      operators.firstInquiry();
      await operators.resolve(capture, { outcome: 'NotReceived' });
      requireAnswered(await setup.useCases.payments.capture(setup.context(), { ...request, amount: 1_000 }));
      expect(setup.chargedTotal()).toBe(1_000);
    });

    it('for an unreferenced refund that was not executed, which gives back its limit', async () => {
      setup.processor.inject('unreferencedRefund', 'NoAnswerBefore');
      const refund = () =>
        setup.useCases.payments.unreferencedPhysicalRefund(setup.context(), { amount: 10_000 });
      const id = requireOperationId(await refund());
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'NotReceived' });
      await setup.untilResolved(1);
      expect((await refund()).kind).toBe('Answered');
    });

    it('for a card verification: as declined or not received, never as approved', async () => {
      setup.processor.inject('verify', 'NoAnswerAfter', 'NoAnswerBefore');
      const first = requireOperationId(await setup.storeCard());
      const second = requireOperationId(await setup.storeCard());
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(first))).toBe('NoTokenWithoutCard');
      expect(kindOf(await operators.resolve(first, { outcome: 'Declined' }))).toBe('Known');
      expect(kindOf(await operators.resolve(second, { outcome: 'NotReceived' }))).toBe('Known');
      expect(await operators.listed()).toEqual([]);
    });

    it('once: a known outcome does not change', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      expect(await operators.resolve(id)).toEqual({
        kind: 'KnownAlready',
        what: 'it was declined (response code 10)',
      });
      expect(kindOf(await operators.inquire(id))).toBe('KnownAlready');
      const { operation } = requireAnswered(await setup.sale(500));
      expect(await operators.resolve(operation.id)).toMatchObject({
        what: 'it was approved (response code 1)',
      });
    });

    it('with the same result when the command is repeated', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, {}, anna, 'c1');
      expect(kindOf(await operators.resolve(id, {}, anna, 'c1'))).toBe('Known');
      expect(kindOf(await operators.resolve(id, {}, anna, 'c2'))).toBe('KnownAlready');
    });

    it('without effect if the resolver records the processor’s answer at the same time', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      setup.processor.inject('inquire', { delayMs: 20 });
      const [, resolved] = await Promise.all([
        setup.useCases.resolver.runDue(500),
        new Promise((resume) => setTimeout(resume, 30)).then(() =>
          operators.resolve(id, { outcome: 'Declined' }),
        ),
      ]);
      const { progress, lateApprovals } = await setup.operation(id);
      if (kindOf(resolved) === 'KnownAlready') expect(progress.status).toBe('Approved');
      else expect([progress.status, lateApprovals.length]).toEqual(['Declined', 1]);
    });
  });

  describe('in live mode, above the limit of one operator', () => {
    beforeEach(() => void setup.start({ mode: 'live', above: 1_000 }));

    it('waits for a second admin key, and shows the proposal', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      const proposed = await operators.resolve(id, { authCode: 'A1' });
      const proposal = { outcome: 'Approved', reason, authCode: 'A1', by: { name: 'Anna' } };
      expect(proposed).toMatchObject({ kind: 'AwaitsConfirmation', outcome: { proposal } });
      expect(await operators.listed()).toMatchObject([{ transactionId: id, proposal }]);
      expect((await setup.operation(id)).progress.status).toBe('Interrupted');
      expect(kindOf(await operators.resolve(id, {}, { ...anna, name: 'Anna again' }))).toBe('SameOperator');
      expect(kindOf(await operators.resolve(id, {}, ben))).toBe('Known');
      const { progress, responses } = await setup.operation(id);
      expect(progress).toEqual({ status: 'Approved', amount: 1_001 });
      expect(responses[0]?.outcome.authCode).toBe('A1');
      expect((await operators.actorsOf(id)).at(-1)).toBe('Ben');
    });

    it('takes a different decision as a new proposal', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id);
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }, ben))).toBe('AwaitsConfirmation');
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }))).toBe('Known');
      expect((await setup.operation(id)).progress).toEqual({ status: 'NotExecuted' });
    });

    it('still records the processor’s answer', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      expect(kindOf(await operators.inquire(id))).toBe('Known');
      expect((await setup.operation(id)).progress.status).toBe('Approved');
      expect(kindOf(await operators.resolve(id, { outcome: 'Declined' }, ben))).toBe('KnownAlready');
    });

    it('is resolved by a repeat if the process died after the confirmation', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id);
      setup.store.inject({ kind: 'Delay', ms: 0 });
      setup.store.inject({ kind: 'Unavailable' });
      await expect(operators.resolve(id, {}, ben)).rejects.toThrow();
      setup.store.clearFaults();
      expect((await setup.operation(id)).progress.status).toBe('Interrupted');
      expect(kindOf(await operators.resolve(id))).toBe('Known');
    });

    it('lets one operator decide up to the limit', async () => {
      const id = await operators.lostSale(1_000);
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id))).toBe('Known');
    });
  });
});
