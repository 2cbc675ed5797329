import type { EndingMessage } from './form.message.js';
import { resultOf } from './form.result.js';

const ended = (type: EndingMessage['type'], rest: Partial<EndingMessage>): EndingMessage => ({
  source: 'payment-form',
  type,
  transactionId: 'trx_1',
  referenceId: 'order-7',
  status: 'Completed',
  resultCode: 0,
  ...rest,
});
const failed = (rest: Partial<EndingMessage>) => {
  const result = resultOf(ended('failed', rest));
  return result.outcome === 'failed' ? [result.error.code, result.error.name] : result;
};

describe('The result of a form', () => {
  it('is the transaction without what only the message needs', () => {
    expect(resultOf(ended('completed', { responseCode: 1, height: 10 }))).toEqual({
      outcome: 'completed',
      transactionId: 'trx_1',
      referenceId: 'order-7',
      status: 'Completed',
      resultCode: 0,
      responseCode: 1,
    });
  });

  it('has no response code if there was no attempt', () => {
    const result = resultOf(ended('cancelled', { status: 'Cancelled', resultCode: 55 }));
    expect(Object.keys(result)).toEqual(['outcome', 'transactionId', 'referenceId', 'status', 'resultCode']);
  });
});

describe('The error of a failed form', () => {
  it.each([
    [6800, 'Sdk3dsAuthenticationFailed'],
    [6801, 'Sdk3dsAuthenticationUnavailable'],
    [6802, 'Sdk3dsNotEnrolled'],
    [6900, 'SdkCardDeclined'],
    [6901, 'SdkCardGatewayError'],
    [6902, 'SdkCardTokenMissing'],
  ])('has the result code of the last attempt: %i', (resultCode, name) => {
    expect(failed({ resultCode, responseCode: 10 })).toEqual([resultCode, name]);
  });

  it('says that the session expired: 6101', () => {
    expect(failed({ status: 'Expired', resultCode: 3010 })).toEqual([6101, 'SdkSessionExpired']);
  });

  it('is the declined attempt, not the expiry after it', () => {
    expect(failed({ resultCode: 6900, responseCode: 11 })).toEqual([6900, 'SdkCardDeclined']);
  });

  it('does not guess an unknown outcome: 6000', () => {
    const result = resultOf(ended('failed', { status: 'Interrupted', resultCode: 9999, responseCode: 0 }));
    expect(result).toMatchObject({ status: 'Interrupted', error: { code: 6000, name: 'SdkGenericError' } });
    expect(result.outcome === 'failed' && result.error.message).toContain('not known yet');
  });

  it.each([
    ['VirtualAch', 6301, 'SdkAchProcessingFailed'],
    ['VirtualEft', 6400, 'SdkEftProcessingFailed'],
  ] as const)('is the processing of the bank payment, of a form with the type %s: %i', (type, code, name) => {
    const rests = [
      { resultCode: 6901, responseCode: 50 },
      { resultCode: 0, responseCode: 14 },
    ];
    for (const rest of rests) expect(failed({ paymentMethodType: type, ...rest })).toEqual([code, name]);
    expect(failed({ paymentMethodType: type, status: 'Expired', resultCode: 3010 })).toEqual([
      6101,
      'SdkSessionExpired',
    ]);
  });

  it('is no failure while a bank decides: the form completed', () => {
    const result = resultOf(ended('completed', { status: 'Processing', resultCode: 0, responseCode: 57 }));
    expect(result).toMatchObject({ outcome: 'completed', status: 'Processing', responseCode: 57 });
  });

  it.each([
    { resultCode: 0, responseCode: 20 },
    { status: 'Cancelled' as const, resultCode: 9998, responseCode: 50 },
  ])('is the processing of the card in every other case: 6203 for %j', (rest) => {
    expect(failed(rest)).toEqual([6203, 'SdkCardProcessingFailed']);
  });
});
