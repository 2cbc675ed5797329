import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnsweredToken, Crashed, PaymentsTestSetup } from '../testing/payments.setup.js';

const NUMBER = '4242424242424242';

describe('storing a card at a terminal', () => {
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

  it('asks its issuer for 0.00, keeps the card, and makes the token last', async () => {
    const seen: string[] = [];
    stage.vault.before(
      'keepCard',
      async () => void seen.push(...(await stage.tokenEvents(await onlyToken()))),
    );
    const { token, operation, facts } = requireAnsweredToken(
      await stage.storeCard({ description: 'Blue card' }),
    );
    expect(seen).toEqual(['TokenRequested', 'VerificationRequested']);
    expect(await stage.tokenEvents(token.id)).toEqual([...seen, 'TokenCreated']);
    expect(operation).toMatchObject({ kind: 'TokenCreate', progress: { status: 'Approved', amount: 0 } });
    expect(facts).toEqual({ id: token.id, cardExpDate: '1234' });
    expect(token.paymentMethod).toMatchObject({
      id: token.id,
      type: 'Token',
      description: 'Blue card',
      cardType: 'VISA',
      maskedCardNumber: expect.stringMatching(/4242$/),
    });
    expect(stage.chargedTotal()).toBe(0);
    expect(await stage.vault.openCard(token.id)).toBe(NUMBER);
  });

  it('prints a receipt without an amount', async () => {
    const { operation } = requireAnsweredToken(await stage.storeCard());
    const lines = operation.responses[0]?.outcome.receiptLines ?? [];
    expect(lines[0]).toBe('Maple Street Books');
    expect(lines).toContain('Terminal: Front counter');
    expect(lines).toContain('CARD ON FILE');
    expect(lines.at(-1)).toBe('APPROVED');
    expect(lines.join('\n')).not.toMatch(/Total|USD/);
  });

  it('keeps nothing of a card that its issuer declines, and says so on the receipt', async () => {
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'Auto', card: '4000000000000002' });
    const { token, operation } = requireAnsweredToken(await stage.storeCard());
    expect(token.status).toBe('Failed');
    expect(operation.progress).toEqual({ status: 'Declined', resultCode: 0 });
    expect(operation.responses[0]?.outcome).toMatchObject({ responseCode: 10 });
    expect(operation.responses[0]?.outcome.receiptLines.at(-1)).toBe('DECLINED');
    expect(stage.vault.calls).toEqual([]);
    expect(await stage.tokenSale(token, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFound' } });
  });

  it('ends with the terminal that ends it', async () => {
    stage.sandbox.terminals.set(stage.terminal.id, { mode: 'LowBattery', card: null });
    const { token, operation } = requireAnsweredToken(await stage.storeCard());
    expect(operation.progress).toMatchObject({ status: 'Cancelled', resultCode: 3006 });
    expect(token.status).toBe('Failed');
  });

  describe('under an idempotency key', () => {
    const begin = () => stage.useCases.payments.idempotency.start(stage.merchant.id, 'k', 'f');
    const store = async () => {
      const start = await begin();
      if (start.kind !== 'New') return start;
      return stage.useCases.storedCards.storeFromTerminal(stage.context(start.ticket), {});
    };

    it('makes one token, and answers a repeat from its history', async () => {
      const first = requireAnsweredToken((await store()) as never);
      const again = await store();
      expect(again).toMatchObject({
        kind: 'FromHistory',
        result: { kind: 'Answered', operationId: first.operation.id, facts: first.facts },
      });
      expect(await stage.tokenIds()).toEqual([first.token.id]);
    });

    it('makes one token of two requests that began at the same time', async () => {
      const starts = await Promise.all([begin(), begin()]);
      const kinds = await Promise.all(
        starts.map(async (start) => {
          if (start.kind !== 'New') throw new Error(start.kind);
          return (await stage.useCases.storedCards.storeFromTerminal(stage.context(start.ticket), {})).kind;
        }),
      );
      expect(kinds.sort()).toEqual(['Answered', 'KeyTaken']);
      expect(await stage.tokenIds()).toHaveLength(1);
    });

    it('is running until nobody can be at it any more, and says then what became of it', async () => {
      stage.crash.crashAt('after-answer');
      await expect(store()).rejects.toThrow(Crashed);
      expect(await begin()).toEqual({ kind: 'Running' });
      stage.clock.pass(stage.timings.sendWithin + stage.timings.terminalDeadline + stage.timings.margin + 1);
      expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Interrupted' } });
      await stage.untilResolved(2);
      expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    });
  });

  describe('for an account holder', () => {
    it('makes the holder of an external id once, and ignores fields sent for one that exists', async () => {
      const first = await stage.storedCard({ accountHolder: { externalId: 'c-1', name: 'Ada' } });
      const second = await stage.storedCard({ accountHolder: { externalId: 'c-1', name: 'Eve' } });
      expect(first.accountHolderId).toMatch(/^acc_/);
      expect(second.accountHolderId).toBe(first.accountHolderId);
      const holder = await stage.useCases.accountHolders.find(stage.merchant.id, 'c-1');
      expect(holder).toMatchObject({ id: first.accountHolderId, externalId: 'c-1', name: 'Ada' });
    });

    it('refuses in the order of the answers: the terminal that is not there, the holder, the terminal that is unfit', async () => {
      const accountHolder = { id: 'acc_01J00000000000000000000000' };
      const token = await stage.storedCard();
      const store = async (paymentMethodId: string, holder?: typeof accountHolder) =>
        stage.storeCard({ paymentMethodId, ...(holder && { accountHolder: holder }) });
      expect(await store('pmt_trm_nobody', accountHolder)).toMatchObject({
        rejection: { code: 'PaymentMethodNotFound' },
      });
      expect(await store(token.id, accountHolder)).toMatchObject({ rejection: { code: 'HolderNotFound' } });
      expect(await store(token.id)).toMatchObject({ rejection: { code: 'PaymentMethodTypeUnfit' } });
    });

    it('does not find another merchant’s', async () => {
      const { accountHolderId: id = '' } = await stage.storedCard({ accountHolder: { externalId: 'c-1' } });
      const other = { ...stage.context(), merchant: { ...stage.merchant, id: 'mer_OTHER' } };
      const result = await stage.useCases.storedCards.storeFromTerminal(other, { accountHolder: { id } });
      expect(result).toMatchObject({ rejection: { code: 'HolderNotFound' } });
    });
  });

  it('a card number is in no event, alert, log, answer or row', async () => {
    stage.vault.fail('keepCard');
    const results: unknown[] = [await stage.storeCard({ accountHolder: { externalId: 'c-1' } })];
    await stage.untilResolved(2);
    const [tokenId = ''] = await stage.tokenIds();
    results.push(await stage.tokenSale({ id: tokenId }, 1_000));
    stage.processor.inject('sale', 'NoAnswerAfter', 'NotSent');
    results.push(
      await stage.tokenSale({ id: tokenId }, 1_000),
      await stage.tokenSale({ id: tokenId }, 1_000),
    );
    await stage.untilResolved(2);
    results.push(await stage.useCases.storedCards.remove(stage.context(), tokenId));
    const { events } = await stage.memory.readAll();
    const stored = JSON.stringify([
      events,
      stage.alerts,
      stage.logged,
      stage.writtenStreams,
      stage.store.appends,
    ]);
    expect(stored.includes('TokenRemoved')).toBe(true);
    expect(stored.includes(NUMBER) || JSON.stringify(results).includes(NUMBER)).toBe(false);
    expect(stored.includes('1234"')).toBe(false);
  });

  it('tells its whole history', async () => {
    const { token, operation } = requireAnsweredToken(await stage.storeCard());
    const page = { from: 0, limit: 10 };
    const history = await stage.useCases.payments.history(stage.merchant.id, operation.id, page);
    expect(history?.entries.map(({ event }) => event.type)).toEqual(await stage.tokenEvents(token.id));
    expect(await stage.useCases.payments.history('mer_OTHER', operation.id, page)).toBeUndefined();
    expect(await stage.useCases.storedCards.find('mer_OTHER', operation.id)).toBeUndefined();
    expect(await stage.useCases.storedCards.find(stage.merchant.id, operation.id)).toMatchObject({
      operationId: operation.id,
      facts: { cardExpDate: '1234' },
    });
  });
});
