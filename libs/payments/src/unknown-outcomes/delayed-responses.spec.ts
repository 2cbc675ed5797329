import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '@tillstream/domain';
import { RoutedProcessors } from '@tillstream/processors';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';
import { kindOf, OperatorActions } from '../testing/unknown-outcomes.setup.js';

const approved = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
const submitted = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const DAY = 86_400_000;

/** The bank accepted the operation, and responds days later or never. */
describe('a response that a bank promised for later', () => {
  let setup: PaymentsTestSetup;
  const operators = new OperatorActions(() => setup);
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const waiting = async (): Promise<OperationId> => {
    setup.processor.inject('sale', { answer: submitted });
    return requireAnswered(await setup.sale(1_000)).operation.id;
  };
  const daysPass = async (days: number): Promise<void> => {
    for (let half = 0; half < days * 48; half++) {
      setup.clock.ahead += DAY / 48;
      await setup.useCases.resolver.runDue(0);
    }
  };
  const rows = async (): Promise<readonly string[]> =>
    (await setup.workQueue.list('Answer', undefined, 5)).map(({ id }) => id);
  const listed = async (): Promise<readonly string[]> =>
    (await operators.listed()).map(({ transactionId }) => transactionId);

  it('is not listed while the resolver inquires about it', async () => {
    const id = await waiting();
    await daysPass(2);
    expect(await listed()).toEqual([]);
    expect(kindOf(await operators.inquire(id))).toBe('KnownAlready');
  });

  it('is listed after the last inquiry, and an operator can force another one', async () => {
    const id = await waiting();
    await daysPass(8);
    expect(setup.alerts).toContain('operator-needed');
    expect(await operators.listed()).toMatchObject([{ transactionId: id, type: 'Sale', amount: 1_000 }]);
    expect(kindOf(await operators.inquire(id))).toBe('Unknown');
    setup.processor.inject('inquire', { answer: { kind: 'Found', answer: approved } as never });
    expect(kindOf(await operators.inquire(id))).toBe('Known');
    expect((await setup.operation(id)).progress.status).toBe('Approved');
    expect([await listed(), await rows()]).toEqual([[], []]);
  });

  it('is listed while its processor is not configured, and found when the processor is back', async () => {
    const id = await waiting();
    const back = setup.processors;
    setup.processors = new RoutedProcessors([], []);
    await daysPass(2);
    expect(await listed()).toEqual([id]);
    setup.processors = back;
    setup.processor.inject('inquire', { answer: { kind: 'Found', answer: approved } as never });
    expect(kindOf(await operators.inquire(id))).toBe('Known');
  });

  it('leaves no work item if a notice brings it', async () => {
    const id = await waiting();
    await daysPass(8);
    const content = { kind: 'Answered', answer: approved } as const;
    await setup.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
    await daysPass(1);
    expect((await setup.operation(id)).progress.status).toBe('Approved');
    expect([await listed(), await rows()]).toEqual([[], []]);
  });
});
