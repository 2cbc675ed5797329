import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';
import { anna, ben, kindOf, OperatorActions, reason } from '../testing/unknown-outcomes.setup.js';

describe('an operation whose outcome nobody knows', () => {
  let stage: PaymentsTestSetup;
  const operators = new OperatorActions(() => stage);
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => stage.close());

  describe('is ended by an operator’s word', () => {
    it('approved: all of it, with the reason, the code and the operator’s name', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id, { authCode: 'A1B2' }))).toBe('Known');
      const { progress, responses } = await stage.operation(id);
      expect(progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(responses[0]?.outcome).toMatchObject({
        source: 'Operator',
        reason,
        responseCode: 1,
        authCode: 'A1B2',
      });
      expect((await operators.actorsOf(id)).at(-1)).toBe('Anna');
      expect(stage.writtenStreams.at(-1)?.stream).toContain(id.slice(4, 27));
    });

    it('declined: with response code 10', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      const { progress, responses } = await stage.operation(id);
      expect(progress).toEqual({ status: 'Declined', resultCode: 0 });
      expect(responses[0]?.outcome).toMatchObject({ responseCode: 10, source: 'Operator' });
    });

    it('not received: it did not happen', async () => {
      stage.processor.inject('sale', 'NoAnswerBefore');
      const id = requireOperationId(await stage.sale(1_000));
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }))).toBe('Known');
      expect((await stage.operation(id)).progress).toEqual({ status: 'NotExecuted' });
      expect((await operators.actorsOf(id)).at(-1)).toBe('Anna');
    });

    it.each(['NotReceived', 'Declined'] as const)(
      '%s, which was wrong: the approval is found later, and reversed',
      async (outcome) => {
        const id = await operators.lostSale();
        operators.firstInquiry();
        await operators.resolve(id, { outcome });
        stage.clock.ahead += 60_000;
        await stage.useCases.resolver.runDue(1_000);
        const { flags, operations } = await stage.payment(id);
        expect(flags).toContainEqual({ kind: 'LateApproval', operationId: id });
        expect(operations.at(-1)).toMatchObject({
          kind: 'Reversal',
          progress: { status: 'Approved', amount: 1_000 },
        });
        expect(stage.chargedTotal()).toBe(0);
        expect((await operators.unknown.summary()).lateApprovals).toBe(1);
      },
    );

    it('not received, by a processor that breaks its word: found to be late, and reversed', async () => {
      const id = requireOperationId(await stage.sale(920_006));
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'NotReceived' });
      await new Promise((resume) => setTimeout(resume, 200));
      stage.clock.ahead += 25 * 3_600_000;
      await stage.untilResolved(3);
      expect(await stage.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
      expect(stage.chargedTotal()).toBe(0);
    });

    it('capture, void and refund too, and the payment goes on', async () => {
      const { operation: auth } = requireAnswered(await stage.auth(1_000));
      stage.processor.inject('capture', 'NoAnswerBefore');
      const request = { originalTransactionId: auth.id, amount: 400 };
      const capture = requireOperationId(await stage.useCases.payments.capture(stage.context(), request));
      operators.firstInquiry();
      await operators.resolve(capture, { outcome: 'NotReceived' });
      requireAnswered(await stage.useCases.payments.capture(stage.context(), { ...request, amount: 1_000 }));
      expect(stage.chargedTotal()).toBe(1_000);
    });

    it('gives back the limit of a refund that did not happen', async () => {
      stage.processor.inject('unreferencedRefund', 'NoAnswerBefore');
      const refund = () =>
        stage.useCases.payments.unreferencedPhysicalRefund(stage.context(), { amount: 10_000 });
      const id = requireOperationId(await refund());
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'NotReceived' });
      await stage.untilResolved(1);
      requireAnswered(await refund());
    });

    it('of a card that was to be stored: declined or not received, never approved without the card', async () => {
      stage.processor.inject('verify', 'NoAnswerAfter', 'NoAnswerBefore');
      const first = requireOperationId(await stage.storeCard());
      const second = requireOperationId(await stage.storeCard());
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(first))).toBe('NoTokenWithoutCard');
      expect(kindOf(await operators.resolve(first, { outcome: 'Declined' }))).toBe('Known');
      expect(kindOf(await operators.resolve(second, { outcome: 'NotReceived' }))).toBe('Known');
      expect(await operators.listed()).toEqual([]);
    });

    it('once: what is known stays as it is', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      expect(await operators.resolve(id)).toEqual({
        kind: 'KnownAlready',
        what: 'it was declined (response code 10)',
      });
      expect(kindOf(await operators.inquire(id))).toBe('KnownAlready');
      const { operation } = requireAnswered(await stage.sale(500));
      expect(await operators.resolve(operation.id)).toMatchObject({
        what: 'it was approved (response code 1)',
      });
    });

    it('repeated under one command, is answered as before', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id, {}, anna, 'c1');
      expect(kindOf(await operators.resolve(id, {}, anna, 'c1'))).toBe('Known');
      expect(kindOf(await operators.resolve(id, {}, anna, 'c2'))).toBe('KnownAlready');
    });

    it('is no news where the resolver hears the truth in the same moment', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      stage.processor.inject('inquire', { delayMs: 20 });
      const [, word] = await Promise.all([
        stage.useCases.resolver.runDue(500),
        new Promise((resume) => setTimeout(resume, 30)).then(() =>
          operators.resolve(id, { outcome: 'Declined' }),
        ),
      ]);
      const { progress, lateApprovals } = await stage.operation(id);
      if (kindOf(word) === 'KnownAlready') expect(progress.status).toBe('Approved');
      else expect([progress.status, lateApprovals.length]).toEqual(['Declined', 1]);
    });
  });

  describe('in live mode, of more than one operator may decide', () => {
    beforeEach(() => void stage.start({ mode: 'live', above: 1_000 }));

    it('waits for a second key, and shows what was proposed', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      const proposed = await operators.resolve(id, { authCode: 'A1' });
      const proposal = { outcome: 'Approved', reason, authCode: 'A1', by: { name: 'Anna' } };
      expect(proposed).toMatchObject({ kind: 'AwaitsConfirmation', outcome: { proposal } });
      expect(await operators.listed()).toMatchObject([{ transactionId: id, proposal }]);
      expect((await stage.operation(id)).progress.status).toBe('Interrupted');
      expect(kindOf(await operators.resolve(id, {}, { ...anna, name: 'Anna again' }))).toBe('SameOperator');
      expect(kindOf(await operators.resolve(id, {}, ben))).toBe('Known');
      const { progress, responses } = await stage.operation(id);
      expect(progress).toEqual({ status: 'Approved', amount: 1_001 });
      expect(responses[0]?.outcome.authCode).toBe('A1');
      expect((await operators.actorsOf(id)).at(-1)).toBe('Ben');
    });

    it('takes another word as another proposal', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id);
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }, ben))).toBe('AwaitsConfirmation');
      expect(kindOf(await operators.resolve(id, { outcome: 'NotReceived' }))).toBe('Known');
      expect((await stage.operation(id)).progress).toEqual({ status: 'NotExecuted' });
    });

    it('still lets the processor tell', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id, { outcome: 'Declined' });
      expect(kindOf(await operators.inquire(id))).toBe('Known');
      expect((await stage.operation(id)).progress.status).toBe('Approved');
      expect(kindOf(await operators.resolve(id, { outcome: 'Declined' }, ben))).toBe('KnownAlready');
    });

    it('carries out what was confirmed when the process died in between', async () => {
      const id = await operators.lostSale(1_001);
      operators.firstInquiry();
      await operators.resolve(id);
      stage.store.inject({ kind: 'Delay', ms: 0 });
      stage.store.inject({ kind: 'Unavailable' });
      await expect(operators.resolve(id, {}, ben)).rejects.toThrow();
      stage.store.clearFaults();
      expect((await stage.operation(id)).progress.status).toBe('Interrupted');
      expect(kindOf(await operators.resolve(id))).toBe('Known');
    });

    it('lets one operator decide up to the amount', async () => {
      const id = await operators.lostSale(1_000);
      operators.firstInquiry();
      expect(kindOf(await operators.resolve(id))).toBe('Known');
    });
  });
});
