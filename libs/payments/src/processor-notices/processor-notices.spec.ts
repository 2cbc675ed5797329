import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { authorizationBalance, captureBalance, type OperationId } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import type { ProcessorNotice } from '@tillstream/processors';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const submittedAnswer = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const approvedBy = (amount: number) => ({ kind: 'Approved', amount, facts: { responseCode: 1 } }) as const;
const HOUR = 3_600_000;

describe('processor notices', () => {
  let setup: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const receive = (content: ProcessorNotice['content'], key: string, id = `m${++messages}`) =>
    setup.useCases.inbox.receive('sandbox', { id, key, content });
  const work = () => setup.useCases.resolver.runDue(1_000);
  /** A sale that the bank has accepted and not decided. */
  const submitted = async (amount = 1_000): Promise<OperationId> => {
    setup.processor.inject('sale', { answer: submittedAnswer });
    return requireAnswered(await setup.sale(amount)).operation.id;
  };
  const returned = (returnId: string, amount: number) =>
    ({ kind: 'Returned', returnId, code: 'R01', reason: 'no funds', amount }) as const;

  it('end the pending operation in one append, before they are acknowledged', async () => {
    const id = await submitted();
    expect((await setup.operation(id)).progress.status).toBe('Processing');
    expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`)).toBe('Stored');
    expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect((await setup.eventTypes(id)).slice(-3)).toEqual(['Submitted', 'Authorized', 'Captured']);
    expect(setup.writtenStreams.at(-1)?.stream).toBe(`payment-${id.slice(4, 27)}`);
    expect((await setup.memory.readAll({ categories: ['processornotice'] })).events).toEqual([]);
  });

  it('are not acknowledged if the store refuses them', async () => {
    const id = await submitted();
    setup.store.inject({ kind: 'Unavailable' });
    await expect(
      receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'm-lost'),
    ).rejects.toThrow();
    setup.store.clearFaults();
    expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'm-lost')).toBe(
      'Stored',
    );
  });

  it('are stored and counted once after repeated deliveries', async () => {
    const id = await submitted();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    for (let time = 0; time < 3; time++) {
      await receive(returned('R-1', 400), `${id}.1`, 'same');
      await work();
    }
    await receive(returned('R-1', 400), `${id}.1`, 'another message of the same return');
    await work();
    expect((await setup.operation(id)).returns).toHaveLength(1);
  });

  it('about an unknown attempt or another processor’s attempt are refused', async () => {
    const id = await submitted();
    for (const key of [`${id}.2`, `trx_${'0'.repeat(23)}P00.1`, id, 'x', `${id}.0`, `${id}.1e1`]) {
      expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, key)).toBe('Unknown');
    }
    const notice = { id: 'm', key: `${id}.1`, content: returned('R-1', 1) };
    expect(await setup.useCases.inbox.receive('harbor', notice)).toBe('Unknown');
    expect((await setup.memory.readAll({ categories: ['processornotice'] })).events).toEqual([]);
  });

  it('may arrive out of order: a return before its approval', async () => {
    const id = await submitted();
    await receive(returned('R-1', 1_000), `${id}.1`);
    await work();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    const { progress, returns } = await setup.operation(id);
    expect([progress.status, returns.length]).toEqual(['Approved', 1]);
    expect((await setup.payment(id)).flags).toEqual([]);
  });

  it('of an approval after a close as not executed are reversed', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(1_000)) as OperationId;
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    await setup.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    expect(await setup.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
  });

  it('of chargebacks and of changes are stored with the payment, personal data sealed', async () => {
    const { operation } = requireAnswered(await setup.sale(1_000));
    const dispute = { chargebackId: 'c1', reason: 'not received', amount: 1_000, reference: 'case 7' };
    await receive({ kind: 'ChargedBack', ...dispute }, `${operation.id}.1`);
    const corrected = { accountNumber: '000999888777' };
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected }, `${operation.id}.1`);
    await work();
    const { chargebacks, noticeIds } = await setup.operation(operation.id);
    expect([chargebacks?.length, noticeIds.length]).toEqual([1, 1]);
    const { events } = await setup.memory.readAll();
    expect(JSON.stringify(events)).not.toContain('000999888777');
    const sealed = events.find(({ type }) => type === 'NoticeOfChangeReceived')?.data['corrected'];
    expect(await setup.vault.open([sealed as never])).toEqual([JSON.stringify(corrected)]);
  });

  it('of a card verification start an inquiry, whose response has the card', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await setup.storeCard()) as OperationId;
    setup.clock.pass(setup.timings.sendWithin + setup.timings.processorDeadline);
    const before = (await setup.workQueue.find(`Outcome:${id}`))?.dueAt;
    await receive({ kind: 'Answered', answer: approvedBy(0) }, `${id}.1`);
    await work();
    expect(before).toBeUndefined();
    const events = await readWholeStream(setup.memory, `token-${id.slice(4, 27)}`);
    expect(events.map(({ type }) => type)).toContain('TokenCreated');
  });

  describe('a challenge', () => {
    const challengeAnswer = {
      kind: 'ChallengeRequired',
      challengeId: 'c-1',
      redirectUrl: 'https://acs.example/c-1',
      expiresAt: '2026-03-02T15:10:00.000Z',
      facts: { responseCode: 16 },
    } as const;
    const done = { kind: 'ChallengeDone', challengeId: 'c-1', threeDs: { status: 'Authenticated' } } as const;
    const challenged = async (): Promise<OperationId> => {
      setup.processor.inject('sale', { answer: challengeAnswer });
      return requireAnswered(await setup.sale(1_000)).operation.id;
    };

    it('is opened by a processor, and the later response ends the operation', async () => {
      const id = await challenged();
      expect((await setup.operation(id)).progress).toMatchObject({
        status: 'ChallengeOpen',
        challengeId: 'c-1',
      });
      await receive(done, `${id}.1`);
      await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
      await work();
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('is followed by an inquiry if no response comes after it', async () => {
      const id = await challenged();
      await receive(done, `${id}.1`);
      await work();
      setup.processor.inject('inquire', { answer: { kind: 'Found', answer: approvedBy(1_000) } as never });
      setup.clock.pass(setup.timings.processorDeadline + setup.timings.margin);
      await work();
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('that ends before its start was recorded is applied later', async () => {
      setup.processor.inject('sale', 'NoAnswerBefore');
      const id = requireOperationId(await setup.sale(1_000)) as OperationId;
      await receive(done, `${id}.1`);
      await work();
      expect((await setup.workQueue.find(`Notice:${await noticeId()}`))?.step).toBe(1);
    });

    const noticeId = async (): Promise<string> => {
      const { events } = await setup.memory.readAll({ categories: ['processornotice'] });
      return `ntc_${events[0]?.stream.slice('processornotice-'.length) ?? ''}`;
    };
  });

  describe('without a notice', () => {
    it('the resolver repeats its inquiries until the bank decides, and never annuls', async () => {
      const id = await submitted();
      setup.clock.ahead += 24 * HOUR;
      await work();
      expect(setup.processor.sent.filter((call) => call.startsWith('inquire'))).toEqual([]);
      setup.processor.inject('inquire', { answer: { kind: 'Found', answer: submittedAnswer } as never });
      setup.clock.ahead += 2 * HOUR;
      await work();
      expect((await setup.operation(id)).progress.status).toBe('Processing');
      setup.processor.inject('inquire', 'NoAnswerBefore');
      setup.clock.ahead += HOUR;
      await work();
      setup.processor.inject('inquire', { answer: { kind: 'Found', answer: approvedBy(1_000) } as never });
      setup.clock.ahead += HOUR;
      await work();
      expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(setup.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    });

    it('the resolver never closes an accepted attempt that the bank does not find: an operator has to decide', async () => {
      const id = await submitted();
      setup.clock.ahead += 26 * HOUR;
      await work();
      expect((await setup.operation(id)).progress.status).toBe('Processing');
      setup.clock.ahead += setup.timings.inquiriesFor;
      await work();
      expect(setup.alerts).toContain('operator-needed');
      expect(setup.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    });
  });

  it('count each fact once and keep the limits, in any order and number', async () => {
    const facts = fc.constantFrom(
      { id: 'approved', content: { kind: 'Answered', answer: approvedBy(1_000) } },
      {
        id: 'declined',
        content: { kind: 'Answered', answer: { kind: 'Declined', facts: { responseCode: 11 } } },
      },
      { id: 'submitted', content: { kind: 'Answered', answer: submittedAnswer } },
      { id: 'R-1', content: returned('R-1', 300) },
      { id: 'R-1 again', content: returned('R-1', 300) },
      { id: 'R-2', content: returned('R-2', 200) },
      { id: 'c-1', content: { kind: 'ChargedBack', chargebackId: 'c-1', reason: 'x', amount: 100 } },
    ) as fc.Arbitrary<Pick<ProcessorNotice, 'id' | 'content'>>;
    const steps = fc.array(
      fc.oneof(
        facts.map((notice) => ({ does: 'notice', notice }) as const),
        fc.constant({ does: 'work' } as const),
        fc.integer({ min: 1, max: 400 }).map((amount) => ({ does: 'refund', amount }) as const),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const id = await submitted();
        for (const step of taken) {
          if (step.does === 'work') await work();
          else if (step.does === 'notice') {
            const { id: message, content } = step.notice;
            await receive(content, `${id}.1`, `${id} ${message}`);
          } else {
            setup.processor.inject('void', { answer: approvedBy(step.amount) });
            const request = { originalTransactionId: id, amount: step.amount };
            await setup.useCases.payments.refund(setup.context(), request);
            setup.processor.clearFaults();
          }
        }
        await work();
        const payment = await setup.payment(id);
        const [sale] = payment.operations;
        if (!sale) throw new Error('the payment has no sale');
        const sent = new Set(taken.flatMap((step) => (step.does === 'notice' ? [step.notice.id] : [])));
        const returnIds = new Set([...sent].filter((id) => id.startsWith('R')).map((id) => id.slice(0, 3)));
        expect(new Set(sale.returns.map(({ id }) => id))).toEqual(returnIds);
        expect(sale.returns).toHaveLength(returnIds.size);
        expect(sale.chargebacks?.length ?? 0).toBe(sent.has('c-1') ? 1 : 0);
        const history = await readWholeStream(setup.memory, `payment-${id.slice(4, 27)}`);
        const own = history.filter(({ data }) => data['operationId'] === id);
        const ends = own.filter(({ type }) => type === 'Captured' || type === 'Declined').length;
        expect(ends).toBe(sent.has('approved') || sent.has('declined') ? 1 : 0);
        // The bank's returns may exceed the captured amount. The service's refunds never do.
        const { captured, refunded } = captureBalance(payment, sale);
        expect(refunded).toBeLessThanOrEqual(captured);
        expect(authorizationBalance(payment, sale).captured).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 60 },
    );
  });
});
