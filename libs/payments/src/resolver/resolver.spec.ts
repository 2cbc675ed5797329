import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('work that fell due', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const expiring = async (): Promise<string> => {
    const id = requireOperationId(await stage.auth(1_000));
    await stage.useCases.resolver.runDue(0);
    stage.clock.ahead += stage.timings.authorizationLifetime;
    return id;
  };

  it('is pending while another process has it in hand, and done once that one is', async () => {
    await expiring();
    const now = { service: stage.clock.now(), real: stage.clock.realNow() };
    const [inHand] = await stage.workQueue.claimDue(now, 10, 60_000);
    expect(await stage.useCases.resolver.runDue(0)).toEqual({ ran: 0, pending: 1 });
    expect(await stage.useCases.resolver.countDue()).toBe(1);
    const running = stage.useCases.resolver.runDue(10_000);
    await new Promise((resume) => setTimeout(resume, 60));
    if (inHand) await stage.workQueue.remove(inHand);
    expect(await running).toEqual({ ran: 0, pending: 0 });
  });

  it('is pending until the processor has answered whoever reverses an authorization, and done then', async () => {
    const id = await expiring();
    const last = async (): Promise<string | undefined> => (await stage.eventTypes(id)).at(-1);
    stage.processor.inject('reverse', { delayMs: 300 });
    const { resolver } = stage.useCases;
    const reversing = resolver.runDue(10_000);
    while ((await last()) !== 'TryRequested') await new Promise((resume) => setTimeout(resume, 1));
    expect(await resolver.runDue(0)).toEqual({ ran: 0, pending: 1 });
    expect(await reversing).toEqual({ ran: 1, pending: 0 });
    expect(await last()).toBe('Reversed');
  });

  it('includes what it makes due itself: a late approval that is found is reversed at once', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await stage.sale(1_000));
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    const word = { outcome: 'NotReceived', reason: 'so it was said' } as const;
    await stage.useCases.unknownOutcomes.resolve(operator, id, word);
    stage.clock.ahead += stage.timings.lateChecks[0] ?? 0;
    expect(await stage.useCases.resolver.runDue(1_000)).toEqual({ ran: 2, pending: 0 });
    expect((await stage.eventTypes(id)).at(-1)).toBe('Reversed');
  });
});
