import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { crashBeforeStep } from '../testing/dying-process.js';
import { requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(() => setup.close());

const remove = (tokenId: string) => setup.useCases.storedCards.remove(setup.context(), tokenId);
const readPersonal = async (tokenId: string): Promise<unknown> => {
  const { personal } = (await setup.token(tokenId)).paymentMethod;
  const [text] = personal ? await setup.vault.open([personal]) : [];
  return text === undefined ? undefined : JSON.parse(text);
};

describe('the removal of a token', () => {
  it('destroys the keys and shows the date', async () => {
    const { id } = await setup.storedCard();
    const { operation, facts } = requireAnsweredToken(await remove(id));
    expect(operation).toMatchObject({ kind: 'TokenRemove', responses: [] });
    expect(facts).toEqual({ id, dateDeleted: '2026-03-02T15:00:00.000Z' });
    expect(await setup.tokenEvents(id)).toEqual([
      'TokenRequested',
      'VerificationRequested',
      'TokenCreated',
      'TokenRemoved',
      'TokenKeysDestroyed',
    ]);
    expect(await setup.vault.openCard(id)).toBeUndefined();
    expect(await readPersonal(id)).toBeUndefined();
  });

  it('rejects a second removal, and another merchant', async () => {
    const { id } = await setup.storedCard();
    const other = { ...setup.context(), merchant: { ...setup.merchant, id: 'mer_OTHER' } };
    const notFound = { kind: 'Rejected', rejection: { code: 'TokenNotFound' } };
    expect(await setup.useCases.storedCards.remove(other, id)).toMatchObject(notFound);
    requireAnsweredToken(await remove(id));
    expect(await remove(id)).toMatchObject(notFound);
    expect(await setup.useCases.storedCards.update(setup.context(), id, { description: 'x' })).toMatchObject(
      notFound,
    );
  });

  it('leaves the keys to the resolver if the vault fails', async () => {
    const { id } = await setup.storedCard();
    setup.vault.fail('destroy', 2);
    requireAnsweredToken(await remove(id));
    expect(setup.alerts).toContain('keys-not-destroyed');
    await setup.untilResolved(1);
    expect((await setup.token(id)).keysDestroyed).toBe(false);
    await setup.untilResolved(2);
    expect((await setup.token(id)).keysDestroyed).toBe(true);
    expect(await setup.vault.openCard(id)).toBeUndefined();
  });

  it('happens once or not at all if the process dies before any step', async () => {
    for (let step = 1; ; step++) {
      const { id } = await setup.storedCard();
      const died = await crashBeforeStep(setup, step, () => remove(id));
      const removed = (await setup.token(id)).status === 'Removed';
      expect(removed).toBe(step > 1 || !died);
      await setup.untilResolved(2);
      expect((await setup.token(id)).keysDestroyed).toBe(removed);
      if (!died) break;
    }
  });
});

describe('token details', () => {
  it('of a removed token are its id and the date, also on earlier payments', async () => {
    const token = await setup.storedCard();
    const sale = await setup.tokenSale(token, 1_000);
    if (sale.kind !== 'Answered') throw new Error(sale.kind);
    expect(sale.facts).toEqual({ id: token.id, cardExpDate: '1234' });
    expect(await setup.useCases.storedCards.detailsOf(sale.payment)).toEqual(sale.facts);
    requireAnsweredToken(await remove(token.id));
    expect(await setup.useCases.storedCards.detailsOf(sale.payment)).toEqual({
      id: token.id,
      dateDeleted: '2026-03-02T15:00:00.000Z',
    });
  });

  it('leave out personal data if the vault is unavailable', async () => {
    const { token, operation } = requireAnsweredToken(await setup.storeCard());
    setup.vault.fail('open');
    expect(await setup.useCases.storedCards.find(setup.merchant.id, operation.id)).toMatchObject({
      facts: { id: token.id },
    });
    const sale = await setup.sale(1_000);
    expect(
      sale.kind === 'Answered' && (await setup.useCases.storedCards.detailsOf(sale.payment)),
    ).toBeUndefined();
  });
});
