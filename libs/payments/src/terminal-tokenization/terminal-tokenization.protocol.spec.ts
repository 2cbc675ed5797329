import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTokenRepository } from '../stream-repository/stream-repositories.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { Crashed, requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

const NUMBER = '4242424242424242';

describe('the check of a card that is to be stored', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const onlyToken = async (): Promise<string> => {
    const [tokenId, ...others] = await stage.tokenIds();
    expect(others).toEqual([]);
    return tokenId ?? '';
  };
  /** The card that a later payment would be made with. */
  const kept = async (tokenId: string): Promise<string | undefined> => stage.vault.openCard(tokenId);
  const expectStored = async (tokenId: string): Promise<void> => {
    expect(await kept(tokenId)).toBe(NUMBER);
    const { status } = await stage.token(tokenId);
    expect(status).toBe('Active');
    expect((await stage.tokenSale({ id: tokenId }, 1_000)).kind).toBe('Answered');
  };

  it.each(['keepCard', 'seal'] as const)(
    'makes no token while the vault fails at %s, and does once it is back',
    async (call) => {
      stage.vault.fail(call);
      const result = await stage.storeCard();
      expect(result.kind).toBe('Interrupted');
      const tokenId = await onlyToken();
      expect((await stage.token(tokenId)).status).toBe('Pending');
      expect(await stage.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
        rejection: { code: 'TokenNotFinished' },
      });
      expect(stage.alerts).toContain('card-not-kept');
      await stage.untilResolved(2);
      await expectStored(tokenId);
      expect((await stage.token(tokenId)).operations[0]?.responses[0]?.outcome.source).toBe('Inquiry');
    },
  );

  it('waits for a vault that stays away, and never guesses', async () => {
    stage.vault.fail('keepCard', 4);
    await stage.storeCard();
    await stage.untilResolved(2);
    expect((await stage.token(await onlyToken())).status).toBe('Pending');
    await stage.untilResolved(6);
    await expectStored(await onlyToken());
  });

  it('sends nothing where the request could not be stored, or nobody knows whether it was', async () => {
    stage.store.inject({ kind: 'Unavailable' });
    expect(await stage.storeCard()).toEqual({ kind: 'NotStored' });
    stage.store.inject({ kind: 'LoseAnswer', written: true });
    stage.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    expect((await stage.storeCard()).kind).toBe('Interrupted');
    expect(stage.processor.sent).toEqual([]);
    stage.store.clearFaults();
    await stage.untilResolved(3);
    expect((await stage.token(await onlyToken())).operations[0]?.progress).toEqual({ status: 'NotExecuted' });
  });

  it('makes the token as soon as the store takes it, where it would not at first', async () => {
    stage.crash.runAt('before-outcome', () => stage.store.inject({ kind: 'Unavailable' }, { times: 1_000 }));
    expect((await stage.storeCard()).kind).toBe('Interrupted');
    stage.store.clearFaults();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await expectStored(await onlyToken());
  });

  it('sends nothing once sendBefore has passed, by either clock', async () => {
    for (const stalled of [() => (stage.clock.real += 2_001), () => (stage.clock.monotonic += 2_001)]) {
      stage.crash.runAt('before-send', () => void stalled());
      expect((await stage.storeCard()).kind).toBe('NotSent');
    }
    expect(stage.vault.calls).toEqual([]);
  });

  it('finds the card of an answer that was lost', async () => {
    stage.processor.inject('verify', 'NoAnswerAfter');
    expect((await stage.storeCard()).kind).toBe('Interrupted');
    await stage.untilResolved(2);
    await expectStored(await onlyToken());
  });

  it('keeps the card of an answer that comes late', async () => {
    stage.processor.inject('verify', 'LateAnswer');
    stage.processor.inject('inquire', ...Array.from({ length: 100 }, () => 'NoAnswerBefore' as const));
    expect((await stage.storeCard()).kind).toBe('Interrupted');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expectStored(await onlyToken());
  });

  it('asks a terminal whose link was lost for its last transaction, once the link is back', async () => {
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'LostLink', card: null });
    expect((await stage.storeCard()).kind).toBe('Interrupted');
    await stage.untilResolved(3);
    expect((await stage.token(await onlyToken())).status).toBe('Pending');
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'Auto', card: null });
    stage.clock.ahead += 3_600_000;
    await stage.untilResolved(2);
    const { operations } = await stage.token(await onlyToken());
    expect(operations[0]?.responses[0]?.outcome.source).toBe('LastTransaction');
    await expectStored(await onlyToken());
  });

  it('annuls what was never received, and destroys what a stalled process might still keep', async () => {
    stage.processor.inject('verify', 'NoAnswerBefore');
    const result = await stage.storeCard();
    await stage.untilResolved(3);
    const tokenId = await onlyToken();
    expect(await stage.tokenEvents(tokenId)).toEqual([
      'TokenRequested',
      'VerificationRequested',
      'VerificationInterrupted',
      'VerificationNotExecuted',
      'TokenKeysDestroyed',
    ]);
    await expect(stage.vault.storeCard(tokenId, NUMBER)).rejects.toMatchObject({ code: 'Destroyed' });
    const found = await stage.useCases.storedCards.find(stage.merchant.id, requireOperationId(result));
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
    stage.crash.crashAt(point);
    await expect(stage.storeCard({ accountHolder: { externalId: 'c-1' } })).rejects.toThrow(Crashed);
    stage.start();
    await stage.untilResolved(4);
    const [tokenId] = await stage.tokenIds();
    if (tokenId === undefined) return expect(point).toBe('after-claim');
    const wasSent = stage.processor.sent.some((call) => call.startsWith('verify'));
    expect((await stage.token(tokenId)).status).toBe(wasSent ? 'Active' : 'Failed');
    if (wasSent) await expectStored(tokenId);
    else expect(await kept(tokenId)).toBeUndefined();
    expect(await stage.workQueue.countDue({ service: Infinity, real: Infinity })).toBe(0);
  });

  it('can die before any append and any call of the vault', async () => {
    for (let step = 1; ; step++) {
      const accountHolder = { externalId: `c-${step}`, name: 'Ada' };
      const before = (await stage.tokenIds()).length;
      const died = await crashBeforeStep(stage, step, () => stage.storeCard({ accountHolder }));
      await stage.untilResolved(4);
      for (const tokenId of (await stage.tokenIds()).slice(before)) {
        const { status } = await stage.token(tokenId);
        expect(['Active', 'Failed']).toContain(status);
        if (status === 'Active') await expectStored(tokenId);
      }
      if (!died) break;
      expect(step).toBeLessThan(20);
    }
  });

  it('is read whole by the resolver of a table that was fed with payments only', async () => {
    await stage.sale(1_000);
    await stage.useCases.resolver.runDue(0);
    stage.crash.crashAt('after-answer');
    await expect(stage.storeCard()).rejects.toThrow(Crashed);
    await stage.untilResolved(2);
    await expectStored(await onlyToken());
    expect((await createTokenRepository(stage.memory, stage.clock).load('token-none')).state.status).toBe(
      'None',
    );
  });
});
