import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsTestSetup, requireOperationId } from '../testing/payments.setup.js';
import { OperatorActions } from '../testing/unknown-outcomes.setup.js';
import type { UnknownOutcome } from './unknown-outcomes.types.js';

describe('an operation whose outcome nobody knows', () => {
  let stage: PaymentsTestSetup;
  const operators = new OperatorActions(() => stage);
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => stage.close());

  describe('is listed', () => {
    it('at once when its caller was told so, with what is known of it', async () => {
      const id = await operators.lostSale();
      const [only] = await operators.listed();
      const { since } = await stage.workQueue.find(`Outcome:${id}`).then((row) => row!);
      expect(only).toEqual({
        transactionId: id,
        merchantId: stage.merchant.id,
        type: 'Sale',
        amount: 1_000,
        currency: 'USD',
        since: new Date(since).toISOString(),
        inquiries: 0,
        nextInquiryAt: expect.any(String),
      });
    });

    it('not while its caller waits, nor once it is known', async () => {
      stage.processor.inject('sale', { delayMs: 40 });
      const running = stage.sale(1_000);
      await new Promise((resume) => setTimeout(resume, 10));
      expect(await operators.listed()).toEqual([]);
      await running;
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.resolve(id);
      expect(await operators.listed()).toEqual([]);
    });

    it('when its process died, as soon as nobody can wait for it any more', async () => {
      stage.crash.crashAt('after-send');
      await stage.sale(1_000).catch(() => undefined);
      stage.start();
      expect(await operators.listed()).toEqual([]);
      stage.clock.pass(stage.timings.sendWithin + stage.timings.terminalDeadline);
      expect(await operators.listed()).toMatchObject([{ type: 'Sale', inquiries: 0 }]);
    });

    it('with its inquiries, and without a next one after seven days', async () => {
      stage.processor.inject('inquire', ...Array.from({ length: 400 }, () => 'NoAnswerBefore' as const));
      const id = await operators.lostSale();
      operators.firstInquiry();
      await stage.useCases.resolver.runDue(0);
      expect(await operators.listed()).toMatchObject([{ transactionId: id, inquiries: 1 }]);
      stage.clock.ahead += stage.timings.inquiriesFor;
      await stage.useCases.resolver.runDue(0);
      const [waits] = await operators.listed();
      expect(waits).toMatchObject({ transactionId: id, inquiries: 2 });
      expect(waits).not.toHaveProperty('nextInquiryAt');
    });

    it('with all its times on the clock of the service, also before the first inquiry', async () => {
      stage.clock.ahead += 7 * 86_400_000;
      const id = await operators.lostSale();
      const [only] = await operators.listed();
      const { dueAt } = await stage.workQueue.find(`Outcome:${id}`).then((row) => row!);
      expect(only?.nextInquiryAt).toBe(new Date(dueAt! + stage.clock.ahead).toISOString());
      expect(Date.parse(only!.nextInquiryAt!)).toBeGreaterThan(Date.parse(only!.since));
    });

    it('of a stored card too, without an amount', async () => {
      stage.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await stage.storeCard());
      expect(await operators.listed()).toMatchObject([
        { transactionId: id, type: 'TokenCreate', currency: 'USD' },
      ]);
      expect((await operators.listed())[0]).not.toHaveProperty('amount');
    });

    it('the longest unknown first, page by page, each once', async () => {
      const ids: string[] = [];
      for (let sale = 0; sale < 5; sale++) {
        ids.push(await operators.lostSale(1_000 + sale));
        stage.clock.pass(10);
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

    it('of the merchants that are asked for', async () => {
      const id = await operators.lostSale();
      const of = async (merchantId: string) =>
        (await operators.unknown.list({ limit: 25, merchantIds: [merchantId] })).items;
      expect(await of(stage.merchant.id)).toMatchObject([{ transactionId: id }]);
      expect(await of('mer_other')).toEqual([]);
    });
  });

  it('is counted, with the age of the oldest', async () => {
    expect(await operators.unknown.summary()).toEqual({ open: 0, lateApprovals: 0 });
    await operators.lostSale();
    stage.clock.pass(5_000);
    await operators.lostSale();
    await operators.listed();
    expect(await operators.unknown.summary()).toEqual({ open: 2, oldestAgeMs: 5_000, lateApprovals: 0 });
  });
});
