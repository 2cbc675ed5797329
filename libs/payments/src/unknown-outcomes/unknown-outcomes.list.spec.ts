import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsTestSetup, requireOperationId } from '../testing/payments.setup.js';
import { OperatorActions } from '../testing/unknown-outcomes.setup.js';
import type { UnknownOutcome } from './unknown-outcomes.types.js';

describe('an unknown outcome', () => {
  let setup: PaymentsTestSetup;
  const operators = new OperatorActions(() => setup);
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => setup.close());

  describe('is listed', () => {
    it('as soon as its client got Interrupted, with the details of the operation', async () => {
      const id = await operators.lostSale();
      const [only] = await operators.listed();
      const { since } = await setup.workQueue.find(`Outcome:${id}`).then((row) => row!);
      expect(only).toEqual({
        transactionId: id,
        merchantId: setup.merchant.id,
        type: 'Sale',
        amount: 1_000,
        currency: 'USD',
        since: new Date(since).toISOString(),
        inquiries: 0,
        nextInquiryAt: expect.any(String),
      });
    });

    it('but not while its client waits, nor after the outcome is known', async () => {
      setup.processor.inject('sale', { delayMs: 40 });
      const running = setup.sale(1_000);
      await new Promise((resume) => setTimeout(resume, 10));
      expect(await operators.listed()).toEqual([]);
      await running;
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id);
      expect(await operators.listed()).toEqual([]);
    });

    it('as soon as no client can wait any more, if its process died', async () => {
      setup.crash.crashAt('after-send');
      await setup.sale(1_000).catch(() => undefined);
      setup.start();
      expect(await operators.listed()).toEqual([]);
      setup.clock.pass(setup.timings.sendWithin + setup.timings.terminalDeadline);
      expect(await operators.listed()).toMatchObject([{ type: 'Sale', inquiries: 0 }]);
    });

    it('with the number of inquiries, and without a next one after seven days', async () => {
      setup.processor.inject('inquire', ...Array.from({ length: 400 }, () => 'NoAnswerBefore' as const));
      const id = await operators.lostSale();
      operators.firstInquiry();
      await setup.useCases.resolver.runDue(0);
      expect(await operators.listed()).toMatchObject([{ transactionId: id, inquiries: 1 }]);
      setup.clock.ahead += setup.timings.inquiriesFor;
      await setup.useCases.resolver.runDue(0);
      const [waits] = await operators.listed();
      expect(waits).toMatchObject({ transactionId: id, inquiries: 2 });
      expect(waits).not.toHaveProperty('nextInquiryAt');
    });

    it('with all times by the service’s clock, also before the first inquiry', async () => {
      setup.clock.ahead += 7 * 86_400_000;
      const id = await operators.lostSale();
      const [only] = await operators.listed();
      const { dueAt } = await setup.workQueue.find(`Outcome:${id}`).then((row) => row!);
      expect(only?.nextInquiryAt).toBe(new Date(dueAt! + setup.clock.ahead).toISOString());
      expect(Date.parse(only!.nextInquiryAt!)).toBeGreaterThan(Date.parse(only!.since));
    });

    it('without an amount if it is of a card verification', async () => {
      setup.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await setup.storeCard());
      expect(await operators.listed()).toMatchObject([
        { transactionId: id, type: 'TokenCreate', currency: 'USD' },
      ]);
      expect((await operators.listed())[0]).not.toHaveProperty('amount');
    });

    it('in pages, the longest unknown first, each once', async () => {
      const ids: string[] = [];
      for (let sale = 0; sale < 5; sale++) {
        ids.push(await operators.lostSale(1_000 + sale));
        setup.clock.pass(10);
      }
      const seen: UnknownOutcome[] = [];
      let next: Awaited<ReturnType<typeof operators.unknown.list>>['next'] | undefined;
      do {
        const page = await operators.unknown.list({ limit: 2, ...(next && { after: next }) });
        seen.push(...page.items);
        next = page.next;
      } while (next);
      expect(seen.map(({ transactionId }) => transactionId)).toEqual(ids);
    });

    it('by merchant', async () => {
      const id = await operators.lostSale();
      const of = async (merchantId: string) =>
        (await operators.unknown.list({ limit: 25, merchantIds: [merchantId] })).items;
      expect(await of(setup.merchant.id)).toMatchObject([{ transactionId: id }]);
      expect(await of('mer_other')).toEqual([]);
    });
  });

  it('is counted, with the age of the oldest', async () => {
    expect(await operators.unknown.summary()).toEqual({ open: 0, lateApprovals: 0 });
    await operators.lostSale();
    setup.clock.pass(5_000);
    await operators.lostSale();
    await operators.listed();
    expect(await operators.unknown.summary()).toEqual({ open: 2, oldestAgeMs: 5_000, lateApprovals: 0 });
  });
});
