import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tokenCodec, formatTokenId, tokenStream, type TokenEvent } from '@tillstream/domain';
import { toNewEvents } from '../stream-repository/event-metadata.js';
import type { TokenPaymentRequest } from '../stored-cards/stored-card.types.js';
import {
  requireAnswered,
  requireAnsweredToken,
  Crashed,
  requireOperationId,
  PaymentsTestSetup,
} from '../testing/payments.setup.js';

describe('a payment with a token', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const auth = (paymentMethodId: string, more: Partial<TokenPaymentRequest> = {}) =>
    setup.useCases.payments.tokenAuth(setup.context(), { amount: 1_000, paymentMethodId, ...more });
  const remove = (tokenId: string) => setup.useCases.storedCards.remove(setup.context(), tokenId);

  it('charges the stored card, without a terminal', async () => {
    const token = await setup.storedCard({ accountHolder: { externalId: 'c-1' } });
    const sale = await setup.tokenSale(token, 1_000, { invoiceNumber: 'A1', referenceId: 'order-1' });
    const { payment, operation } = requireAnswered(sale);
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect(operation).toMatchObject({ invoiceNumber: 'A1', referenceId: 'order-1' });
    expect(payment).toMatchObject({
      channel: 'Token',
      currency: 'USD',
      accountHolderId: token.accountHolderId,
      paymentMethod: token.paymentMethod,
    });
    expect(payment.terminalId).toBeUndefined();
    expect(operation.responses[0]?.outcome.receiptLines).toEqual([]);
    expect(sale).toMatchObject({ facts: { id: token.id, cardExpDate: '1234' } });
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('authorizes, and captures without the card after the token was removed', async () => {
    const token = await setup.storedCard();
    const { operation } = requireAnswered(await auth(token.id));
    requireAnsweredToken(await remove(token.id));
    const capture = await setup.useCases.payments.capture(setup.context(), {
      originalTransactionId: operation.id,
      amount: 600,
    });
    requireAnswered(capture);
    const refund = { originalTransactionId: requireOperationId(capture), amount: 200 };
    requireAnswered(await setup.useCases.payments.refund(setup.context(), refund));
    expect(setup.chargedTotal()).toBe(400);
  });

  it('sends the network’s id of the card’s first transaction if the merchant initiates the payment', async () => {
    const token = await setup.storedCard();
    expect(token.networkTransactionId).toMatch(/./);
    const networkIdOf = async (more: Partial<TokenPaymentRequest>): Promise<string | undefined> =>
      requireAnswered(await setup.tokenSale(token, 1_000, more)).operation.attempt?.networkTransactionId;
    expect(await networkIdOf({ initiator: 'Merchant', reason: 'Recurring' })).toBe(
      token.networkTransactionId,
    );
    expect(await networkIdOf({ initiator: 'Customer' })).toBeUndefined();
    expect(await networkIdOf({})).toBeUndefined();
    const { events } = await setup.memory.readAll({ categories: ['payment'] });
    const requested = events.filter(({ type }) => type === 'SaleRequested').map(({ data }) => data);
    expect(requested[0]).toMatchObject({ initiator: 'Merchant', initiatorReason: 'Recurring' });
    expect(requested[2]).toMatchObject({ initiator: 'Customer' });
  });

  describe('is rejected', () => {
    it('for an id that is not a usable token of the merchant', async () => {
      const { id } = await setup.storedCard();
      const notFound = { kind: 'Rejected', rejection: { code: 'TokenNotFound' } };
      const other = { ...setup.context(), merchant: { ...setup.merchant, id: 'mer_OTHER' } };
      const request = { amount: 1_000, paymentMethodId: id };
      expect(await setup.useCases.payments.tokenSale(other, request)).toMatchObject(notFound);
      expect(await setup.tokenSale({ id: 'pmt_tkn_x' }, 1_000)).toMatchObject(notFound);
      expect(await setup.tokenSale({ id: formatTokenId('01J00000000000000000000') }, 1_000)).toMatchObject(
        notFound,
      );
      requireAnsweredToken(await remove(id));
      expect(await setup.tokenSale({ id }, 1_000)).toMatchObject(notFound);
    });

    it('for the id of a terminal, as a terminal payment is for the id of a token', async () => {
      expect(await setup.tokenSale(setup.terminal, 1_000)).toMatchObject({
        rejection: {
          code: 'PaymentMethodTypeUnfit',
          details: 'received one of type Physical, allowed: Token',
        },
      });
      const { id: paymentMethodId } = await setup.storedCard();
      expect(await setup.sale(1_000, { paymentMethodId })).toMatchObject({
        rejection: {
          code: 'PaymentMethodTypeUnfit',
          details: 'received one of type Token, allowed: Physical',
        },
      });
      requireAnsweredToken(await remove(paymentMethodId));
      expect(await setup.sale(1_000, { paymentMethodId })).toMatchObject({
        rejection: { code: 'PaymentMethodNotFound' },
      });
    });

    it('while the creation of the token runs', async () => {
      setup.processor.inject('verify', 'NoAnswerAfter');
      await setup.storeCard();
      const [id = ''] = await setup.tokenIds();
      expect(await setup.tokenSale({ id }, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFinished' } });
    });

    it('for an authorization of an INTERAC card', async () => {
      const terminal = await setup.addTerminal('CAD', false);
      setup.sandbox.terminals.set(terminal.id, { mode: 'Auto', card: '4506440000000009' });
      const { id } = await setup.storedCard({ paymentMethodId: terminal.id });
      expect(await auth(id)).toMatchObject({ rejection: { code: 'OperationNotEnabled' } });
    });

    it('for an authorization of a bank account, but not for a sale', async () => {
      const tokenId = await bankToken();
      expect(await auth(tokenId)).toMatchObject({ rejection: { code: 'PaymentMethodTypeUnfit' } });
      await setup.vault.storeCard(
        tokenId,
        JSON.stringify({
          routingNumber: '110000000',
          accountNumber: '000123456789',
          accountType: 'Checking',
        }),
      );
      expect(requireAnswered(await setup.tokenSale({ id: tokenId }, 1_000)).payment.channel).toBe('Ach');
    });

    it('if the keys are destroyed, and not stored if the vault is unavailable', async () => {
      const token = await setup.storedCard();
      setup.vault.fail('openStored');
      expect(await setup.tokenSale(token, 1_000)).toEqual({ kind: 'NotStored' });
      await setup.vault.destroy(token.id);
      expect(await setup.tokenSale(token, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFound' } });
      expect(setup.chargedTotal()).toBe(0);
    });

    /** Appends the events of a token as a bank form would. */
    async function bankToken(): Promise<string> {
      const root = '01J0000000000000000000A';
      const tokenId = formatTokenId(root);
      const shared = {
        at: '2026-03-02T15:00:00.000Z',
        operationId: `trx_${root}T00`,
        commandId: 'c',
      } as const;
      const form = { id: 'pmt_ach_x', type: 'VirtualAch', currency: 'USD' } as const;
      const channel = 'Ach';
      const token = { ...form, id: tokenId, type: 'Token', accountNumber: '****6789' } as const;
      const events: TokenEvent[] = [
        {
          type: 'TokenRequested',
          data: {
            ...shared,
            referenceId: 'r',
            merchantId: setup.merchant.id,
            tokenId,
            channel,
            currency: 'USD',
            paymentMethod: form,
          },
        },
        {
          type: 'TokenCreated',
          data: {
            ...shared,
            try: 1,
            source: 'Answer',
            responseCode: 1,
            channel,
            paymentMethod: form,
            receiptLines: [],
            token,
          },
        },
      ];
      const cause = { merchantId: setup.merchant.id, actor: { type: 'System', name: 'test' } } as const;
      await setup.memory.append({
        stream: tokenStream(root),
        expected: 'none',
        events: toNewEvents(tokenCodec, events, cause, setup.clock),
      });
      return tokenId;
    }
  });

  it('goes on if the token is removed while it runs', async () => {
    const token = await setup.storedCard();
    let removal: Promise<unknown> = Promise.resolve();
    setup.crash.runAt('before-send', () => (removal = remove(token.id)));
    const { operation } = requireAnswered(await setup.tokenSale(token, 1_000));
    await removal;
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect((await setup.token(token.id)).status).toBe('Removed');
  });

  it.each(['after-request', 'after-send', 'after-answer', 'before-outcome'] as const)(
    'is finished by the resolver without the card, if the process dies at %s and the token is removed',
    async (point) => {
      const token = await setup.storedCard();
      setup.crash.crashAt(point);
      await expect(setup.tokenSale(token, 1_000)).rejects.toThrow(Crashed);
      setup.start();
      requireAnsweredToken(await remove(token.id));
      const opened = setup.vault.calls.filter((call) => call.startsWith('openStored')).length;
      await setup.untilResolved(3);
      const { events } = await setup.memory.readAll({ categories: ['payment'] });
      const { progress } = await setup.operation(String(events[0]?.data['operationId']));
      expect(progress.status).toBe(point === 'after-request' ? 'NotExecuted' : 'Approved');
      expect(setup.chargedTotal()).toBe(point === 'after-request' ? 0 : 1_000);
      expect(setup.vault.calls.filter((call) => call.startsWith('openStored'))).toHaveLength(opened);
    },
  );

  it('runs one sale for one idempotency key', async () => {
    const token = await setup.storedCard();
    const begin = () => setup.useCases.payments.idempotency.start(setup.merchant.id, 'k', 'f');
    const starts = await Promise.all([begin(), begin()]);
    const kinds = await Promise.all(
      starts.map(async (start) => {
        if (start.kind !== 'New') throw new Error(start.kind);
        const request = { amount: 1_000, paymentMethodId: token.id };
        return (await setup.useCases.payments.tokenSale(setup.context(start.ticket), request)).kind;
      }),
    );
    expect(kinds.sort()).toEqual(['Answered', 'KeyTaken']);
    expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    expect(setup.chargedTotal()).toBe(1_000);
  });
});
