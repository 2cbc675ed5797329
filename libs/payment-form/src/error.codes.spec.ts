import { ErrorCode } from '@tillstream/contracts';
import { PaymentFormError, PaymentFormErrorCode } from './error.codes.js';

describe('The codes of the script', () => {
  it('are all codes from 6000 to 6999 of the contracts, with their names', () => {
    const sdk = Object.entries(ErrorCode).filter(([, code]) => code >= 6_000 && code < 7_000);
    expect(Object.entries(PaymentFormErrorCode)).toEqual(sdk);
  });

  it('name their error', () => {
    const error = new PaymentFormError(6100, 'too late');
    expect(error).toMatchObject({ code: 6100, name: 'SdkSessionLoadFailed', message: 'too late' });
    expect(String(error)).toBe('SdkSessionLoadFailed: too late');
  });
});
