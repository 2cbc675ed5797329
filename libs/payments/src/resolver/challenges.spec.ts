import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '@tillstream/domain';
import { RoutedProcessors, type Processor, type ProcessorNotice } from '@tillstream/processors';
import { requireAnswered, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const approved = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
const challenge = {
  kind: 'ChallengeRequired',
  challengeId: 'c-1',
  redirectUrl: 'https://acs.example/c-1',
  expiresAt: '2026-03-02T15:10:00.000Z',
  facts: { responseCode: 16 },
} as const;
const done = { kind: 'ChallengeDone', challengeId: 'c-1', threeDs: { status: 'Authenticated' } } as const;

/** The processor accepted the attempt and continues it by itself after the cardholder’s challenge. */
describe('after a challenge', () => {
  let setup: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const receive = (content: ProcessorNotice['content'], id: OperationId) =>
    setup.useCases.inbox.receive('sandbox', { id: `m${++messages}`, key: `${id}.1`, content });
  const work = () => setup.useCases.resolver.runDue(1_000);
  const challenged = async (): Promise<OperationId> => {
    setup.processor.inject('sale', { answer: challenge });
    return requireAnswered(await setup.sale(1_000)).operation.id;
  };
  const challengeDone = async (): Promise<OperationId> => {
    const id = await challenged();
    await receive(done, id);
    await work();
    return id;
  };
  const inquiryDue = async (): Promise<void> => {
    setup.clock.pass(setup.timings.processorDeadline + setup.timings.margin);
    await work();
  };
  const statusOf = async (id: OperationId) => (await setup.operation(id)).progress.status;
  const inquiryFinds = (answer: unknown): void =>
    setup.processor.inject('inquire', { answer: { kind: 'Found', answer } as never });

  it('the resolver never annuls the attempt, even if the processor answers NotFound', async () => {
    const id = await challengeDone();
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
    expect(setup.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    inquiryFinds(approved);
    setup.clock.ahead += 60_000;
    await work();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('the resolver does not close the attempt at a processor without annul, although its in-flight window is over', async () => {
    const { processor } = setup;
    const withoutAnnul: Processor = Object.assign(Object.create(processor) as Processor, {
      capabilities: () => ({
        ...processor.capabilities('CardPresent'),
        annul: false,
        inFlightWindowMs: 1_000,
      }),
    });
    setup.processors = new RoutedProcessors([withoutAnnul], [{ processor: 'sandbox', account: 'acct' }]);
    const id = await challenged();
    setup.clock.pass(300_000);
    await receive(done, id);
    await work();
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
  });

  it('the same challenge does not open again when a notice or an inquiry repeats it', async () => {
    const id = await challengeDone();
    await receive({ kind: 'Answered', answer: challenge }, id);
    await work();
    expect(await statusOf(id)).toBe('InFlight');
    inquiryFinds(challenge);
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
    inquiryFinds(approved);
    setup.clock.ahead += 60_000;
    await work();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('the resolver inquires, even if the challenge ended before its work item for the opening did', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(1_000)) as OperationId;
    setup.clock.pass(setup.timings.sendWithin);
    const { workQueue } = setup;
    const remove = workQueue.remove.bind(workQueue);
    workQueue.remove = async (work) => {
      if (work.kind === 'Outcome') {
        workQueue.remove = remove;
        await receive(done, id);
        await setup.useCases.resolver.runDue(0);
      }
      return remove(work);
    };
    inquiryFinds(challenge);
    await inquiryDue();
    expect(await statusOf(id)).toBe('InFlight');
    await inquiryDue();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('a second challenge replaces the first one before that is done', async () => {
    const id = await challenged();
    const second = { ...challenge, challengeId: 'c-2', redirectUrl: 'https://acs.example/c-2' };
    await receive({ kind: 'Answered', answer: second }, id);
    await work();
    expect((await setup.operation(id)).progress).toMatchObject({ challengeId: 'c-2' });
  });
});
