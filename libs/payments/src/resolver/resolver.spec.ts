import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('due work', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const expiring = async (): Promise<string> => {
    const id = requireOperationId(await setup.auth(1_000));
    await setup.useCases.resolver.runDue(0);
    setup.clock.ahead += setup.timings.authorizationLifetime;
    return id;
  };

  it('is pending while another process has claimed it, and done when that process has finished', async () => {
    await expiring();
    const now = { service: setup.clock.now(), real: setup.clock.realNow() };
    const [claimed] = await setup.workQueue.claimDue(now, 10, 60_000);
    expect(await setup.useCases.resolver.runDue(0)).toEqual({ ran: 0, pending: 1 });
    expect(await setup.useCases.resolver.countDue()).toBe(1);
    const running = setup.useCases.resolver.runDue(10_000);
    await new Promise((resume) => setTimeout(resume, 60));
    if (claimed) await setup.workQueue.remove(claimed);
    expect(await running).toEqual({ ran: 0, pending: 0 });
  });

  it('is pending until the processor has answered the reversal of an authorization', async () => {
    const id = await expiring();
    const last = async (): Promise<string | undefined> => (await setup.eventTypes(id)).at(-1);
    setup.processor.inject('reverse', { delayMs: 300 });
    const { resolver } = setup.useCases;
    const reversing = resolver.runDue(10_000);
    while ((await last()) !== 'TryRequested') await new Promise((resume) => setTimeout(resume, 1));
    expect(await resolver.runDue(0)).toEqual({ ran: 0, pending: 1 });
    expect(await reversing).toEqual({ ran: 1, pending: 0 });
    expect(await last()).toBe('Reversed');
  });

  it('includes the work that it causes: a late execution is reversed at once', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(1_000));
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin);
    const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
    const resolution = { outcome: 'NotReceived', reason: 'by phone' } as const;
    await setup.useCases.unknownOutcomes.resolve(operator, id, resolution);
    setup.clock.ahead += setup.timings.lateChecks[0] ?? 0;
    expect(await setup.useCases.resolver.runDue(1_000)).toEqual({ ran: 2, pending: 0 });
    expect((await setup.eventTypes(id)).at(-1)).toBe('Reversed');
  });
});
