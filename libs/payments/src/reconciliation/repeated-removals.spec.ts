import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsTestSetup, requireAnsweredToken } from '../testing/payments.setup.js';
import { removalsSince, repeatRemoval, type Removal } from './repeated-removals.js';

const anna = { type: 'Operator', name: 'Anna' } as const;

describe('removals, after a restore', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const listed = async (since = 0): Promise<Removal[]> => {
    const all: Removal[] = [];
    for await (const removal of removalsSince(setup.memory, since)) all.push(removal);
    return all;
  };
  const repeat = (id: string) => repeatRemoval(setup, { id, actor: anna, reason: 'restored' });

  it('are listed since a time', async () => {
    const [token, other] = [
      await setup.storedCard(),
      await setup.storedCard({ accountHolder: { externalId: 'c-1' } }),
    ];
    requireAnsweredToken(await setup.useCases.storedCards.remove(setup.context(), token.id));
    setup.clock.pass(60_000);
    const since = setup.clock.realNow();
    const holderId = other.accountHolderId ?? '';
    await setup.useCases.accountHolders.erase(setup.context(), holderId);
    const merchantId = setup.merchant.id;
    expect((await listed()).map(({ id }) => id)).toEqual([token.id, holderId, other.id]);
    expect(await listed(since)).toMatchObject([
      { id: holderId, merchantId },
      { id: other.id, merchantId },
    ]);
  });

  it('are repeated: the card can not be used, and the service destroys its keys', async () => {
    const token = await setup.storedCard();
    expect(await repeat(token.id)).toBe('Removed');
    expect((await setup.tokenSale(token, 1_000)).kind).toBe('Rejected');
    await setup.untilResolved(1);
    expect(await setup.vault.openCard(token.id)).toBeUndefined();
    expect(await repeat(token.id)).toBe('RemovedBefore');
  });

  it('are repeated for a person, with all of their cards', async () => {
    const token = await setup.storedCard({ accountHolder: { externalId: 'c-1', name: 'Ada' } });
    expect(await repeat(token.accountHolderId ?? '')).toBe('Removed');
    await setup.untilResolved(1);
    expect(await setup.vault.openCard(token.id)).toBeUndefined();
    expect(await setup.useCases.accountHolders.find(setup.merchant.id, 'c-1')).toBeUndefined();
  });

  it('are not finished while the creation of the card has no outcome; a repeat then removes it', async () => {
    setup.processor.inject('verify', 'NoAnswerAfter');
    setup.processor.inject('inquire', 'NoAnswerBefore', 'NoAnswerBefore');
    expect((await setup.storeCard()).kind).toBe('Interrupted');
    const [id = ''] = await setup.tokenIds();
    expect(await repeat(id)).toBe('NotFinished');
    expect((await setup.token(id)).status).toBe('Pending');
    await setup.untilResolved();
    expect((await setup.tokenSale({ id }, 1_000)).kind).toBe('Answered');
    expect(await repeat(id)).toBe('Removed');
    expect((await setup.tokenSale({ id }, 1_000)).kind).toBe('Rejected');
  });

  it('are not needed for what the history does not have', async () => {
    expect(await repeat('pmt_tkn_01JQ0000000000000000000T00')).toBe('NotInHistory');
    expect(await repeat('acc_01JQ0000000000000000000000')).toBe('NotInHistory');
    expect(await repeat('trx_1')).toBeUndefined();
  });
});
