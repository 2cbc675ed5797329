import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';
import type { TokenUpdateRequest } from './stored-card.types.js';

const billingContact = { name: 'Ada Lovelace', countryCode: 'US', zipCode: '10001' };

describe('the update of a token', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const update = (tokenId: string, change: TokenUpdateRequest) =>
    setup.useCases.storedCards.update(setup.context(), tokenId, change);
  const readPersonal = async (tokenId: string): Promise<unknown> => {
    const { personal } = (await setup.token(tokenId)).paymentMethod;
    const [text] = personal ? await setup.vault.open([personal]) : [];
    return text === undefined ? undefined : JSON.parse(text);
  };

  it('keeps the fields that the request leaves out', async () => {
    const { id } = await setup.storedCard({ description: 'Blue card' });
    requireAnsweredToken(await update(id, { billingContact }));
    const { operation, facts, token } = requireAnsweredToken(await update(id, { cardExpDate: '0535' }));
    expect(await readPersonal(id)).toEqual({ cardExpDate: '0535', billingContact });
    expect(operation).toMatchObject({
      kind: 'TokenUpdate',
      progress: { status: 'Approved' },
      responses: [],
    });
    expect(facts).toEqual({ id, cardExpDate: '0535' }); // not the contact: the card was read at a terminal
    expect(token.description).toBe('Blue card');
  });

  it('charges the card with the new expiry, and gets 12 after that has passed', async () => {
    const token = await setup.storedCard();
    requireAnsweredToken(await update(token.id, { cardExpDate: '0326' }));
    expect(await setup.tokenSale(token, 1_000)).toMatchObject({ facts: { cardExpDate: '0326' } });
    setup.clock.ahead += 31 * 86_400_000;
    const late = await setup.tokenSale(token, 1_000);
    const [operation] = late.kind === 'Answered' ? late.payment.operations : [];
    expect(operation?.responses[0]?.outcome.responseCode).toBe(12);
  });

  it('rejects an expiry that has passed: a card is valid to the end of its month in UTC', async () => {
    const { id } = await setup.storedCard();
    expect(await update('pmt_tkn_nobody', { cardExpDate: '0226' })).toMatchObject({
      rejection: { code: 'ExpiryInThePast', details: 'received 0226, allowed: from 0326 on' },
    });
    requireAnsweredToken(await update(id, { cardExpDate: '0326' }));
    setup.clock.ahead = Date.parse('2026-03-31T23:59:59.999Z') - setup.clock.real;
    requireAnsweredToken(await update(id, { cardExpDate: '0326' }));
    setup.clock.ahead += 1;
    expect((await update(id, { cardExpDate: '0326' })).kind).toBe('Rejected');
  });

  it('links another holder, and creates one for a new external id', async () => {
    const { id } = await setup.storedCard({ accountHolder: { externalId: 'c-1' } });
    const { token } = requireAnsweredToken(
      await update(id, { accountHolder: { externalId: 'c-2', name: 'Eve' } }),
    );
    const holder = await setup.useCases.accountHolders.find(setup.merchant.id, 'c-2');
    expect(holder).toMatchObject({ id: token.accountHolderId, name: 'Eve' });
    expect(await update(id, { accountHolder: { id: 'acc_01J00000000000000000000000' } })).toMatchObject({
      rejection: { code: 'HolderNotFound' },
    });
  });

  it('loses nothing when several updates run at the same time', async () => {
    const { id } = await setup.storedCard();
    const results = await Promise.all([
      update(id, { cardExpDate: '0535' }),
      update(id, { billingContact }),
      update(id, { description: 'Red card' }),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['Answered', 'Answered', 'Answered']);
    expect(await readPersonal(id)).toEqual({ cardExpDate: '0535', billingContact });
    expect((await setup.token(id)).description).toBe('Red card');
  });

  it('changes nothing if each append conflicts', async () => {
    const { id } = await setup.storedCard();
    setup.store.inject({ kind: 'Conflict' }, { times: 4 });
    expect(await update(id, { cardExpDate: '0535' })).toEqual({ kind: 'Contended' });
    expect(await readPersonal(id)).toEqual({ cardExpDate: '1234' });
  });

  it.each(['open', 'seal'] as const)('changes nothing if the vault fails at %s', async (call) => {
    const { id } = await setup.storedCard();
    setup.vault.fail(call);
    expect(await update(id, { cardExpDate: '0535' })).toEqual({ kind: 'NotStored' });
    expect(await readPersonal(id)).toEqual({ cardExpDate: '1234' });
    requireAnsweredToken(await update(id, { cardExpDate: '0535' }));
  });

  it('runs once for one idempotency key', async () => {
    const { id } = await setup.storedCard();
    const begin = () => setup.useCases.payments.idempotency.start(setup.merchant.id, 'k', 'f');
    const start = await begin();
    if (start.kind !== 'New') throw new Error('a new key is new');
    const { update: updateCard } = setup.useCases.storedCards;
    const first = await updateCard(setup.context(start.ticket), id, { cardExpDate: '0535' });
    const { operation } = requireAnsweredToken(first);
    expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { operationId: operation.id } });
    expect((await setup.token(id)).operations).toHaveLength(2);
  });

  it('is Interrupted if the append has an unknown result', async () => {
    const { id } = await setup.storedCard();
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    expect((await update(id, { description: 'Red card' })).kind).toBe('Interrupted');
  });
});
