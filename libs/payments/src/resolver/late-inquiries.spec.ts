import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('looks at what was closed as "did not happen"', () => {
  let stage: PaymentsTestSetup;
  let id: string;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  /** A sale that was executed, of which an operator was told that it was not. */
  const wronglyClosed = async (): Promise<void> => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    id = requireOperationId(await stage.sale(1_000));
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    await stage.useCases.unknownOutcomes.resolve(operator, id, {
      outcome: 'NotReceived',
      reason: 'by phone',
    });
    await stage.useCases.resolver.runDue(0);
  };
  const look = async (): Promise<WorkItem | undefined> => stage.workQueue.find(`LateCheck:${id}`);
  const pass = async (ms: number): Promise<void> => {
    stage.clock.ahead += ms;
    await stage.useCases.resolver.runDue(0);
  };
  const nobodyAnswers = (times: number): void =>
    stage.processor.inject('inquire', ...Array.from({ length: times }, () => 'NoAnswerBefore' as const));
  /** From now until the next look, ms. */
  const pause = async (): Promise<number> => ((await look())?.dueAt ?? NaN) - stage.clock.now();

  it('are taken again where nobody answers, the last of them too: the late approval is found and reversed', async () => {
    await wronglyClosed();
    nobodyAnswers(6);
    for (let round = 0; round < 6; round++) await pass(DAY);
    expect((await stage.operation(id)).lateApprovals).toEqual([]);
    await pass(DAY);
    await pass(0);
    expect((await stage.eventTypes(id)).slice(-4)).toEqual([
      'LateApprovalFound',
      'ReversalRequested',
      'TryRequested',
      'Reversed',
    ]);
    expect(stage.chargedTotal()).toBe(0);
  });

  it('are taken again where the store did not take what was found', async () => {
    await wronglyClosed();
    nobodyAnswers(1);
    await pass(2 * DAY);
    stage.store.inject({ kind: 'Unavailable' }, { times: 1_000 });
    await pass(HOUR);
    stage.store.clearFaults();
    await pass(HOUR);
    await pass(0);
    expect((await stage.eventTypes(id)).at(-1)).toBe('Reversed');
    expect(stage.chargedTotal()).toBe(0);
  });

  it('come after as long as the one in hand has waited for an answer: 5 s at least, half an hour at most', async () => {
    await wronglyClosed();
    nobodyAnswers(400);
    const closedAt = (await look())?.since ?? NaN;
    stage.clock.ahead += closedAt + MINUTE - stage.clock.now();
    const pauses: number[] = [];
    for (let round = 0; round < 12; round++) {
      await pass(0);
      pauses.push((await pause()) / 1_000);
      stage.clock.ahead += await pause();
    }
    expect(pauses).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800]);
    expect((await look())?.step).toBe(0);
  });

  it('that were answered go on in their own order, counted from the close', async () => {
    stage.processor.inject('sale', 'NoAnswerBefore');
    id = requireOperationId(await stage.sale(1_000));
    await stage.untilResolved(1);
    const closedAt = (await look())?.since ?? NaN;
    nobodyAnswers(1);
    await pass(10 * MINUTE);
    expect((await look())?.step).toBe(0);
    await pass(30 * MINUTE);
    expect(await look()).toMatchObject({ step: 1, dueAt: closedAt + HOUR });
    await pass(HOUR);
    expect(await look()).toMatchObject({ step: 2, dueAt: closedAt + DAY });
    await pass(DAY);
    expect(await look()).toBeUndefined();
  });

  it('need an operator after seven days without an answer', async () => {
    await wronglyClosed();
    nobodyAnswers(1_000);
    for (let round = 0; round < 400 && (await look())?.dueAt !== null; round++) await pass(30 * MINUTE);
    expect((await look())?.dueAt).toBeNull();
    expect(stage.alerts).toContain('operator-needed');
    const waited = stage.clock.now() - ((await look())?.since ?? NaN);
    expect(waited).toBeGreaterThan(7 * DAY - HOUR);
    expect(waited).toBeLessThan(7 * DAY + HOUR);
  });

  it('end with an operator where no reversal can leave, and none is left to try', async () => {
    stage.processor.inject('reverse', ...Array.from({ length: 100 }, () => 'NotSent' as const));
    await wronglyClosed();
    for (let round = 0; round < 70; round++) await pass(2 * MINUTE);
    const { operations } = await stage.payment(id);
    expect(operations.filter(({ kind }) => kind === 'Reversal')).toHaveLength(64);
    expect(stage.alerts.filter((alert) => alert === 'operator-needed')).toHaveLength(1);
  });
});
