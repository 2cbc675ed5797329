import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('late inquiries', () => {
  let setup: PaymentsTestSetup;
  let id: string;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  /** The processor executed the sale, and an operator resolves it as not received. */
  const closeExecutedSale = async (): Promise<void> => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    id = requireOperationId(await setup.sale(1_000));
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    await setup.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    await setup.useCases.resolver.runDue(0);
  };
  const findLateCheck = async (): Promise<WorkItem | undefined> => setup.workQueue.find(`LateCheck:${id}`);
  const advance = async (ms: number): Promise<void> => {
    setup.clock.ahead += ms;
    await setup.useCases.resolver.runDue(0);
  };
  const loseInquiryAnswers = (times: number): void =>
    setup.processor.inject('inquire', ...Array.from({ length: times }, () => 'NoAnswerBefore' as const));
  /** From now until the next late inquiry, ms. */
  const untilNext = async (): Promise<number> => ((await findLateCheck())?.dueAt ?? NaN) - setup.clock.now();

  it('are repeated until the processor answers, the last one too: the late execution is found and reversed', async () => {
    await closeExecutedSale();
    loseInquiryAnswers(6);
    for (let round = 0; round < 6; round++) await advance(DAY);
    expect((await setup.operation(id)).lateApprovals).toEqual([]);
    await advance(DAY);
    await advance(0);
    expect((await setup.eventTypes(id)).slice(-4)).toEqual([
      'LateApprovalFound',
      'ReversalRequested',
      'TryRequested',
      'Reversed',
    ]);
    expect(setup.chargedTotal()).toBe(0);
  });

  it('are repeated while a bank has the payment after all, until it decides', async () => {
    await closeExecutedSale();
    const submitted = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
    for (let round = 0; round < 3; round++) {
      setup.processor.inject('inquire', { answer: { kind: 'Found', answer: submitted } as never });
      await advance(2 * DAY);
      expect((await setup.operation(id)).lateApprovals).toEqual([]);
    }
    await advance(DAY);
    await advance(0);
    expect((await setup.eventTypes(id)).at(-1)).toBe('Reversed');
    expect(setup.chargedTotal()).toBe(0);
  });

  it('are repeated if the store fails to append the late execution', async () => {
    await closeExecutedSale();
    loseInquiryAnswers(1);
    await advance(2 * DAY);
    setup.store.inject({ kind: 'Unavailable' }, { times: 1_000 });
    await advance(HOUR);
    setup.store.clearFaults();
    await advance(HOUR);
    await advance(0);
    expect((await setup.eventTypes(id)).at(-1)).toBe('Reversed');
    expect(setup.chargedTotal()).toBe(0);
  });

  it('are repeated after as long as they have waited: at least 5 s, at most half an hour', async () => {
    await closeExecutedSale();
    loseInquiryAnswers(400);
    const closedAt = (await findLateCheck())?.since ?? NaN;
    setup.clock.ahead += closedAt + MINUTE - setup.clock.now();
    const pauses: number[] = [];
    for (let round = 0; round < 12; round++) {
      await advance(0);
      pauses.push((await untilNext()) / 1_000);
      setup.clock.ahead += await untilNext();
    }
    expect(pauses).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800]);
    expect((await findLateCheck())?.step).toBe(0);
  });

  it('that the processor answered are followed by the next one, counted from the close', async () => {
    setup.processor.inject('sale', 'NoAnswerBefore');
    id = requireOperationId(await setup.sale(1_000));
    await setup.untilResolved(1);
    const closedAt = (await findLateCheck())?.since ?? NaN;
    loseInquiryAnswers(1);
    await advance(10 * MINUTE);
    expect((await findLateCheck())?.step).toBe(0);
    await advance(30 * MINUTE);
    expect(await findLateCheck()).toMatchObject({ step: 1, dueAt: closedAt + HOUR });
    await advance(HOUR);
    expect(await findLateCheck()).toMatchObject({ step: 2, dueAt: closedAt + DAY });
    await advance(DAY);
    expect(await findLateCheck()).toBeUndefined();
  });

  it('wait for an operator after seven days without an answer', async () => {
    await closeExecutedSale();
    loseInquiryAnswers(1_000);
    for (let round = 0; round < 400 && (await findLateCheck())?.dueAt !== null; round++)
      await advance(30 * MINUTE);
    expect((await findLateCheck())?.dueAt).toBeNull();
    expect(setup.alerts).toContain('operator-needed');
    const waited = setup.clock.now() - ((await findLateCheck())?.since ?? NaN);
    expect(waited).toBeGreaterThan(7 * DAY - HOUR);
    expect(waited).toBeLessThan(7 * DAY + HOUR);
  });

  it('wait for an operator after the last allowed reversal was not sent', async () => {
    setup.processor.inject('reverse', ...Array.from({ length: 100 }, () => 'NotSent' as const));
    await closeExecutedSale();
    for (let round = 0; round < 70; round++) await advance(2 * MINUTE);
    const { operations } = await setup.payment(id);
    expect(operations.filter(({ kind }) => kind === 'Reversal')).toHaveLength(64);
    expect(setup.alerts.filter((alert) => alert === 'operator-needed')).toHaveLength(1);
  });
});
