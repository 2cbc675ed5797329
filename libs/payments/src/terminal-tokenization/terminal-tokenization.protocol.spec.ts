import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTokenRepository } from '../stream-repository/repositories.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { Crashed, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const NUMBER = '4242424242424242';

describe('the verification of a card at a terminal', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const onlyToken = async (): Promise<string> => {
    const [tokenId, ...others] = await setup.tokenIds();
    expect(others).toEqual([]);
    return tokenId ?? '';
  };
  /** The card that a later payment would use. */
  const kept = async (tokenId: string): Promise<string | undefined> => setup.vault.openCard(tokenId);
  const expectStored = async (tokenId: string): Promise<void> => {
    expect(await kept(tokenId)).toBe(NUMBER);
    const { status } = await setup.token(tokenId);
    expect(status).toBe('Active');
    expect((await setup.tokenSale({ id: tokenId }, 1_000)).kind).toBe('Answered');
  };

  it.each(['keepCard', 'seal'] as const)(
    'makes no token while the vault fails at %s, and does once it is back',
    async (call) => {
      setup.vault.fail(call);
      const result = await setup.storeCard();
      expect(result.kind).toBe('Interrupted');
      const tokenId = await onlyToken();
      expect((await setup.token(tokenId)).status).toBe('Pending');
      expect(await setup.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
        rejection: { code: 'TokenNotFinished' },
      });
      expect(setup.alerts).toContain('card-not-kept');
      await setup.untilResolved(2);
      await expectStored(tokenId);
      expect((await setup.token(tokenId)).operations[0]?.responses[0]?.outcome.source).toBe('Inquiry');
    },
  );

  it('waits while the vault is unavailable, and guesses no outcome', async () => {
    setup.vault.fail('keepCard', 4);
    await setup.storeCard();
    await setup.untilResolved(2);
    expect((await setup.token(await onlyToken())).status).toBe('Pending');
    await setup.untilResolved(6);
    await expectStored(await onlyToken());
  });

  it('sends nothing if the request was not stored, or its append has an unknown result', async () => {
    setup.store.inject({ kind: 'Unavailable' });
    expect(await setup.storeCard()).toEqual({ kind: 'NotStored' });
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    expect(setup.processor.sent).toEqual([]);
    setup.store.clearFaults();
    await setup.untilResolved(3);
    expect((await setup.token(await onlyToken())).operations[0]?.progress).toEqual({ status: 'NotExecuted' });
  });

  it('creates the token as soon as the store is available again', async () => {
    setup.crash.runAt('before-outcome', () => setup.store.inject({ kind: 'Unavailable' }, { times: 1_000 }));
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    setup.store.clearFaults();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await expectStored(await onlyToken());
  });

  it('sends nothing after sendBefore, by either clock', async () => {
    for (const stalled of [() => (setup.clock.real += 2_001), () => (setup.clock.monotonic += 2_001)]) {
      setup.crash.runAt('before-send', () => void stalled());
      expect((await setup.storeCard()).kind).toBe('NotSent');
    }
    expect(setup.vault.calls).toEqual([]);
  });

  it('finds the card by an inquiry if the response was lost', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    await setup.untilResolved(2);
    await expectStored(await onlyToken());
  });

  it('creates no token if the vault has destroyed its keys, as a restored vault may that is newer than the events', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    const tokenId = await onlyToken();
    await setup.vault.destroy(tokenId);
    await setup.untilResolved(3);
    expect((await setup.token(tokenId)).status).toBe('Failed');
    expect(await setup.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
      rejection: { code: 'TokenNotFound' },
    });
  });

  it('stores the card of a response that arrives late', async () => {
    setup.processor.inject('verify', 'LateAnswer');
    setup.processor.inject('inquire', ...Array.from({ length: 100 }, () => 'NoAnswerBefore' as const));
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expectStored(await onlyToken());
  });

  it('asks the terminal for its last transaction once a lost link is back', async () => {
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'LostLink', card: null });
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    await setup.untilResolved(3);
    expect((await setup.token(await onlyToken())).status).toBe('Pending');
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'Auto', card: null });
    setup.clock.ahead += 3_600_000;
    await setup.untilResolved(2);
    const { operations } = await setup.token(await onlyToken());
    expect(operations[0]?.responses[0]?.outcome.source).toBe('LastTransaction');
    await expectStored(await onlyToken());
  });

  it('annuls a verification that the processor never received, and destroys a card that a stalled process stores', async () => {
    setup.processor.inject('verify', 'NoAnswerBefore');
    const result = await setup.storeCard();
    await setup.untilResolved(3);
    const tokenId = await onlyToken();
    expect(await setup.tokenEvents(tokenId)).toEqual([
      'TokenRequested',
      'VerificationRequested',
      'VerificationInterrupted',
      'VerificationNotExecuted',
      'TokenKeysDestroyed',
    ]);
    await expect(setup.vault.storeCard(tokenId, NUMBER)).rejects.toMatchObject({ code: 'Destroyed' });
    const found = await setup.useCases.storedCards.find(setup.merchant.id, requireOperationId(result));
    expect(found?.token.operations[0]?.progress).toEqual({ status: 'NotExecuted' });
  });

  it.each([
    'after-claim',
    'after-request',
    'before-send',
    'after-send',
    'after-answer',
    'before-outcome',
    'after-outcome',
  ] as const)('leaves a history from which the resolver finishes when it dies %s', async (point) => {
    setup.crash.crashAt(point);
    await expect(setup.storeCard({ accountHolder: { externalId: 'c-1' } })).rejects.toThrow(Crashed);
    setup.start();
    await setup.untilResolved(4);
    const [tokenId] = await setup.tokenIds();
    if (tokenId === undefined) return expect(point).toBe('after-claim');
    const wasSent = setup.processor.sent.some((call) => call.startsWith('verify'));
    expect((await setup.token(tokenId)).status).toBe(wasSent ? 'Active' : 'Failed');
    if (wasSent) await expectStored(tokenId);
    else expect(await kept(tokenId)).toBeUndefined();
    expect(await setup.workQueue.countDue({ service: Infinity, real: Infinity })).toBe(0);
  });

  it('leaves one token or none if the process dies before any append or vault call', async () => {
    for (let step = 1; ; step++) {
      const accountHolder = { externalId: `c-${step}`, name: 'Ada' };
      const before = (await setup.tokenIds()).length;
      const died = await crashBeforeStep(setup, step, () => setup.storeCard({ accountHolder }));
      await setup.untilResolved(4);
      for (const tokenId of (await setup.tokenIds()).slice(before)) {
        const { status } = await setup.token(tokenId);
        expect(['Active', 'Failed']).toContain(status);
        if (status === 'Active') await expectStored(tokenId);
      }
      if (!died) break;
      expect(step).toBeLessThan(20);
    }
  });

  it('is found by a resolver whose work queue was fed only with payments so far', async () => {
    await setup.sale(1_000);
    await setup.useCases.resolver.runDue(0);
    setup.crash.crashAt('after-answer');
    await expect(setup.storeCard()).rejects.toThrow(Crashed);
    await setup.untilResolved(2);
    await expectStored(await onlyToken());
    expect(
      (await createTokenRepository({ store: setup.memory, clock: setup.clock }).load('token-none')).state
        .status,
    ).toBe('None');
  });
});
