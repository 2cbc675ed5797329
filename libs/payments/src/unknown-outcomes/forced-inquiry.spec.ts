import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readWholeStream } from '@tillstream/event-store';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';
import { kindOf, OperatorActions } from '../testing/unknown-outcomes.setup.js';

describe('an operation whose outcome nobody knows', () => {
  let stage: PaymentsTestSetup;
  const operators = new OperatorActions(() => stage);
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => stage.close());

  describe('can be inquired into by an operator', () => {
    it('now, and what is found is recorded under the operator’s name', async () => {
      stage.processor.inject('inquire', 'NoAnswerBefore');
      const id = await operators.lostSale();
      operators.firstInquiry();
      await stage.useCases.resolver.runDue(0);
      expect(await operators.inquire(id)).toMatchObject({ kind: 'Known', outcome: { inquiries: 2 } });
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(await operators.actorsOf(id)).toEqual(['till', 'till', 'till', 'Anna', 'Anna']);
      expect(stage.writtenStreams.at(-1)?.stream).toContain(id.slice(4, 27));
    });

    it('though it waits for an operator, and goes on waiting where nobody knows', async () => {
      stage.processor.inject('inquire', ...Array.from({ length: 9 }, () => 'NoAnswerBefore' as const));
      const id = await operators.lostSale();
      operators.firstInquiry();
      stage.clock.ahead += stage.timings.inquiriesFor + 1;
      await stage.useCases.resolver.runDue(0);
      const came = await operators.inquire(id);
      expect(came).toMatchObject({ kind: 'Unknown', outcome: { inquiries: 2 } });
      expect((await stage.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
    });

    it('and each forced inquiry is recorded, found or not', async () => {
      stage.processor.inject('inquire', 'NoAnswerBefore');
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.inquire(id);
      await operators.inquire(id);
      const forced = await readWholeStream(stage.memory, `resolution-${id.slice(4)}`);
      expect(forced.map(({ type }) => type)).toEqual(['InquiryForced', 'InquiryForced']);
    });

    it('not while another inquiry is under way', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      stage.processor.inject('inquire', { delayMs: 40 });
      const [one, two] = await Promise.all([operators.inquire(id), operators.inquire(id)]);
      expect([kindOf(one), kindOf(two)].sort()).toEqual(['InHand', 'Known']);
    });

    it('also while the resolver’s table is still being made', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.listed();
      const row = await stage.workQueue.find(`Outcome:${id}`);
      if (row) await stage.workQueue.remove(row);
      expect(await stage.workQueue.find(`Outcome:${id}`)).toBeUndefined();
      expect(kindOf(await operators.inquire(id))).toBe('Known');
    });

    it('and stays with the resolver where the store does not take the record of it', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.listed();
      stage.store.inject({ kind: 'Unavailable' });
      await expect(operators.inquire(id)).rejects.toThrow();
      stage.store.clearFaults();
      expect(kindOf(await operators.inquire(id))).toBe('Known');
    });
  });

  it('is left alone before its first inquiry is due', async () => {
    const id = await operators.lostSale();
    for (const came of [await operators.inquire(id), await operators.resolve(id)])
      expect(kindOf(came)).toBe('TooEarly');
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin - 1);
    expect(kindOf(await operators.resolve(id))).toBe('TooEarly');
    stage.clock.pass(1);
    expect(kindOf(await operators.resolve(id))).toBe('Known');
  });

  it('is left alone while its caller waits', async () => {
    stage.processor.inject('sale', { delayMs: 60 });
    const running = stage.sale(1_000);
    await new Promise((resume) => setTimeout(resume, 10));
    const { events } = await stage.memory.readAll({ categories: ['payment'] });
    expect(kindOf(await operators.resolve(String(events[0]?.data['operationId'])))).toBe('TooEarly');
    requireAnswered(await running);
  });

  it.each(['trx_x', `trx_${'0'.repeat(23)}P00`, `trx_${'0'.repeat(23)}T00`, 'mer_1', ''])(
    'is not found where nothing has the id %j',
    async (id) => {
      expect(kindOf(await operators.inquire(id))).toBe('NotFound');
      expect(kindOf(await operators.resolve(id))).toBe('NotFound');
    },
  );
});
