import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '@tillstream/domain';
import type { ProcessorNotice } from '@tillstream/processors';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const approvedBy = (amount: number) => ({ kind: 'Approved', amount, facts: { responseCode: 1 } }) as const;
const submittedAnswer = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const declinedAnswer = { kind: 'Declined', facts: { responseCode: 10 } } as const;
const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;

/** Whatever a processor tells, and however it numbers its messages: no fact is lost, no card is stored, people are told. */
describe('a notice', () => {
  let stage: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const receive = (content: ProcessorNotice['content'], key: string, id = `m${++messages}`) =>
    stage.useCases.inbox.receive('sandbox', { id, key, content });
  const work = () => stage.useCases.resolver.runDue(1_000);
  const submitted = async (amount = 1_000): Promise<OperationId> => {
    stage.processor.inject('sale', { answer: submittedAnswer });
    return requireAnswered(await stage.sale(amount)).operation.id;
  };
  const returned = {
    kind: 'Returned',
    returnId: 'R-1',
    code: 'R01',
    reason: 'no funds',
    amount: 400,
  } as const;
  const limitsTold = (): readonly string[] =>
    stage.logged
      .filter((line) => line.startsWith('limit-broken '))
      .map((line) => (JSON.parse(line.slice('limit-broken '.length)) as { reason: string }).reason);
  /** A sale that was executed, and that an operator closed as not received. */
  const closedByMistake = async (): Promise<OperationId> => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await stage.sale(1_000)) as OperationId;
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin);
    await stage.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    return id;
  };

  it('that brings a card, against its type, is stored without it', async () => {
    stage.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await stage.storeCard()) as OperationId;
    const place = { merchantId: stage.merchant.id, account: 'acct', channel: 'CardPresent' } as const;
    const found = await stage.processor.inquire({ ...place, key: `${id}.1`, deadlineMs: 100 });
    if (found.kind !== 'Found') throw new Error('the check was executed');
    expect(JSON.stringify(found.answer)).toContain('4242424242424242');
    expect(await receive({ kind: 'Answered', answer: found.answer }, `${id}.1`)).toBe('Stored');
    const { events } = await stage.memory.readAll();
    expect(JSON.stringify(events)).not.toContain('4242424242424242');
  });

  it('under the id of another one, with another content, is a fact of its own', async () => {
    const id = await submitted();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'same');
    await receive(returned, `${id}.1`, 'same');
    await receive(returned, `${id}.1`, 'same');
    const other = await submitted(700);
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${other}.1`, 'same');
    await work();
    expect((await stage.operation(id)).returns).toHaveLength(1);
    expect((await stage.operation(other)).progress.status).toBe('Approved');
    expect((await stage.memory.readAll({ categories: ['processornotice'] })).events).toHaveLength(6);
  });

  it('has no personal data in the name of its stream, so a correction of the same id is the same notice', async () => {
    const id = await submitted();
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected: { accountNumber: '1' } }, `${id}.1`, 'n');
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected: { accountNumber: '2' } }, `${id}.1`, 'n');
    expect((await stage.memory.readAll({ categories: ['processornotice'] })).events).toHaveLength(1);
  });

  it('of a late approval tells people, as an inquiry that finds one does', async () => {
    const id = await closedByMistake();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    expect(stage.alerts.filter((alert) => alert === 'late-approval-found')).toHaveLength(1);
  });

  it('that a reversal was declined tells people, and one that a bank has yet to answer does not', async () => {
    const id = await closedByMistake();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    stage.processor.inject('reverse', { answer: submittedAnswer });
    await work();
    const reversal = (await stage.payment(id)).operations.find(({ kind }) => kind === 'Reversal');
    expect(reversal?.progress.status).toBe('Processing');
    expect(stage.alerts).not.toContain('reversal-failed');
    await receive({ kind: 'Answered', answer: declinedAnswer }, `${reversal?.id}.1`);
    await work();
    expect(stage.alerts).toContain('reversal-failed');
  });

  it('is applied once, at whichever step the process that applies it dies', async () => {
    for (let step = 1, died = true; died; step++) {
      const id = await submitted();
      await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
      died = await crashBeforeStep(stage, step, () => stage.useCases.resolver.runDue(0));
      stage.clock.pass(60_000);
      stage.clock.ahead += 60_000;
      await work();
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      const captured = (await stage.eventTypes(id)).filter((type) => type === 'Captured');
      expect(captured).toHaveLength(1);
      const { events } = await stage.memory.readAll({ categories: ['processornotice'] });
      expect(events.at(-1)?.type).toBe('NoticeApplied');
    }
  });

  it('that comes while a refund is under way counts beside it, and what is given back too often is flagged', async () => {
    const { operation: sale } = requireAnswered(await stage.sale(1_000));
    stage.processor.inject('void', 'NoAnswerAfter');
    const request = { originalTransactionId: sale.id, amount: 1_000 };
    const refund = requireOperationId(await stage.useCases.payments.refund(stage.context(), request));
    await receive({ ...returned, amount: 1_000 }, `${sale.id}.1`);
    await work();
    expect((await stage.operation(refund)).progress.status).toBe('Interrupted');
    await stage.untilResolved(2);
    expect((await stage.operation(refund)).progress.status).toBe('Approved');
    expect((await stage.payment(sale.id)).flags.map(({ kind }) => kind)).toContain('OverRefunded');
    expect(limitsTold()).toEqual(['OverRefunded']);
  });

  it('of disputes is taken whatever its amount, and people are told where the cardholder has it twice', async () => {
    const { operation: sale } = requireAnswered(await stage.sale(1_000));
    const dispute = { kind: 'ChargedBack', reason: 'not received' } as const;
    await receive({ ...dispute, chargebackId: 'c-1', amount: 1_000 }, `${sale.id}.1`);
    await receive({ ...dispute, chargebackId: 'c-1', amount: 1_000 }, `${sale.id}.1`);
    await work();
    expect(limitsTold()).toEqual([]);
    const request = { originalTransactionId: sale.id, amount: 400 };
    requireAnswered(await stage.useCases.payments.refund(stage.context(), request));
    expect(limitsTold()).toEqual(['ChargedBackAbovePaid']);
    await receive({ ...dispute, chargebackId: 'c-2', amount: 2_000 }, `${sale.id}.1`);
    await work();
    expect((await stage.operation(sale.id)).chargebacks).toHaveLength(2);
    expect(limitsTold()).toEqual(['ChargedBackAbovePaid']);
  });

  it('of a return after a refund tells people that the customer has it twice', async () => {
    const { operation: sale } = requireAnswered(await stage.sale(1_000));
    const request = { originalTransactionId: sale.id, amount: 1_000 };
    requireAnswered(await stage.useCases.payments.refund(stage.context(), request));
    await receive(returned, `${sale.id}.1`);
    await work();
    expect(limitsTold()).toEqual(['OverRefunded']);
  });
});
