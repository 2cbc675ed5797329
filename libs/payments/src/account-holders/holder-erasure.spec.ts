import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foldHolder, holderCodec, streamOfHolder, type Holder } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnsweredToken, Crashed, PaymentsTestSetup } from '../testing/payments.setup.js';

const holder = { accountHolder: { externalId: 'c-1', name: 'Ada' } };

describe('erasing an account holder', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const erase = (id: string, commandId?: string) =>
    stage.useCases.accountHolders.erase(stage.context(), id, commandId);
  const stateOf = async (holderId: string): Promise<Holder> => {
    const recorded = await readWholeStream(stage.memory, streamOfHolder(holderId) ?? '');
    const state = foldHolder(recorded.map((one) => fromRecorded(holderCodec, one)));
    if (state.status === 'None') throw new Error(`${holderId} was never made`);
    return state;
  };
  /** Nothing of the person can be read any more, and no card of theirs be charged. */
  const expectForgotten = async (holderId: string): Promise<void> => {
    const { status, personal, tokenIds, erasureFinished } = await stateOf(holderId);
    expect({ status, erasureFinished }).toEqual({ status: 'Erased', erasureFinished: true });
    expect(await stage.vault.open([personal])).toEqual([undefined]);
    for (const tokenId of tokenIds) {
      expect(await stage.vault.openCard(tokenId)).toBeUndefined();
      expect((await stage.tokenSale({ id: tokenId }, 1_000)).kind).toBe('Rejected');
    }
    expect(await stage.workQueue.list('Erasure', undefined, 10)).toEqual([]);
    expect(await stage.workQueue.list('KeyDestruction', undefined, 10)).toEqual([]);
  };

  it('destroys its keys, removes its tokens, and answers what was known', async () => {
    const token = await stage.storedCard(holder);
    const other = await stage.storedCard({ accountHolder: { externalId: 'c-2' } });
    const id = token.accountHolderId ?? '';
    expect(await erase('c-1')).toMatchObject({
      kind: 'Done',
      holder: { id, externalId: 'c-1', name: 'Ada' },
    });
    await stage.untilResolved(1);
    await expectForgotten(id);
    const removed = (await stage.token(token.id)).operations.at(-1);
    expect(removed?.kind).toBe('TokenRemove');
    const { events } = await stage.memory.readAll({ categories: ['token'] });
    expect(events.find(({ type }) => type === 'TokenRemoved')?.data).toMatchObject({ erasedHolderId: id });
    expect((await stage.tokenSale(other, 1_000)).kind).toBe('Answered');
  });

  it('leaves nobody to be found, changed or named, and the name to be had again', async () => {
    const { accountHolderId: id = '' } = await stage.storedCard(holder);
    await erase(id);
    const { accountHolders } = stage.useCases;
    for (const named of [id, 'c-1']) {
      expect(await accountHolders.find(stage.merchant.id, named)).toBeUndefined();
      expect(await erase(named)).toMatchObject({ rejection: { code: 'HolderNotFound' } });
      expect(await accountHolders.change(stage.context(), named, { name: 'x' })).toMatchObject({
        rejection: { code: 'HolderNotFound' },
      });
    }
    expect(await stage.storeCard({ accountHolder: { id } })).toMatchObject({
      rejection: { code: 'HolderNotFound' },
    });
    expect((await stage.storedCard(holder)).accountHolderId).not.toBe(id);
  });

  it('is done once under one command', async () => {
    const { accountHolderId: id = '' } = await stage.storedCard(holder);
    await erase(id, 'command');
    expect(await erase(id, 'command')).toMatchObject({ kind: 'Done', holder: { id } });
    expect((await stateOf(id)).commandIds.filter((one) => one === 'command')).toHaveLength(1);
  });

  it('removes more tokens than one answer waits for', async () => {
    const first = await stage.storedCard(holder);
    for (let more = 0; more < 26; more++) await stage.storedCard(holder);
    const id = first.accountHolderId ?? '';
    await erase(id);
    expect((await stateOf(id)).erasureFinished).toBe(false);
    await stage.untilResolved(1);
    await expectForgotten(id);
  });

  it('spares a token that was given to somebody else', async () => {
    const token = await stage.storedCard(holder);
    const change = { accountHolder: { externalId: 'c-2' } };
    requireAnsweredToken(await stage.useCases.storedCards.update(stage.context(), token.id, change));
    await erase('c-1');
    expect((await stateOf(token.accountHolderId ?? '')).erasureFinished).toBe(true);
    expect((await stage.tokenSale(token, 1_000)).kind).toBe('Answered');
  });

  it('is finished wherever the process died', async () => {
    for (let step = 1; ; step++) {
      const accountHolder = { externalId: `c-${step}`, name: 'Ada' };
      const { accountHolderId: id = '' } = await stage.storedCard({ accountHolder });
      await stage.storedCard({ accountHolder });
      const died = await crashBeforeStep(stage, step, () => erase(id));
      await stage.untilResolved(3);
      if ((await stateOf(id)).status === 'Active') expect(step).toBeLessThanOrEqual(2);
      else await expectForgotten(id);
      if (!died) break;
    }
  });

  it('is finished once the vault is back', async () => {
    const token = await stage.storedCard(holder);
    const id = token.accountHolderId ?? '';
    stage.vault.fail('destroy', 3);
    expect((await erase(id)).kind).toBe('Done');
    expect((await stage.token(token.id)).status).toBe('Removed');
    expect((await stateOf(id)).erasureFinished).toBe(false);
    await stage.untilResolved(4);
    await expectForgotten(id);
    const another = await stage.storedCard({ accountHolder: { externalId: 'c-9' } });
    stage.vault.fail('open');
    expect(await erase(another.accountHolderId ?? '')).toEqual({ kind: 'NotStored' });
    expect((await stateOf(another.accountHolderId ?? '')).status).toBe('Active');
  });

  describe('while a card is stored for it', () => {
    /** A holder that exists, so that the card's request finds it. */
    const made = async (): Promise<string> => {
      const result = await stage.useCases.accountHolders.create(stage.context(), { externalId: 'c-1' });
      if (result.kind !== 'Done') throw new Error(result.kind);
      return result.holder.id;
    };

    it('waits for a creation that is not finished, and removes what came of it', async () => {
      const id = await made();
      stage.processor.inject('verify', 'NoAnswerAfter');
      stage.processor.inject('inquire', 'NoAnswerBefore', 'NoAnswerBefore');
      await stage.storeCard(holder);
      await erase(id);
      await stage.untilResolved(1);
      expect((await stateOf(id)).erasureFinished).toBe(false);
      stage.clock.ahead += 3_600_000;
      await stage.untilResolved(4);
      await expectForgotten(id);
      const [tokenId = ''] = await stage.tokenIds();
      expect((await stage.token(tokenId)).status).toBe('Removed');
    });

    it.each(['after-claim', 'after-request', 'after-answer', 'before-outcome', 'after-outcome'] as const)(
      'leaves no card behind where it happens %s of the storing',
      async (point) => {
        const id = await made();
        let erasing: Promise<unknown> = Promise.resolve();
        stage.crash.runAt(point, () => (erasing = erase(id)));
        const result = await stage.storeCard(holder);
        await erasing;
        expect(['Answered', 'Rejected', 'Interrupted']).toContain(result.kind);
        await stage.untilResolved(4);
        await expectForgotten(id);
      },
    );

    it('leaves no card behind where the request of it is written after the erasure ended', async () => {
      const id = await made();
      stage.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      const { token, facts } = requireAnsweredToken(await stage.storeCard(holder));
      expect(token.status).toBe('Removed');
      expect(facts.dateDeleted).toBeDefined();
      await stage.untilResolved(2);
      await expectForgotten(id);
    });

    it('leaves no card behind where the process that stores it dies too', async () => {
      const id = await made();
      stage.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      stage.crash.crashAt('before-outcome');
      await expect(stage.storeCard(holder)).rejects.toThrow(Crashed);
      stage.start();
      await stage.untilResolved(4);
      await expectForgotten(id);
    });
  });

  describe('while a token is given to it', () => {
    const giveAway = async (crash: boolean): Promise<{ readonly id: string; readonly tokenId: string }> => {
      const token = await stage.storedCard();
      const result = await stage.useCases.accountHolders.create(stage.context(), { externalId: 'c-1' });
      const id = result.kind === 'Done' ? result.holder.id : '';
      stage.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      if (crash) stage.crash.crashAt('after-request');
      const update = stage.useCases.storedCards.update(stage.context(), token.id, { accountHolder: { id } });
      if (crash) await expect(update).rejects.toThrow(Crashed);
      else expect((await update).kind).toBe('Answered');
      return { id, tokenId: token.id };
    };

    it('removes the token, though the erasure found nothing to remove', async () => {
      const { id, tokenId } = await giveAway(false);
      expect((await stage.token(tokenId)).status).toBe('Removed');
      await stage.untilResolved(2);
      await expectForgotten(id);
    });

    it('removes it by the resolver, where the process died', async () => {
      const { id, tokenId } = await giveAway(true);
      expect((await stage.token(tokenId)).status).toBe('Active');
      stage.start();
      await stage.untilResolved(2);
      expect((await stage.token(tokenId)).status).toBe('Removed');
      await expectForgotten(id);
    });
  });
});
