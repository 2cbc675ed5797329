import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import type { ProcessorNotice } from '@tillstream/processors';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const approvedBy = (amount: number) => ({ kind: 'Approved', amount, facts: { responseCode: 1 } }) as const;
const submittedAnswer = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const declinedAnswer = { kind: 'Declined', facts: { responseCode: 10 } } as const;
const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;

describe('a processor notice', () => {
  let setup: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const receive = (content: ProcessorNotice['content'], key: string, id = `m${++messages}`) =>
    setup.useCases.inbox.receive('sandbox', { id, key, content });
  const work = () => setup.useCases.resolver.runDue(1_000);
  const submitted = async (amount = 1_000): Promise<OperationId> => {
    setup.processor.inject('sale', { answer: submittedAnswer });
    return requireAnswered(await setup.sale(amount)).operation.id;
  };
  const returned = {
    kind: 'Returned',
    returnId: 'R-1',
    code: 'R01',
    reason: 'no funds',
    amount: 400,
  } as const;
  const brokenLimits = (): readonly string[] =>
    setup.logged
      .filter((line) => line.startsWith('limit-broken '))
      .map((line) => (JSON.parse(line.slice('limit-broken '.length)) as { reason: string }).reason);
  /** An executed sale that an operator closed as not received. */
  const closedByMistake = async (): Promise<OperationId> => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(1_000)) as OperationId;
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin);
    await setup.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    return id;
  };

  it('with a card is stored without the card', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await setup.storeCard()) as OperationId;
    const place = { merchantId: setup.merchant.id, account: 'acct', channel: 'CardPresent' } as const;
    const found = await setup.processor.inquire({ ...place, key: `${id}.1`, deadlineMs: 100 });
    if (found.kind !== 'Found') throw new Error('the check was executed');
    expect(JSON.stringify(found.answer)).toContain('4242424242424242');
    expect(await receive({ kind: 'Answered', answer: found.answer }, `${id}.1`)).toBe('Stored');
    const { events } = await setup.memory.readAll();
    expect(JSON.stringify(events)).not.toContain('4242424242424242');
  });

  it('with the id of another notice and another content is a new fact', async () => {
    const id = await submitted();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'same');
    await receive(returned, `${id}.1`, 'same');
    await receive(returned, `${id}.1`, 'same');
    const other = await submitted(700);
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${other}.1`, 'same');
    await work();
    expect((await setup.operation(id)).returns).toHaveLength(1);
    expect((await setup.operation(other)).progress.status).toBe('Approved');
    expect(await setup.eventTypes(id)).toHaveLength(6);
  });

  it('with other personal data under the same id is the same notice', async () => {
    const id = await submitted();
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected: { accountNumber: '1' } }, `${id}.1`, 'n');
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected: { accountNumber: '2' } }, `${id}.1`, 'n');
    expect((await setup.operation(id)).noticeIds).toEqual(['n']);
  });

  it('of a late execution raises one alert', async () => {
    const id = await closedByMistake();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    expect(setup.alerts.filter((alert) => alert === 'late-approval-found')).toHaveLength(1);
  });

  it('of a declined reversal raises an alert, and a reversal that the bank processes does not', async () => {
    const id = await closedByMistake();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    setup.processor.inject('reverse', { answer: submittedAnswer });
    await work();
    const reversal = (await setup.payment(id)).operations.find(({ kind }) => kind === 'Reversal');
    expect(reversal?.progress.status).toBe('Processing');
    expect(setup.alerts).not.toContain('reversal-failed');
    await receive({ kind: 'Answered', answer: declinedAnswer }, `${reversal?.id}.1`);
    await work();
    expect(setup.alerts).toContain('reversal-failed');
  });

  it('is applied once after a crash at any step', async () => {
    for (let step = 1, crashed = true; crashed; step++) {
      const id = await submitted();
      const answered = () => receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'same');
      crashed = await crashBeforeStep(setup, step, answered);
      // It was not acknowledged.
      if (crashed) await answered();
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      const captured = (await setup.eventTypes(id)).filter((type) => type === 'Captured');
      expect(captured).toHaveLength(1);
    }
  });

  it('that is stored is applied once after a crash at any step', async () => {
    for (let step = 1, crashed = true; crashed; step++) {
      setup.processor.inject('verify', 'NoAnswerAfter');
      const id = requireOperationId(await setup.storeCard()) as OperationId;
      setup.clock.pass(setup.timings.sendWithin + setup.timings.processorDeadline);
      expect(await receive({ kind: 'Answered', answer: approvedBy(0) }, `${id}.1`)).toBe('Stored');
      crashed = await crashBeforeStep(setup, step, () => setup.useCases.resolver.runDue(0));
      setup.clock.pass(60_000);
      setup.clock.ahead += 60_000;
      await work();
      const events = await readWholeStream(setup.memory, `token-${id.slice(4, 27)}`);
      expect(events.filter(({ type }) => type === 'TokenCreated')).toHaveLength(1);
      const notices = await setup.memory.readAll({ categories: ['processornotice'] });
      expect(notices.events.at(-1)?.type).toBe('NoticeApplied');
    }
  });

  it('of a return during a refund counts too, and flags the double refund', async () => {
    const { operation: sale } = requireAnswered(await setup.sale(1_000));
    setup.processor.inject('void', 'NoAnswerAfter');
    const request = { originalTransactionId: sale.id, amount: 1_000 };
    const refund = requireOperationId(await setup.useCases.payments.refund(setup.context(), request));
    await receive({ ...returned, amount: 1_000 }, `${sale.id}.1`);
    await work();
    expect((await setup.operation(refund)).progress.status).toBe('Interrupted');
    await setup.untilResolved(2);
    expect((await setup.operation(refund)).progress.status).toBe('Approved');
    expect((await setup.payment(sale.id)).flags.map(({ kind }) => kind)).toContain('OverRefunded');
    expect(brokenLimits()).toEqual(['OverRefunded']);
  });

  it('of a chargeback is accepted with any amount, and raises an alert if the cardholder got the money twice', async () => {
    const { operation: sale } = requireAnswered(await setup.sale(1_000));
    const dispute = { kind: 'ChargedBack', reason: 'not received' } as const;
    await receive({ ...dispute, chargebackId: 'c-1', amount: 1_000 }, `${sale.id}.1`);
    await receive({ ...dispute, chargebackId: 'c-1', amount: 1_000 }, `${sale.id}.1`);
    await work();
    expect(brokenLimits()).toEqual([]);
    const request = { originalTransactionId: sale.id, amount: 400 };
    requireAnswered(await setup.useCases.payments.refund(setup.context(), request));
    expect(brokenLimits()).toEqual(['ChargedBackAbovePaid']);
    await receive({ ...dispute, chargebackId: 'c-2', amount: 2_000 }, `${sale.id}.1`);
    await work();
    expect((await setup.operation(sale.id)).chargebacks).toHaveLength(2);
    expect(brokenLimits()).toEqual(['ChargedBackAbovePaid']);
  });

  it('of a return after a refund raises an alert of the double refund', async () => {
    const { operation: sale } = requireAnswered(await setup.sale(1_000));
    const request = { originalTransactionId: sale.id, amount: 1_000 };
    requireAnswered(await setup.useCases.payments.refund(setup.context(), request));
    await receive(returned, `${sale.id}.1`);
    await work();
    expect(brokenLimits()).toEqual(['OverRefunded']);
  });
});
