import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { authorizationBalance, captureBalance, type OperationId } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import type { ProcessorNotice } from '@tillstream/processors';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const submittedAnswer = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const approvedBy = (amount: number) => ({ kind: 'Approved', amount, facts: { responseCode: 1 } }) as const;
const HOUR = 3_600_000;

describe('what a processor says on its own', () => {
  let stage: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const receive = (content: ProcessorNotice['content'], key: string, id = `m${++messages}`) =>
    stage.useCases.inbox.receive('sandbox', { id, key, content });
  const work = () => stage.useCases.resolver.runDue(1_000);
  /** A sale that its bank has accepted and not answered. */
  const submitted = async (amount = 1_000): Promise<OperationId> => {
    stage.processor.inject('sale', { answer: submittedAnswer });
    return requireAnswered(await stage.sale(amount)).operation.id;
  };
  const returned = (returnId: string, amount: number) =>
    ({ kind: 'Returned', returnId, code: 'R01', reason: 'no funds', amount }) as const;

  it('is durable when it is taken, and ends an operation that was waiting for it', async () => {
    const id = await submitted();
    expect((await stage.operation(id)).progress.status).toBe('Processing');
    expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`)).toBe('Stored');
    const stored = await stage.memory.readAll({ categories: ['processornotice'] });
    expect(stored.events.map(({ type }) => type)).toEqual(['NoticeReceived']);
    await work();
    expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect((await stage.eventTypes(id)).slice(-3)).toEqual(['Submitted', 'Authorized', 'Captured']);
  });

  it('is not acknowledged where the store does not take it', async () => {
    const id = await submitted();
    stage.store.inject({ kind: 'Unavailable' });
    await expect(
      receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'm-lost'),
    ).rejects.toThrow();
    stage.store.clearFaults();
    expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`, 'm-lost')).toBe(
      'Stored',
    );
  });

  it('is stored once, however often it is sent, and counts once', async () => {
    const id = await submitted();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    for (let time = 0; time < 3; time++) {
      await receive(returned('R-1', 400), `${id}.1`, 'same');
      await work();
    }
    await receive(returned('R-1', 400), `${id}.1`, 'another message of the same return');
    await work();
    expect((await stage.operation(id)).returns).toHaveLength(1);
  });

  it('about what it was never given is refused, and so is what another processor did', async () => {
    const id = await submitted();
    for (const key of [`${id}.2`, `trx_${'0'.repeat(23)}P00.1`, id, 'x', `${id}.0`, `${id}.1e1`]) {
      expect(await receive({ kind: 'Answered', answer: approvedBy(1_000) }, key)).toBe('Unknown');
    }
    const notice = { id: 'm', key: `${id}.1`, content: returned('R-1', 1) };
    expect(await stage.useCases.inbox.receive('harbor', notice)).toBe('Unknown');
    expect((await stage.memory.readAll({ categories: ['processornotice'] })).events).toEqual([]);
  });

  it('may come before the answer that it follows: a return before its approval', async () => {
    const id = await submitted();
    await receive(returned('R-1', 1_000), `${id}.1`);
    await work();
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    const { progress, returns } = await stage.operation(id);
    expect([progress.status, returns.length]).toEqual(['Approved', 1]);
    expect((await stage.payment(id)).flags).toEqual([]);
  });

  it('of an approval that was closed as "did not happen" is a late one, and is reversed', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await stage.sale(1_000)) as OperationId;
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    await stage.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
    await work();
    expect(await stage.eventTypes(id)).toEqual(expect.arrayContaining(['LateApprovalFound', 'Reversed']));
  });

  it('a chargeback and a notice of change are kept with the payment, personal data sealed', async () => {
    const { operation } = requireAnswered(await stage.sale(1_000));
    const dispute = { chargebackId: 'c1', reason: 'not received', amount: 1_000, reference: 'case 7' };
    await receive({ kind: 'ChargedBack', ...dispute }, `${operation.id}.1`);
    const corrected = { accountNumber: '000999888777' };
    await receive({ kind: 'NoticeOfChange', code: 'C01', corrected }, `${operation.id}.1`);
    await work();
    const { chargebacks, noticeIds } = await stage.operation(operation.id);
    expect([chargebacks?.length, noticeIds.length]).toEqual([1, 1]);
    const { events } = await stage.memory.readAll();
    expect(JSON.stringify(events)).not.toContain('000999888777');
    const sealed = events.find(({ type }) => type === 'NoticeOfChangeReceived')?.data['corrected'];
    expect(await stage.vault.open([sealed as never])).toEqual([JSON.stringify(corrected)]);
  });

  it('of a card that is being checked is answered by an inquiry, which brings the card', async () => {
    stage.processor.inject('verify', 'NoAnswerAfter');
    const id = requireOperationId(await stage.storeCard()) as OperationId;
    stage.clock.pass(stage.timings.sendWithin + stage.timings.processorDeadline);
    const before = (await stage.workQueue.find(`Outcome:${id}`))?.dueAt;
    await receive({ kind: 'Answered', answer: approvedBy(0) }, `${id}.1`);
    await work();
    expect(before).toBeUndefined();
    const events = await readWholeStream(stage.memory, `token-${id.slice(4, 27)}`);
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
      stage.processor.inject('sale', { answer: challengeAnswer });
      return requireAnswered(await stage.sale(1_000)).operation.id;
    };

    it('can be asked for by a processor, and the answer that follows ends the operation', async () => {
      const id = await challenged();
      expect((await stage.operation(id)).progress).toMatchObject({
        status: 'ChallengeOpen',
        challengeId: 'c-1',
      });
      await receive(done, `${id}.1`);
      await receive({ kind: 'Answered', answer: approvedBy(1_000) }, `${id}.1`);
      await work();
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('whose answer never comes is inquired into once it is done', async () => {
      const id = await challenged();
      await receive(done, `${id}.1`);
      await work();
      stage.processor.inject('inquire', { answer: { kind: 'Found', answer: approvedBy(1_000) } as never });
      stage.clock.pass(stage.timings.processorDeadline + stage.timings.margin);
      await work();
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
    });

    it('that is done before its opening was recorded is applied after it', async () => {
      stage.processor.inject('sale', 'NoAnswerBefore');
      const id = requireOperationId(await stage.sale(1_000)) as OperationId;
      await receive(done, `${id}.1`);
      await work();
      expect((await stage.workQueue.find(`Notice:${await noticeId()}`))?.step).toBe(1);
    });

    const noticeId = async (): Promise<string> => {
      const { events } = await stage.memory.readAll({ categories: ['processornotice'] });
      return `ntc_${events[0]?.stream.slice('processornotice-'.length) ?? ''}`;
    };
  });

  describe('where no notice comes', () => {
    it('the resolver asks the bank by itself, never annuls, and goes on until it knows', async () => {
      const id = await submitted();
      stage.clock.ahead += 24 * HOUR;
      await work();
      expect(stage.processor.sent.filter((call) => call.startsWith('inquire'))).toEqual([]);
      stage.processor.inject('inquire', { answer: { kind: 'Found', answer: submittedAnswer } as never });
      stage.clock.ahead += 2 * HOUR;
      await work();
      expect((await stage.operation(id)).progress.status).toBe('Processing');
      stage.processor.inject('inquire', 'NoAnswerBefore');
      stage.clock.ahead += HOUR;
      await work();
      stage.processor.inject('inquire', { answer: { kind: 'Found', answer: approvedBy(1_000) } as never });
      stage.clock.ahead += HOUR;
      await work();
      expect((await stage.operation(id)).progress).toEqual({ status: 'Approved', amount: 1_000 });
      expect(stage.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    });

    it('a bank that knows nothing of what it accepted is no reason to close: people have to look', async () => {
      const id = await submitted();
      stage.clock.ahead += 26 * HOUR;
      await work();
      expect((await stage.operation(id)).progress.status).toBe('Processing');
      stage.clock.ahead += stage.timings.inquiriesFor;
      await work();
      expect(stage.alerts).toContain('operator-needed');
      expect(stage.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    });
  });

  it('whatever is sent, in any order and any number of times: each fact counts once, and the limits hold', async () => {
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
      fc.asyncProperty(steps, async (all) => {
        const id = await submitted();
        for (const step of all) {
          if (step.does === 'work') await work();
          else if (step.does === 'notice') {
            const { id: message, content } = step.notice;
            await receive(content, `${id}.1`, `${id} ${message}`);
          } else {
            stage.processor.inject('void', { answer: approvedBy(step.amount) });
            const request = { originalTransactionId: id, amount: step.amount };
            await stage.useCases.payments.refund(stage.context(), request);
            stage.processor.clearFaults();
          }
        }
        await work();
        const payment = await stage.payment(id);
        const [sale] = payment.operations;
        if (!sale) throw new Error('the sale is there');
        const sent = new Set(all.flatMap((step) => (step.does === 'notice' ? [step.notice.id] : [])));
        const returnIds = new Set(
          [...sent].filter((one) => one.startsWith('R')).map((one) => one.slice(0, 3)),
        );
        expect(new Set(sale.returns.map((one) => one.id))).toEqual(returnIds);
        expect(sale.returns).toHaveLength(returnIds.size);
        expect(sale.chargebacks?.length ?? 0).toBe(sent.has('c-1') ? 1 : 0);
        const history = await readWholeStream(stage.memory, `payment-${id.slice(4, 27)}`);
        const own = history.filter(({ data }) => data['operationId'] === id);
        const ends = own.filter(({ type }) => type === 'Captured' || type === 'Declined').length;
        expect(ends).toBe(sent.has('approved') || sent.has('declined') ? 1 : 0);
        // What a bank takes back may go beyond what is left; what the service gives back never does.
        const { captured, refunded } = captureBalance(payment, sale);
        expect(refunded).toBeLessThanOrEqual(captured);
        expect(authorizationBalance(payment, sale).captured).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 60 },
    );
  });
});
