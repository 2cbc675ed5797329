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

/** The processor has the attempt, and goes on with it by itself when its cardholder is done. */
describe('after a challenge', () => {
  let stage: PaymentsTestSetup;
  let messages = 0;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const receive = (content: ProcessorNotice['content'], id: OperationId) =>
    stage.useCases.inbox.receive('sandbox', { id: `m${++messages}`, key: `${id}.1`, content });
  const work = () => stage.useCases.resolver.runDue(1_000);
  const challenged = async (): Promise<OperationId> => {
    stage.processor.inject('sale', { answer: challenge });
    return requireAnswered(await stage.sale(1_000)).operation.id;
  };
  const challengeDone = async (): Promise<OperationId> => {
    const id = await challenged();
    await receive(done, id);
    await work();
    return id;
  };
  const inquiryDue = async (): Promise<void> => {
    stage.clock.pass(stage.timings.processorDeadline + stage.timings.margin);
    await work();
  };
  const statusOf = async (id: OperationId) => (await stage.operation(id)).progress.status;
  const inquiryFinds = (answer: unknown): void =>
    stage.processor.inject('inquire', { answer: { kind: 'Found', answer } as never });

  it('the attempt is never annulled, though the processor says that it knows nothing of it', async () => {
    const id = await challengeDone();
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
    expect(stage.processor.sent.filter((call) => call.startsWith('annul'))).toEqual([]);
    inquiryFinds(approved);
    stage.clock.ahead += 60_000;
    await work();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('nor is it closed at a processor that can not annul: its window was over before the cardholder was done', async () => {
    const { processor } = stage;
    const withoutAnnul: Processor = Object.assign(Object.create(processor) as Processor, {
      capabilities: () => ({
        ...processor.capabilities('CardPresent'),
        annul: false,
        inFlightWindowMs: 1_000,
      }),
    });
    stage.processors = new RoutedProcessors([withoutAnnul], [{ processor: 'sandbox', account: 'acct' }]);
    const id = await challenged();
    stage.clock.pass(300_000);
    await receive(done, id);
    await work();
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
  });

  it('the same challenge told again, by a notice or by an inquiry, is not opened again', async () => {
    const id = await challengeDone();
    await receive({ kind: 'Answered', answer: challenge }, id);
    await work();
    expect(await statusOf(id)).toBe('InFlight');
    inquiryFinds(challenge);
    await inquiryDue();
    expect(await statusOf(id)).toBe('Interrupted');
    inquiryFinds(approved);
    stage.clock.ahead += 60_000;
    await work();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('the answer is asked for, though the cardholder was done before the resolver had done with the opening', async () => {
    stage.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await stage.sale(1_000)) as OperationId;
    stage.clock.pass(stage.timings.sendWithin);
    const { workQueue } = stage;
    const remove = workQueue.remove.bind(workQueue);
    workQueue.remove = async (work) => {
      if (work.kind === 'Outcome') {
        workQueue.remove = remove;
        await receive(done, id);
        await stage.useCases.resolver.runDue(0);
      }
      return remove(work);
    };
    inquiryFinds(challenge);
    await inquiryDue();
    expect(await statusOf(id)).toBe('InFlight');
    await inquiryDue();
    expect(await statusOf(id)).toBe('Approved');
  });

  it('another challenge is shown, also before the first one is done', async () => {
    const id = await challenged();
    const second = { ...challenge, challengeId: 'c-2', redirectUrl: 'https://acs.example/c-2' };
    await receive({ kind: 'Answered', answer: second }, id);
    await work();
    expect((await stage.operation(id)).progress).toMatchObject({ challengeId: 'c-2' });
  });
});
