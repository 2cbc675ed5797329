import { type PaymentEvent, type AttemptOutcome } from '@tillstream/domain';
import {
  approved,
  at,
  byForm,
  later,
  ofSale,
  outcome,
  requested,
  sale,
  second,
  presentedResult,
  terminal,
  attemptRequested,
} from './transaction.result.testing.js';

describe('A result', () => {
  it('has equal bytes for an equal history', () => {
    const events = [requested(), attemptRequested(), ...approved];
    expect(JSON.stringify(presentedResult(events))).toBe(
      JSON.stringify(presentedResult(structuredClone(events))),
    );
  });

  it('leaves out absent fields', () => {
    expect(JSON.stringify(presentedResult([requested()]))).not.toMatch(/null|undefined/);
    expect(Object.keys(presentedResult([requested()]))).toEqual([
      'id',
      'referenceId',
      'type',
      'status',
      'resultCode',
      'resultText',
      'amount',
      'currency',
      'transactionResponses',
      'paymentMethod',
      'createdAt',
      'updatedAt',
    ]);
  });

  it('of a follow-up shows the card of the payment, its original, and how a refund is executed', () => {
    const refund: PaymentEvent = {
      type: 'RefundRequested',
      data: {
        at,
        operationId: second,
        commandId: 'c2',
        referenceId: 'r',
        amount: 400,
        originalOperationId: sale,
        executedAs: 'Void',
      },
    };
    expect(presentedResult([requested(), attemptRequested(), ...approved, refund], second)).toMatchObject({
      type: 'Refund',
      amount: 400,
      originalTransactionId: sale,
      executedAs: 'Void',
      paymentMethod: { cardType: 'VISA', maskedCardNumber: '************4242' },
    });
  });

  it('has its batch', () => {
    const batched: PaymentEvent = { type: 'Batched', data: { ...ofSale, batchId: 'bat_1', amount: 1_000 } };
    expect(presentedResult([requested(), attemptRequested(), ...approved, batched])).toMatchObject({
      batchId: 'bat_1',
      updatedAt: later,
    });
  });

  it('has the 3-D Secure facts, but never at a terminal', () => {
    const threeDs = { status: 'Authenticated', eci: '05' } as const;
    const withFacts = (channel: AttemptOutcome['channel']): PaymentEvent => ({
      type: 'Declined',
      data: { ...outcome({ responseCode: 10, channel, threeDs }), resultCode: 0 },
    });
    expect(presentedResult([byForm, attemptRequested(), withFacts('CardNotPresent')]).threeDs).toEqual(
      threeDs,
    );
    expect(
      presentedResult([requested(), attemptRequested(), withFacts('CardPresent')]).threeDs,
    ).toBeUndefined();
  });

  it('has no 3-D Secure facts of an earlier attempt while a challenge is open', () => {
    const failed: PaymentEvent = {
      type: 'Declined',
      data: { ...outcome({ responseCode: 17, threeDs: { status: 'Failed' } }), resultCode: 6800 },
    };
    const challenge = { challengeId: 'c', redirectUrl: '/acs', expiresAt: later, threeDsServer: 'sandbox' };
    const opened: PaymentEvent = { type: 'ChallengeOpened', data: { ...ofSale, try: 2, ...challenge } };
    const result = presentedResult([byForm, attemptRequested(), failed, attemptRequested(2), opened]);
    expect(result.threeDsChallenge).toBeDefined();
    expect(result.threeDs).toBeUndefined();
  });

  it('never shows sealed personal data', () => {
    const personal = { keyId: 'k', iv: 'iv', ciphertext: 'secret' };
    expect(
      JSON.stringify(presentedResult([requested({ paymentMethod: { ...terminal, personal } })])),
    ).not.toContain('secret');
  });

  it('does not exist for an unknown operation, or the service’s own', () => {
    expect(() => presentedResult([requested()], second)).toThrow(RangeError);
  });
});
