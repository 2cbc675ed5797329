import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foldHolder, holderCodec, streamOfHolder, type Holder } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnsweredToken, Crashed, PaymentsTestSetup } from '../testing/payments.setup.js';

const holder = { accountHolder: { externalId: 'c-1', name: 'Ada' } };

describe('erasing an account holder', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const erase = (id: string, commandId?: string) =>
    setup.useCases.accountHolders.erase(setup.context(), id, commandId);
  const holderState = async (holderId: string): Promise<Holder> => {
    const recorded = await readWholeStream(setup.memory, streamOfHolder(holderId) ?? '');
    const state = foldHolder(recorded.map((event) => fromRecorded(holderCodec, event)));
    if (state.status === 'None') throw new Error(`${holderId} does not exist`);
    return state;
  };
  /** The holder's personal data can't be decrypted and their cards can't be charged. */
  const expectErased = async (holderId: string): Promise<void> => {
    const { status, personal, tokenIds, erasureFinished } = await holderState(holderId);
    expect({ status, erasureFinished }).toEqual({ status: 'Erased', erasureFinished: true });
    expect(await setup.vault.open([personal])).toEqual([undefined]);
    for (const tokenId of tokenIds) {
      expect(await setup.vault.openCard(tokenId)).toBeUndefined();
      expect((await setup.tokenSale({ id: tokenId }, 1_000)).kind).toBe('Rejected');
    }
    expect(await setup.workQueue.list('Erasure', undefined, 10)).toEqual([]);
    expect(await setup.workQueue.list('KeyDestruction', undefined, 10)).toEqual([]);
  };

  it('destroys its keys, removes its tokens, and returns the holder as it was', async () => {
    const token = await setup.storedCard(holder);
    const other = await setup.storedCard({ accountHolder: { externalId: 'c-2' } });
    const id = token.accountHolderId ?? '';
    expect(await erase('c-1')).toMatchObject({
      kind: 'Done',
      holder: { id, externalId: 'c-1', name: 'Ada' },
    });
    await setup.untilResolved(1);
    await expectErased(id);
    const removed = (await setup.token(token.id)).operations.at(-1);
    expect(removed?.kind).toBe('TokenRemove');
    const { events } = await setup.memory.readAll({ categories: ['token'] });
    expect(events.find(({ type }) => type === 'TokenRemoved')?.data).toMatchObject({ erasedHolderId: id });
    expect((await setup.tokenSale(other, 1_000)).kind).toBe('Answered');
  });

  it('makes the holder impossible to find, change or use, and frees its external id', async () => {
    const { accountHolderId: id = '' } = await setup.storedCard(holder);
    await erase(id);
    const { accountHolders } = setup.useCases;
    for (const named of [id, 'c-1']) {
      expect(await accountHolders.find(setup.merchant.id, named)).toBeUndefined();
      expect(await erase(named)).toMatchObject({ rejection: { code: 'HolderNotFound' } });
      expect(await accountHolders.change(setup.context(), named, { name: 'x' })).toMatchObject({
        rejection: { code: 'HolderNotFound' },
      });
    }
    expect(await setup.storeCard({ accountHolder: { id } })).toMatchObject({
      rejection: { code: 'HolderNotFound' },
    });
    expect((await setup.storedCard(holder)).accountHolderId).not.toBe(id);
  });

  it('runs once for a repeated command', async () => {
    const { accountHolderId: id = '' } = await setup.storedCard(holder);
    await erase(id, 'command');
    expect(await erase(id, 'command')).toMatchObject({ kind: 'Done', holder: { id } });
    expect((await holderState(id)).commandIds.filter((commandId) => commandId === 'command')).toHaveLength(1);
  });

  it('removes in the background the tokens that one response does not wait for', async () => {
    const first = await setup.storedCard(holder);
    for (let more = 0; more < 26; more++) await setup.storedCard(holder);
    const id = first.accountHolderId ?? '';
    await erase(id);
    expect((await holderState(id)).erasureFinished).toBe(false);
    await setup.untilResolved(1);
    await expectErased(id);
  });

  it('keeps a token that was linked to another holder', async () => {
    const token = await setup.storedCard(holder);
    const change = { accountHolder: { externalId: 'c-2' } };
    requireAnsweredToken(await setup.useCases.storedCards.update(setup.context(), token.id, change));
    await erase('c-1');
    expect((await holderState(token.accountHolderId ?? '')).erasureFinished).toBe(true);
    expect((await setup.tokenSale(token, 1_000)).kind).toBe('Answered');
  });

  it('is finished after a crash at any step', async () => {
    for (let step = 1; ; step++) {
      const accountHolder = { externalId: `c-${step}`, name: 'Ada' };
      const { accountHolderId: id = '' } = await setup.storedCard({ accountHolder });
      await setup.storedCard({ accountHolder });
      const crashed = await crashBeforeStep(setup, step, () => erase(id));
      await setup.untilResolved(3);
      if ((await holderState(id)).status === 'Active') expect(step).toBeLessThanOrEqual(2);
      else await expectErased(id);
      if (!crashed) break;
    }
  });

  it('is finished once the vault is back', async () => {
    const token = await setup.storedCard(holder);
    const id = token.accountHolderId ?? '';
    setup.vault.fail('destroy', 3);
    expect((await erase(id)).kind).toBe('Done');
    expect((await setup.token(token.id)).status).toBe('Removed');
    expect((await holderState(id)).erasureFinished).toBe(false);
    await setup.untilResolved(4);
    await expectErased(id);
    const another = await setup.storedCard({ accountHolder: { externalId: 'c-9' } });
    setup.vault.fail('open');
    expect(await erase(another.accountHolderId ?? '')).toEqual({ kind: 'NotStored' });
    expect((await holderState(another.accountHolderId ?? '')).status).toBe('Active');
  });

  describe('while a card of the holder is being stored', () => {
    /** The holder exists before the card's request. */
    const createHolder = async (): Promise<string> => {
      const result = await setup.useCases.accountHolders.create(setup.context(), { externalId: 'c-1' });
      if (result.kind !== 'Done') throw new Error(result.kind);
      return result.holder.id;
    };

    it('waits for an unfinished token creation and removes the token', async () => {
      const id = await createHolder();
      setup.processor.inject('verify', 'NoAnswerAfter');
      setup.processor.inject('inquire', 'NoAnswerBefore', 'NoAnswerBefore');
      await setup.storeCard(holder);
      await erase(id);
      await setup.untilResolved(1);
      expect((await holderState(id)).erasureFinished).toBe(false);
      setup.clock.ahead += 3_600_000;
      await setup.untilResolved(4);
      await expectErased(id);
      const [tokenId = ''] = await setup.tokenIds();
      expect((await setup.token(tokenId)).status).toBe('Removed');
    });

    it.each(['after-claim', 'after-request', 'after-answer', 'before-outcome', 'after-outcome'] as const)(
      'leaves no card if it runs %s of the token creation',
      async (point) => {
        const id = await createHolder();
        let erasing: Promise<unknown> = Promise.resolve();
        setup.crash.runAt(point, () => (erasing = erase(id)));
        const result = await setup.storeCard(holder);
        await erasing;
        expect(['Answered', 'Rejected', 'Interrupted']).toContain(result.kind);
        await setup.untilResolved(4);
        await expectErased(id);
      },
    );

    it('leaves no card if the request for it is written after the erasure ended', async () => {
      const id = await createHolder();
      setup.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      const { token, facts } = requireAnsweredToken(await setup.storeCard(holder));
      expect(token.status).toBe('Removed');
      expect(facts.dateDeleted).toBeDefined();
      await setup.untilResolved(2);
      await expectErased(id);
    });

    it('leaves no card if the process that stores it crashes too', async () => {
      const id = await createHolder();
      setup.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      setup.crash.crashAt('before-outcome');
      await expect(setup.storeCard(holder)).rejects.toThrow(Crashed);
      setup.start();
      await setup.untilResolved(4);
      await expectErased(id);
    });
  });

  describe('while a token is being linked to the holder', () => {
    const giveAway = async (crash: boolean): Promise<{ readonly id: string; readonly tokenId: string }> => {
      const token = await setup.storedCard();
      const result = await setup.useCases.accountHolders.create(setup.context(), { externalId: 'c-1' });
      const id = result.kind === 'Done' ? result.holder.id : '';
      setup.store.inject(
        { kind: 'Delay', ms: 0 },
        { when: ({ stream }) => stream.startsWith('token-'), before: () => erase(id) },
      );
      if (crash) setup.crash.crashAt('after-request');
      const update = setup.useCases.storedCards.update(setup.context(), token.id, { accountHolder: { id } });
      if (crash) await expect(update).rejects.toThrow(Crashed);
      else expect((await update).kind).toBe('Answered');
      return { id, tokenId: token.id };
    };

    it('removes the token, although the erasure did not find it', async () => {
      const { id, tokenId } = await giveAway(false);
      expect((await setup.token(tokenId)).status).toBe('Removed');
      await setup.untilResolved(2);
      await expectErased(id);
    });

    it('removes the token with the resolver after a crash', async () => {
      const { id, tokenId } = await giveAway(true);
      expect((await setup.token(tokenId)).status).toBe('Active');
      setup.start();
      await setup.untilResolved(2);
      expect((await setup.token(tokenId)).status).toBe('Removed');
      await expectErased(id);
    });
  });
});
