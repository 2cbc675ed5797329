import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TokenUpdateRequest } from './stored-card.types.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

const billingContact = { name: 'Ada Lovelace', countryCode: 'US', zipCode: '10001' };

describe('a stored card', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const update = (tokenId: string, change: TokenUpdateRequest) =>
    stage.useCases.storedCards.update(stage.context(), tokenId, change);
  const remove = (tokenId: string) => stage.useCases.storedCards.remove(stage.context(), tokenId);
  const personalOf = async (tokenId: string): Promise<unknown> => {
    const { personal } = (await stage.token(tokenId)).paymentMethod;
    const [text] = personal ? await stage.vault.open([personal]) : [];
    return text === undefined ? undefined : JSON.parse(text);
  };

  describe('that is updated', () => {
    it('keeps what the change does not name', async () => {
      const { id } = await stage.storedCard({ description: 'Blue card' });
      requireAnsweredToken(await update(id, { billingContact }));
      const { operation, facts, token } = requireAnsweredToken(await update(id, { cardExpDate: '0535' }));
      expect(await personalOf(id)).toEqual({ cardExpDate: '0535', billingContact });
      expect(operation).toMatchObject({
        kind: 'TokenUpdate',
        progress: { status: 'Approved' },
        responses: [],
      });
      expect(facts).toEqual({ id, cardExpDate: '0535' }); // taken at a terminal: its contact is not shown
      expect(token.description).toBe('Blue card');
    });

    it('is charged with the new expiry, and an expired one is declined with 12', async () => {
      const token = await stage.storedCard();
      requireAnsweredToken(await update(token.id, { cardExpDate: '0326' }));
      expect(await stage.tokenSale(token, 1_000)).toMatchObject({ facts: { cardExpDate: '0326' } });
      stage.clock.ahead += 31 * 86_400_000;
      const late = await stage.tokenSale(token, 1_000);
      const [operation] = late.kind === 'Answered' ? late.payment.operations : [];
      expect(operation?.responses[0]?.outcome.responseCode).toBe(12);
    });

    it('needs an expiry that is not past, to the end of its month in UTC', async () => {
      const { id } = await stage.storedCard();
      expect(await update('pmt_tkn_nobody', { cardExpDate: '0226' })).toMatchObject({
        rejection: { code: 'ExpiryInThePast', details: 'received 0226, allowed: from 0326 on' },
      });
      requireAnsweredToken(await update(id, { cardExpDate: '0326' }));
      stage.clock.ahead = Date.parse('2026-03-31T23:59:59.999Z') - stage.clock.real;
      requireAnsweredToken(await update(id, { cardExpDate: '0326' }));
      stage.clock.ahead += 1;
      expect((await update(id, { cardExpDate: '0326' })).kind).toBe('Rejected');
    });

    it('goes to another holder, who is made where there is none', async () => {
      const { id } = await stage.storedCard({ accountHolder: { externalId: 'c-1' } });
      const { token } = requireAnsweredToken(
        await update(id, { accountHolder: { externalId: 'c-2', name: 'Eve' } }),
      );
      const holder = await stage.useCases.accountHolders.find(stage.merchant.id, 'c-2');
      expect(holder).toMatchObject({ id: token.accountHolderId, name: 'Eve' });
      expect(await update(id, { accountHolder: { id: 'acc_01J00000000000000000000000' } })).toMatchObject({
        rejection: { code: 'HolderNotFound' },
      });
    });

    it('loses nothing where two updates race', async () => {
      const { id } = await stage.storedCard();
      const results = await Promise.all([
        update(id, { cardExpDate: '0535' }),
        update(id, { billingContact }),
        update(id, { description: 'Red card' }),
      ]);
      expect(results.map(({ kind }) => kind)).toEqual(['Answered', 'Answered', 'Answered']);
      expect(await personalOf(id)).toEqual({ cardExpDate: '0535', billingContact });
      expect((await stage.token(id)).description).toBe('Red card');
    });

    it('is left as it is where others were faster each time', async () => {
      const { id } = await stage.storedCard();
      stage.store.inject({ kind: 'Conflict' }, { times: 4 });
      expect(await update(id, { cardExpDate: '0535' })).toEqual({ kind: 'Contended' });
      expect(await personalOf(id)).toEqual({ cardExpDate: '1234' });
    });

    it.each(['open', 'seal'] as const)('is left as it is where the vault fails at %s', async (call) => {
      const { id } = await stage.storedCard();
      stage.vault.fail(call);
      expect(await update(id, { cardExpDate: '0535' })).toEqual({ kind: 'NotStored' });
      expect(await personalOf(id)).toEqual({ cardExpDate: '1234' });
      requireAnsweredToken(await update(id, { cardExpDate: '0535' }));
    });

    it('is updated once under one idempotency key', async () => {
      const { id } = await stage.storedCard();
      const begin = () => stage.useCases.payments.idempotency.start(stage.merchant.id, 'k', 'f');
      const start = await begin();
      if (start.kind !== 'New') throw new Error('a new key is new');
      const { update: updateCard } = stage.useCases.storedCards;
      const first = await updateCard(stage.context(start.ticket), id, { cardExpDate: '0535' });
      const { operation } = requireAnsweredToken(first);
      expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { operationId: operation.id } });
      expect((await stage.token(id)).operations).toHaveLength(2);
    });

    it('says Interrupted where the store does not say whether it was written', async () => {
      const { id } = await stage.storedCard();
      stage.store.inject({ kind: 'LoseAnswer', written: true });
      stage.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
      expect((await update(id, { description: 'Red card' })).kind).toBe('Interrupted');
    });
  });

  describe('that is removed', () => {
    it('has no keys any more, and shows when', async () => {
      const { id } = await stage.storedCard();
      const { operation, facts } = requireAnsweredToken(await remove(id));
      expect(operation).toMatchObject({ kind: 'TokenRemove', responses: [] });
      expect(facts).toEqual({ id, dateDeleted: '2026-03-02T15:00:00.000Z' });
      expect(await stage.tokenEvents(id)).toEqual([
        'TokenRequested',
        'VerificationRequested',
        'TokenCreated',
        'TokenRemoved',
        'TokenKeysDestroyed',
      ]);
      expect(await stage.vault.openCard(id)).toBeUndefined();
      expect(await personalOf(id)).toBeUndefined();
    });

    it('is not found a second time, nor by another merchant', async () => {
      const { id } = await stage.storedCard();
      const other = { ...stage.context(), merchant: { ...stage.merchant, id: 'mer_OTHER' } };
      const notFound = { kind: 'Rejected', rejection: { code: 'TokenNotFound' } };
      expect(await stage.useCases.storedCards.remove(other, id)).toMatchObject(notFound);
      requireAnsweredToken(await remove(id));
      expect(await remove(id)).toMatchObject(notFound);
      expect(await update(id, { description: 'x' })).toMatchObject(notFound);
    });

    it('is removed although its keys can not be destroyed now: the resolver does it', async () => {
      const { id } = await stage.storedCard();
      stage.vault.fail('destroy', 2);
      requireAnsweredToken(await remove(id));
      expect(stage.alerts).toContain('keys-not-destroyed');
      await stage.untilResolved(1);
      expect((await stage.token(id)).keysDestroyed).toBe(false);
      await stage.untilResolved(2);
      expect((await stage.token(id)).keysDestroyed).toBe(true);
      expect(await stage.vault.openCard(id)).toBeUndefined();
    });

    it('is removed once, however often the process dies', async () => {
      for (let step = 1; ; step++) {
        const { id } = await stage.storedCard();
        const died = await crashBeforeStep(stage, step, () => remove(id));
        const removed = (await stage.token(id)).status === 'Removed';
        expect(removed).toBe(step > 1 || !died);
        await stage.untilResolved(2);
        expect((await stage.token(id)).keysDestroyed).toBe(removed);
        if (!died) break;
      }
    });

    it('shows on payments made before, without its expiry', async () => {
      const token = await stage.storedCard();
      const sale = await stage.tokenSale(token, 1_000);
      if (sale.kind !== 'Answered') throw new Error(sale.kind);
      expect(sale.facts).toEqual({ id: token.id, cardExpDate: '1234' });
      expect(await stage.useCases.storedCards.detailsOf(sale.payment)).toEqual(sale.facts);
      requireAnsweredToken(await remove(token.id));
      expect(await stage.useCases.storedCards.detailsOf(sale.payment)).toEqual({
        id: token.id,
        dateDeleted: '2026-03-02T15:00:00.000Z',
      });
    });
  });

  it('a look shows less where the vault is away, and never fails', async () => {
    const { token, operation } = requireAnsweredToken(await stage.storeCard());
    stage.vault.fail('open');
    expect(await stage.useCases.storedCards.find(stage.merchant.id, operation.id)).toMatchObject({
      facts: { id: token.id },
    });
    const sale = await stage.sale(1_000);
    expect(
      sale.kind === 'Answered' && (await stage.useCases.storedCards.detailsOf(sale.payment)),
    ).toBeUndefined();
  });
});
