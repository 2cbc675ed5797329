import type * as contracts from '@tillstream/contracts';
import { readMessage, type FormMessage } from './form.message.js';

const ending = {
  source: 'payment-form',
  type: 'completed',
  transactionId: 'trx_1',
  referenceId: 'ref_1',
  status: 'Completed',
  resultCode: 0,
};

describe('A message of the form', () => {
  it('has the shape that the contracts name', () => {
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    const isSame: Same<Required<FormMessage>, Required<contracts.FormMessage>> = true;
    const [there, back]: [FormMessage, contracts.FormMessage] = [
      {} as contracts.FormMessage,
      {} as FormMessage,
    ];
    expect([isSame, there, back]).toEqual([true, {}, {}]);
  });

  it.each([
    ['an ending', ending],
    ['an ending with a response', { ...ending, type: 'failed', responseCode: 11 }],
    ['a cancellation', { ...ending, type: 'cancelled', status: 'Cancelled', resultCode: 55 }],
    ['a height', { source: 'payment-form', type: 'resize', height: 512.5 }],
    ['an error', { source: 'payment-form', type: 'error', code: 6300, transactionId: 'trx_1' }],
    ['an ending of a later version', { ...ending, receipt: 'new' }],
  ])('is read: %s', (_what, message) => {
    expect(readMessage(message)).toBe(message);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'payment-form'],
    ['of another source', { ...ending, source: 'other' }],
    ['without a source', { type: 'resize', height: 10 }],
    ['of an unknown type', { ...ending, type: 'paid' }],
    ['an ending without its transaction', { ...ending, transactionId: undefined }],
    ['an ending with an empty reference', { ...ending, referenceId: '' }],
    ['an ending with a text for a code', { ...ending, resultCode: '0' }],
    ['an ending with a broken response code', { ...ending, responseCode: 1.5 }],
    ['an error without a code', { source: 'payment-form', type: 'error' }],
    [
      'an error with a code that the script does not have',
      { source: 'payment-form', type: 'error', code: 3203 },
    ],
    ['a height of no size', { source: 'payment-form', type: 'resize', height: 0 }],
    ['a height that is no number', { source: 'payment-form', type: 'resize', height: Number.NaN }],
    ['an endless height', { source: 'payment-form', type: 'resize', height: Infinity }],
    ['a height as text', { source: 'payment-form', type: 'resize', height: '10px' }],
  ])('is ignored: %s', (_what, message) => {
    expect(readMessage(message)).toBeUndefined();
  });
});
