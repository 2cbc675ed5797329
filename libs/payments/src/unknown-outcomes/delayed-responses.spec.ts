import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '@tillstream/domain';
import { RoutedProcessors } from '@tillstream/processors';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';
import { kindOf, OperatorActions } from '../testing/unknown-outcomes.setup.js';

const approved = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
const submitted = { kind: 'Submitted', facts: { responseCode: 57 } } as const;
const DAY = 86_400_000;

/** A bank has it, and answers days later or never. */
describe('an answer that was promised for later', () => {
  let stage: PaymentsTestSetup;
  const operators = new OperatorActions(() => stage);
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const waiting = async (): Promise<OperationId> => {
    stage.processor.inject('sale', { answer: submitted });
    return requireAnswered(await stage.sale(1_000)).operation.id;
  };
  const daysPass = async (days: number): Promise<void> => {
    for (let half = 0; half < days * 48; half++) {
      stage.clock.ahead += DAY / 48;
      await stage.useCases.resolver.runDue(0);
    }
  };
  const rows = async (): Promise<readonly string[]> =>
    (await stage.workQueue.list('Answer', undefined, 5)).map(({ id }) => id);
  const listed = async (): Promise<readonly string[]> =>
    (await operators.listed()).map(({ transactionId }) => transactionId);

  it('is nothing for operators while it is asked for', async () => {
    const id = await waiting();
    await daysPass(2);
    expect(await listed()).toEqual([]);
    expect(kindOf(await operators.inquire(id))).toBe('KnownAlready');
  });

  it('is listed once it is not asked for any more, and an operator can ask', async () => {
    const id = await waiting();
    await daysPass(8);
    expect(stage.alerts).toContain('operator-needed');
    expect(await operators.listed()).toMatchObject([{ transactionId: id, type: 'Sale', amount: 1_000 }]);
    expect(kindOf(await operators.inquire(id))).toBe('Unknown');
    stage.processor.inject('inquire', { answer: { kind: 'Found', answer: approved } as never });
    expect(kindOf(await operators.inquire(id))).toBe('Known');
    expect((await stage.operation(id)).progress.status).toBe('Approved');
    expect([await listed(), await rows()]).toEqual([[], []]);
  });

  it('is listed where its processor is configured no more, and is found once that is back', async () => {
    const id = await waiting();
    const back = stage.processors;
    stage.processors = new RoutedProcessors([], []);
    await daysPass(2);
    expect(await listed()).toEqual([id]);
    stage.processors = back;
    stage.processor.inject('inquire', { answer: { kind: 'Found', answer: approved } as never });
    expect(kindOf(await operators.inquire(id))).toBe('Known');
  });

  it('that comes after all, by a notice, leaves nothing behind', async () => {
    const id = await waiting();
    await daysPass(8);
    const content = { kind: 'Answered', answer: approved } as const;
    await stage.useCases.inbox.receive('sandbox', { id: 'm', key: `${id}.1`, content });
    await daysPass(1);
    expect((await stage.operation(id)).progress.status).toBe('Approved');
    expect([await listed(), await rows()]).toEqual([[], []]);
  });
});
