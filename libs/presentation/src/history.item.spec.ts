import { paymentCodec, tokenCodec, type PaymentEvent, type TokenEvent } from '@tillstream/domain';
import { historyItem } from './history.item.js';
import { tokenRequested, created, personal, stored, tokenId } from './token-operation.result.testing.js';
import { charged } from './transaction.result.testing.js';

const at = '2026-08-03T12:00:00.000Z';
const item = (event: PaymentEvent | TokenEvent) =>
  historyItem({ sequence: 3, event, actor: { type: 'ApiKey', name: 'Till' }, traceId: 't' });

describe('A history item', () => {
  it('has sequence, type, time, actor, trace and the public data', () => {
    const event: PaymentEvent = {
      type: 'SaleRequested',
      data: {
        at,
        operationId: 'trx_1',
        commandId: 'secret-command',
        referenceId: 'order-1',
        amount: 1_000,
        merchantId: 'mer_1',
        currency: 'USD',
        channel: 'CardNotPresent',
        paymentMethod: {
          id: 'pmt_vrt_1',
          type: 'Virtual',
          currency: 'USD',
          personal: { keyId: 'k', iv: 'i', ciphertext: 'secret-person' },
        },
        form: {
          sessionHash: 'secret-session',
          expiresAt: at,
          returnUrl: 'https://secret.example',
          useJavaScriptCallback: true,
          billingInfoCaptureLevel: 'Full',
          enable3DSecure: false,
          piiFields: [],
        },
      },
    };
    expect(item(event)).toEqual({
      sequence: 3,
      type: 'SaleRequested',
      timestamp: at,
      actor: { type: 'ApiKey', name: 'Till' },
      traceId: 't',
      data: {
        transactionId: 'trx_1',
        referenceId: 'order-1',
        amount: 1_000,
        currency: 'USD',
        channel: 'CardNotPresent',
        paymentMethod: { id: 'pmt_vrt_1', type: 'Virtual', currency: 'USD' },
      },
    });
    expect(JSON.stringify(item(event))).not.toContain('secret');
  });

  it('never shows ids of commands, accounts or challenges, for any event type', () => {
    for (const type of [...paymentCodec.types, ...tokenCodec.types]) {
      const inner = {
        commandId: 'secret',
        processorAccount: 'secret',
        challengeId: 'secret',
        redirectUrl: 'secret',
      };
      const data = { at, operationId: 'trx_1', ...inner, corrected: { ciphertext: 'secret' }, personal };
      expect(JSON.stringify(item({ type, data } as unknown as PaymentEvent))).not.toContain('secret');
    }
  });

  it('of a stored card has the token’s id and payment method', () => {
    expect(item(tokenRequested).data).toMatchObject({
      transactionId: tokenRequested.data.operationId,
      paymentMethodId: tokenId,
    });
    const { personal: _sealed, ...token } = stored;
    expect(item(created).data).toMatchObject({ paymentMethod: charged, token });
    expect(JSON.stringify([tokenRequested, created].map(item))).not.toContain('secret');
  });

  it('of a consent has version, language and text of the authorization, and nothing of its giver', () => {
    const terms = { version: '2026-11', language: 'fr', text: 'J’autorise un débit.' } as const;
    const personal = { keyId: 'secret', iv: 'secret', ciphertext: 'secret' };
    const data = { at, operationId: 'trx_1', try: 1, ...terms, personal } as const;
    for (const type of ['ConsentGiven', 'StorageConsentGiven'] as const)
      expect(item({ type, data })).toMatchObject({
        timestamp: at,
        data: { transactionId: 'trx_1', try: 1, ...terms },
      });
    expect(JSON.stringify(item({ type: 'ConsentGiven', data }))).not.toContain('secret');
  });

  it('of a removal names the erased account holder', () => {
    const removal: TokenEvent = {
      type: 'TokenRemoved',
      data: { at, operationId: 'trx_1', commandId: 'c', referenceId: 'r', erasedHolderId: 'acc_1' },
    };
    expect(item(removal).data).toEqual({
      transactionId: 'trx_1',
      referenceId: 'r',
      erasedAccountHolderId: 'acc_1',
    });
  });
});
