import type { FormProgress } from '@tillstream/contracts';
import { formSession } from '../testing/sessions.fixture.js';
import { declineReason, mayTryAgain } from './decline.reason.js';
import { endingOf, messageTypeOf } from './form.end.js';

type Row = readonly [Partial<FormProgress>, string | undefined, string | undefined];
const rows: readonly Row[] = [
  [{ status: 'Pending', resultCode: 1010 }, undefined, undefined],
  [{ status: 'Pending', resultCode: 6900, responseCode: 10 }, undefined, undefined],
  [{ status: 'Completed', resultCode: 0, responseCode: 1 }, 'approved', 'completed'],
  [{ status: 'Completed', resultCode: 0, responseCode: 2 }, 'partlyApproved', 'completed'],
  [{ status: 'Processing', resultCode: 0, responseCode: 57 }, 'processing', 'completed'],
  [{ status: 'Completed', resultCode: 6900, responseCode: 10 }, 'declined', 'failed'],
  [{ status: 'Completed', resultCode: 0, responseCode: 50 }, 'notProcessed', 'failed'],
  [{ status: 'Completed', resultCode: 6901, responseCode: 50 }, 'notProcessed', 'failed'],
  [{ status: 'Completed', resultCode: 6800, responseCode: 17 }, 'declined', 'failed'],
  [{ status: 'Completed', resultCode: 6801, responseCode: 50 }, 'notProcessed', 'failed'],
  [{ status: 'Completed', resultCode: 0 }, 'declined', 'failed'],
  [
    { status: 'Pending', resultCode: 4100, threeDsChallenge: { redirectUrl: 'https://acs.example/' } },
    undefined,
    undefined,
  ],
  [{ status: 'Cancelled', resultCode: 55 }, 'cancelled', 'cancelled'],
  [{ status: 'Cancelled', resultCode: 9998, responseCode: 50 }, 'notProcessed', 'cancelled'],
  [{ status: 'Expired', resultCode: 3010 }, 'expired', 'failed'],
  [{ status: 'Interrupted', resultCode: 9999, responseCode: 0 }, 'unknown', 'failed'],
];

describe('The end of a form', () => {
  it.each(rows)('%j is %s, and the parent gets "%s"', (progress, ending, message) => {
    const session = formSession(progress);
    expect(endingOf(session)).toBe(ending);
    expect(messageTypeOf(session)).toBe(message);
  });
});

describe('A failed attempt', () => {
  it.each([
    [6900, 10, 'declined'],
    [6900, 11, 'insufficientFunds'],
    [6900, 12, 'cardExpired'],
    [6900, 13, 'declined'],
    [6900, 14, 'wrongDetails'],
    [6900, 15, 'limitExceeded'],
    [6900, 16, 'notAuthenticated'],
    [6900, 18, 'cardNotAllowed'],
    [6901, 50, 'serviceFailed'],
    [6902, 0, 'serviceFailed'],
    [6800, 17, 'notAuthenticated'],
    [6801, 50, 'verificationUnavailable'],
    [6802, 16, 'notEnrolled'],
  ])('with the codes %i and %i says "%s"', (resultCode, responseCode, reason) => {
    expect(declineReason({ resultCode, responseCode })).toBe(reason);
    expect(mayTryAgain({ status: 'Pending', resultCode })).toBe(true);
  });

  it('is none while the form waits for its first attempt, or is over', () => {
    expect(mayTryAgain({ status: 'Pending', resultCode: 1010 })).toBe(false);
    expect(mayTryAgain({ status: 'Completed', resultCode: 6900 })).toBe(false);
  });
});
