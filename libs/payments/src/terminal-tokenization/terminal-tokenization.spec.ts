import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnsweredToken, Crashed, PaymentsTestSetup } from '../testing/payments.setup.js';

const NUMBER = '4242424242424242';

describe('storing a card at a terminal', () => {
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

  it('verifies the card for 0.00, stores the card, and creates the token last', async () => {
    const seen: string[] = [];
    setup.vault.before(
      'keepCard',
      async () => void seen.push(...(await setup.tokenEvents(await onlyToken()))),
    );
    const { token, operation, facts } = requireAnsweredToken(
      await setup.storeCard({ description: 'Blue card' }),
    );
    expect(seen).toEqual(['TokenRequested', 'VerificationRequested']);
    expect(await setup.tokenEvents(token.id)).toEqual([...seen, 'TokenCreated']);
    expect(operation).toMatchObject({ kind: 'TokenCreate', progress: { status: 'Approved', amount: 0 } });
    expect(facts).toEqual({ id: token.id, cardExpDate: '1234' });
    expect(token.paymentMethod).toMatchObject({
      id: token.id,
      type: 'Token',
      description: 'Blue card',
      cardType: 'VISA',
      maskedCardNumber: expect.stringMatching(/4242$/),
    });
    expect(setup.chargedTotal()).toBe(0);
    expect(await setup.vault.openCard(token.id)).toBe(NUMBER);
  });

  it('prints a receipt without an amount', async () => {
    const { operation } = requireAnsweredToken(await setup.storeCard());
    const lines = operation.responses[0]?.outcome.receiptLines ?? [];
    expect(lines[0]).toBe('Maple Street Books');
    expect(lines).toContain('Terminal: Front counter');
    expect(lines).toContain('CARD ON FILE');
    expect(lines.at(-1)).toBe('APPROVED');
    expect(lines.join('\n')).not.toMatch(/Total|USD/);
  });

  it('stores nothing of a card that the issuer declines, and prints a declined receipt', async () => {
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'Auto', card: '4000000000000002' });
    const { token, operation } = requireAnsweredToken(await setup.storeCard());
    expect(token.status).toBe('Failed');
    expect(operation.progress).toEqual({ status: 'Declined', resultCode: 0 });
    expect(operation.responses[0]?.outcome).toMatchObject({ responseCode: 10 });
    expect(operation.responses[0]?.outcome.receiptLines.at(-1)).toBe('DECLINED');
    expect(setup.vault.calls).toEqual([]);
    expect(await setup.tokenSale(token, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFound' } });
  });

  it('is cancelled at the terminal', async () => {
    setup.sandbox.terminals.set(setup.terminal.id, { mode: 'LowBattery', card: null });
    const { token, operation } = requireAnsweredToken(await setup.storeCard());
    expect(operation.progress).toMatchObject({ status: 'Cancelled', resultCode: 3006 });
    expect(token.status).toBe('Failed');
  });

  describe('under an idempotency key', () => {
    const begin = () => setup.useCases.payments.idempotency.start(setup.merchant.id, 'k', 'f');
    const store = async () => {
      const start = await begin();
      if (start.kind !== 'New') return start;
      return setup.useCases.storedCards.storeFromTerminal(setup.context(start.ticket), {});
    };

    it('creates one token, and answers a repeat from the history', async () => {
      const first = requireAnsweredToken((await store()) as never);
      const again = await store();
      expect(again).toMatchObject({
        kind: 'FromHistory',
        result: { kind: 'Answered', operationId: first.operation.id, facts: first.facts },
      });
      expect(await setup.tokenIds()).toEqual([first.token.id]);
    });

    it('creates one token for two concurrent requests', async () => {
      const starts = await Promise.all([begin(), begin()]);
      const kinds = await Promise.all(
        starts.map(async (start) => {
          if (start.kind !== 'New') throw new Error(start.kind);
          return (await setup.useCases.storedCards.storeFromTerminal(setup.context(start.ticket), {})).kind;
        }),
      );
      expect(kinds.sort()).toEqual(['Answered', 'KeyTaken']);
      expect(await setup.tokenIds()).toHaveLength(1);
    });

    it('is running while its process may still work on it, and has its result after that', async () => {
      setup.crash.crashAt('after-answer');
      await expect(store()).rejects.toThrow(Crashed);
      expect(await begin()).toEqual({ kind: 'Running' });
      setup.clock.pass(setup.timings.sendWithin + setup.timings.terminalDeadline + setup.timings.margin + 1);
      expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Interrupted' } });
      await setup.untilResolved(2);
      expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    });
  });

  describe('for an account holder', () => {
    it('creates the holder of an external id once, and ignores fields for an existing holder', async () => {
      const first = await setup.storedCard({ accountHolder: { externalId: 'c-1', name: 'Ada' } });
      const second = await setup.storedCard({ accountHolder: { externalId: 'c-1', name: 'Eve' } });
      expect(first.accountHolderId).toMatch(/^acc_/);
      expect(second.accountHolderId).toBe(first.accountHolderId);
      const holder = await setup.useCases.accountHolders.find(setup.merchant.id, 'c-1');
      expect(holder).toMatchObject({ id: first.accountHolderId, externalId: 'c-1', name: 'Ada' });
    });

    it('rejects an unknown terminal first, then an unknown holder, then an unusable terminal', async () => {
      const accountHolder = { id: 'acc_01J00000000000000000000000' };
      const token = await setup.storedCard();
      const store = async (paymentMethodId: string, holder?: typeof accountHolder) =>
        setup.storeCard({ paymentMethodId, ...(holder && { accountHolder: holder }) });
      expect(await store('pmt_trm_nobody', accountHolder)).toMatchObject({
        rejection: { code: 'PaymentMethodNotFound' },
      });
      expect(await store(token.id, accountHolder)).toMatchObject({ rejection: { code: 'HolderNotFound' } });
      expect(await store(token.id)).toMatchObject({ rejection: { code: 'PaymentMethodTypeUnfit' } });
    });

    it('does not find another merchant’s holder', async () => {
      const { accountHolderId: id = '' } = await setup.storedCard({ accountHolder: { externalId: 'c-1' } });
      const other = { ...setup.context(), merchant: { ...setup.merchant, id: 'mer_OTHER' } };
      const result = await setup.useCases.storedCards.storeFromTerminal(other, { accountHolder: { id } });
      expect(result).toMatchObject({ rejection: { code: 'HolderNotFound' } });
    });
  });

  it('leaves the card number out of every event, alert, log, response and row', async () => {
    setup.vault.fail('keepCard');
    const results: unknown[] = [await setup.storeCard({ accountHolder: { externalId: 'c-1' } })];
    await setup.untilResolved(2);
    const [tokenId = ''] = await setup.tokenIds();
    results.push(await setup.tokenSale({ id: tokenId }, 1_000));
    setup.processor.inject('sale', 'NoAnswerAfter', 'NotSent');
    results.push(
      await setup.tokenSale({ id: tokenId }, 1_000),
      await setup.tokenSale({ id: tokenId }, 1_000),
    );
    await setup.untilResolved(2);
    results.push(await setup.useCases.storedCards.remove(setup.context(), tokenId));
    const { events } = await setup.memory.readAll();
    const stored = JSON.stringify([
      events,
      setup.alerts,
      setup.logged,
      setup.writtenStreams,
      setup.store.appends,
    ]);
    expect(stored.includes('TokenRemoved')).toBe(true);
    expect(stored.includes(NUMBER) || JSON.stringify(results).includes(NUMBER)).toBe(false);
    expect(stored.includes('1234"')).toBe(false);
  });

  it('shows the history of the token', async () => {
    const { token, operation } = requireAnsweredToken(await setup.storeCard());
    const page = { from: 0, limit: 10 };
    const history = await setup.useCases.payments.history(setup.merchant.id, operation.id, page);
    expect(history?.entries.map(({ event }) => event.type)).toEqual(await setup.tokenEvents(token.id));
    expect(await setup.useCases.payments.history('mer_OTHER', operation.id, page)).toBeUndefined();
    expect(await setup.useCases.storedCards.find('mer_OTHER', operation.id)).toBeUndefined();
    expect(await setup.useCases.storedCards.find(setup.merchant.id, operation.id)).toMatchObject({
      operationId: operation.id,
      facts: { cardExpDate: '1234' },
    });
  });
});
