import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readWholeStream } from '@tillstream/event-store';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';
import { kindOf, OperatorActions } from '../testing/unknown-outcomes.setup.js';

describe('an unknown outcome', () => {
  let setup: PaymentsTestSetup;
  const operators = new OperatorActions(() => setup);
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open({ lateExecutionDelayMs: 50 });
  });
  afterEach(() => setup.close());

  describe('can be inquired about by an operator', () => {
    it('now, and the events have the operator’s name', async () => {
      setup.processor.inject('inquire', 'NoAnswerBefore');
      const id = await operators.lostSale();
      operators.firstInquiry();
      await setup.useCases.resolver.runDue(0);
      expect(await operators.inquire(id)).toMatchObject({ kind: 'Known', outcome: { inquiries: 2 } });
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(await operators.actorsOf(id)).toEqual(['till', 'till', 'till', 'Anna', 'Anna']);
      expect(setup.writtenStreams.at(-1)?.stream).toContain(id.slice(4, 27));
    });

    it('after the last inquiry, and still waits for an operator if the processor does not answer', async () => {
      setup.processor.inject('inquire', ...Array.from({ length: 9 }, () => 'NoAnswerBefore' as const));
      const id = await operators.lostSale();
      operators.firstInquiry();
      setup.clock.ahead += setup.timings.inquiriesFor + 1;
      await setup.useCases.resolver.runDue(0);
      const came = await operators.inquire(id);
      expect(came).toMatchObject({ kind: 'Unknown', outcome: { inquiries: 2 } });
      expect((await setup.workQueue.find(`Outcome:${id}`))?.dueAt).toBeNull();
    });

    it('and each forced inquiry is recorded, with any result', async () => {
      setup.processor.inject('inquire', 'NoAnswerBefore');
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.inquire(id);
      await operators.inquire(id);
      const forced = await readWholeStream(setup.memory, `resolution-${id.slice(4)}`);
      expect(forced.map(({ type }) => type)).toEqual(['InquiryForced', 'InquiryForced']);
    });

    it('but not while another inquiry runs', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      setup.processor.inject('inquire', { delayMs: 40 });
      const [one, two] = await Promise.all([operators.inquire(id), operators.inquire(id)]);
      expect([kindOf(one), kindOf(two)].sort()).toEqual(['InHand', 'Known']);
    });

    it('while the work queue is being rebuilt', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.listed();
      const row = await setup.workQueue.find(`Outcome:${id}`);
      if (row) await setup.workQueue.remove(row);
      expect(await setup.workQueue.find(`Outcome:${id}`)).toBeUndefined();
      expect(kindOf(await operators.inquire(id))).toBe('Known');
    });

    it('and stays with the resolver if the store fails to record the forced inquiry', async () => {
      const id = await operators.lostSale();
      operators.firstInquiry();
      await operators.listed();
      setup.store.inject({ kind: 'Unavailable' });
      await expect(operators.inquire(id)).rejects.toThrow();
      setup.store.clearFaults();
      expect(kindOf(await operators.inquire(id))).toBe('Known');
    });
  });

  it('gets no forced inquiry before its first inquiry is due', async () => {
    const id = await operators.lostSale();
    for (const came of [await operators.inquire(id), await operators.resolve(id)])
      expect(kindOf(came)).toBe('TooEarly');
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin - 1);
    expect(kindOf(await operators.resolve(id))).toBe('TooEarly');
    setup.clock.pass(1);
    expect(kindOf(await operators.resolve(id))).toBe('Known');
  });

  it('gets no forced inquiry while its client waits', async () => {
    setup.processor.inject('sale', { delayMs: 60 });
    const running = setup.sale(1_000);
    await new Promise((resume) => setTimeout(resume, 10));
    const { events } = await setup.memory.readAll({ categories: ['payment'] });
    expect(kindOf(await operators.resolve(String(events[0]?.data['operationId'])))).toBe('TooEarly');
    requireAnswered(await running);
  });

  it.each(['trx_x', `trx_${'0'.repeat(23)}P00`, `trx_${'0'.repeat(23)}T00`, 'mer_1', ''])(
    'is not found by the unknown id %j',
    async (id) => {
      expect(kindOf(await operators.inquire(id))).toBe('NotFound');
      expect(kindOf(await operators.resolve(id))).toBe('NotFound');
    },
  );
});
