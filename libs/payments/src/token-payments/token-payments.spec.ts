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

describe('paying with a token', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const auth = (paymentMethodId: string, more: Partial<TokenPaymentRequest> = {}) =>
    stage.useCases.payments.tokenAuth(stage.context(), { amount: 1_000, paymentMethodId, ...more });
  const remove = (tokenId: string) => stage.useCases.storedCards.remove(stage.context(), tokenId);

  it('charges the stored card, without a terminal', async () => {
    const token = await stage.storedCard({ accountHolder: { externalId: 'c-1' } });
    const sale = await stage.tokenSale(token, 1_000, { invoiceNumber: 'A1', referenceId: 'order-1' });
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
    expect(stage.chargedTotal()).toBe(1_000);
  });

  it('authorizes it, and what follows needs no card, even where the token is gone', async () => {
    const token = await stage.storedCard();
    const { operation } = requireAnswered(await auth(token.id));
    requireAnsweredToken(await remove(token.id));
    const capture = await stage.useCases.payments.capture(stage.context(), {
      originalTransactionId: operation.id,
      amount: 600,
    });
    requireAnswered(capture);
    const refund = { originalTransactionId: requireOperationId(capture), amount: 200 };
    requireAnswered(await stage.useCases.payments.refund(stage.context(), refund));
    expect(stage.chargedTotal()).toBe(400);
  });

  it('sends the network’s id of the card’s first transaction along where the merchant asks for it', async () => {
    const token = await stage.storedCard();
    expect(token.networkTransactionId).toMatch(/./);
    const networkIdOf = async (more: Partial<TokenPaymentRequest>): Promise<string | undefined> =>
      requireAnswered(await stage.tokenSale(token, 1_000, more)).operation.attempt?.networkTransactionId;
    expect(await networkIdOf({ initiator: 'Merchant', reason: 'Recurring' })).toBe(
      token.networkTransactionId,
    );
    expect(await networkIdOf({ initiator: 'Customer' })).toBeUndefined();
    expect(await networkIdOf({})).toBeUndefined();
    const { events } = await stage.memory.readAll({ categories: ['payment'] });
    const asked = events.filter(({ type }) => type === 'SaleRequested').map(({ data }) => data);
    expect(asked[0]).toMatchObject({ initiator: 'Merchant', initiatorReason: 'Recurring' });
    expect(asked[2]).toMatchObject({ initiator: 'Customer' });
  });

  describe('is refused', () => {
    it('for an id that is no usable token of the merchant', async () => {
      const { id } = await stage.storedCard();
      const notFound = { kind: 'Rejected', rejection: { code: 'TokenNotFound' } };
      const other = { ...stage.context(), merchant: { ...stage.merchant, id: 'mer_OTHER' } };
      const request = { amount: 1_000, paymentMethodId: id };
      expect(await stage.useCases.payments.tokenSale(other, request)).toMatchObject(notFound);
      expect(await stage.tokenSale({ id: 'pmt_tkn_x' }, 1_000)).toMatchObject(notFound);
      expect(await stage.tokenSale({ id: formatTokenId('01J00000000000000000000') }, 1_000)).toMatchObject(
        notFound,
      );
      requireAnsweredToken(await remove(id));
      expect(await stage.tokenSale({ id }, 1_000)).toMatchObject(notFound);
    });

    it('for a terminal, as a terminal’s path is for a token', async () => {
      expect(await stage.tokenSale(stage.terminal, 1_000)).toMatchObject({
        rejection: {
          code: 'PaymentMethodTypeUnfit',
          details: 'received one of type Physical, allowed: Token',
        },
      });
      const { id: paymentMethodId } = await stage.storedCard();
      expect(await stage.sale(1_000, { paymentMethodId })).toMatchObject({
        rejection: {
          code: 'PaymentMethodTypeUnfit',
          details: 'received one of type Token, allowed: Physical',
        },
      });
      requireAnsweredToken(await remove(paymentMethodId));
      expect(await stage.sale(1_000, { paymentMethodId })).toMatchObject({
        rejection: { code: 'PaymentMethodNotFound' },
      });
    });

    it('as long as the creation of the token is not finished', async () => {
      stage.processor.inject('verify', 'NoAnswerAfter');
      await stage.storeCard();
      const [id = ''] = await stage.tokenIds();
      expect(await stage.tokenSale({ id }, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFinished' } });
    });

    it('for an authorization of an INTERAC card', async () => {
      const terminal = await stage.addTerminal('CAD', false);
      stage.sandbox.terminals.set(terminal.id, { mode: 'Auto', card: '4506440000000009' });
      const { id } = await stage.storedCard({ paymentMethodId: terminal.id });
      expect(await auth(id)).toMatchObject({ rejection: { code: 'OperationNotEnabled' } });
    });

    it('for an authorization of a bank account, and not for its sale', async () => {
      const tokenId = await bankToken();
      expect(await auth(tokenId)).toMatchObject({ rejection: { code: 'PaymentMethodTypeUnfit' } });
      await stage.vault.storeCard(
        tokenId,
        JSON.stringify({
          routingNumber: '110000000',
          accountNumber: '000123456789',
          accountType: 'Checking',
        }),
      );
      expect(requireAnswered(await stage.tokenSale({ id: tokenId }, 1_000)).payment.channel).toBe('Ach');
    });

    it('where the card is gone already, or the vault is away: nothing happened', async () => {
      const token = await stage.storedCard();
      stage.vault.fail('openStored');
      expect(await stage.tokenSale(token, 1_000)).toEqual({ kind: 'NotStored' });
      await stage.vault.destroy(token.id);
      expect(await stage.tokenSale(token, 1_000)).toMatchObject({ rejection: { code: 'TokenNotFound' } });
      expect(stage.chargedTotal()).toBe(0);
    });

    /** A token as a bank form would have made it, written down by hand. */
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
            merchantId: stage.merchant.id,
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
      const cause = { merchantId: stage.merchant.id, actor: { type: 'System', name: 'test' } } as const;
      await stage.memory.append({
        stream: tokenStream(root),
        expected: 'none',
        events: toNewEvents(tokenCodec, events, cause, stage.clock),
      });
      return tokenId;
    }
  });

  it('goes on as it was decided where the token is removed meanwhile', async () => {
    const token = await stage.storedCard();
    let removal: Promise<unknown> = Promise.resolve();
    stage.crash.runAt('before-send', () => (removal = remove(token.id)));
    const { operation } = requireAnswered(await stage.tokenSale(token, 1_000));
    await removal;
    expect(operation.progress).toEqual({ status: 'Approved', amount: 1_000 });
    expect((await stage.token(token.id)).status).toBe('Removed');
  });

  it.each(['after-request', 'after-send', 'after-answer', 'before-outcome'] as const)(
    'is finished by the resolver without the card, where it dies %s and the token is removed',
    async (point) => {
      const token = await stage.storedCard();
      stage.crash.crashAt(point);
      await expect(stage.tokenSale(token, 1_000)).rejects.toThrow(Crashed);
      stage.start();
      requireAnsweredToken(await remove(token.id));
      const opened = stage.vault.calls.filter((call) => call.startsWith('openStored')).length;
      await stage.untilResolved(3);
      const { events } = await stage.memory.readAll({ categories: ['payment'] });
      const { progress } = await stage.operation(String(events[0]?.data['operationId']));
      expect(progress.status).toBe(point === 'after-request' ? 'NotExecuted' : 'Approved');
      expect(stage.chargedTotal()).toBe(point === 'after-request' ? 0 : 1_000);
      expect(stage.vault.calls.filter((call) => call.startsWith('openStored'))).toHaveLength(opened);
    },
  );

  it('begins one sale under one idempotency key', async () => {
    const token = await stage.storedCard();
    const begin = () => stage.useCases.payments.idempotency.start(stage.merchant.id, 'k', 'f');
    const starts = await Promise.all([begin(), begin()]);
    const kinds = await Promise.all(
      starts.map(async (start) => {
        if (start.kind !== 'New') throw new Error(start.kind);
        const request = { amount: 1_000, paymentMethodId: token.id };
        return (await stage.useCases.payments.tokenSale(stage.context(start.ticket), request)).kind;
      }),
    );
    expect(kinds.sort()).toEqual(['Answered', 'KeyTaken']);
    expect(await begin()).toMatchObject({ kind: 'FromHistory', result: { kind: 'Answered' } });
    expect(stage.chargedTotal()).toBe(1_000);
  });
});
