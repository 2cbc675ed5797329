import type { FormResult } from '@tillstream/payments';
import { ApiError } from '../http/api.error.js';
import { progressOf } from './form.responses.js';

const operationId = 'trx_01K4Q0V7M3T8ZC5YB2X9WDEP00';

/** `500 3203 Rejected`: status, code and execution status of the error. */
function errorOf(result: FormResult, isRepeatable = false): string {
  try {
    progressOf(result, isRepeatable);
    return 'none';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { http, code, status, errorDetails } = error;
    return [http, code, status, ...errorDetails.map(({ details }) => details)].join(' ');
  }
}

describe('The error of a call of a form', () => {
  it.each<[FormResult, string]>([
    [{ kind: 'Unknown' }, '404 3201 Rejected'],
    [{ kind: 'Spent' }, '400 3201 Rejected'],
    [{ kind: 'Expired' }, '400 3205 Rejected'],
    [{ kind: 'SubmissionInFlight' }, '409 3401 Rejected'],
    [{ kind: 'Contended' }, '409 3401 Rejected'],
    [{ kind: 'Disabled' }, '401 1001 Rejected'],
    [{ kind: 'NoProcessor' }, '400 2013 Rejected'],
    [{ kind: 'CardNotStored' }, '500 3203 Rejected'],
    [{ kind: 'NotStored' }, '500 9000 Rejected'],
    [{ kind: 'NotSent', operationId }, `500 9000 Rejected ${operationId}`],
    [{ kind: 'Interrupted', operationId }, `500 3000 Interrupted ${operationId}`],
  ])('of %o is %s', (result, expected) => {
    expect(errorOf(result)).toBe(expected);
  });

  it('says that nothing happened only if no earlier call can have been executed', () => {
    expect(errorOf({ kind: 'NotStored' }, true)).toBe('500 3000 Interrupted');
  });
});
