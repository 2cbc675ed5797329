import type { FormProgress } from '@tillstream/contracts';

/** Why an attempt failed, as far as the customer can do something about it. */
export type DeclineReason =
  | 'declined'
  | 'insufficientFunds'
  | 'cardExpired'
  | 'wrongDetails'
  | 'limitExceeded'
  | 'notAuthenticated'
  | 'verificationUnavailable'
  | 'notEnrolled'
  | 'cardNotAllowed'
  | 'serviceFailed';

/** By `docs/spec/codes.md#response-codes`. Suspected fraud has no text of its own: a thief must not learn it. */
const BY_RESPONSE_CODE: Readonly<Record<number, DeclineReason>> = {
  11: 'insufficientFunds',
  12: 'cardExpired',
  14: 'wrongDetails',
  15: 'limitExceeded',
  16: 'notAuthenticated',
  17: 'notAuthenticated',
  18: 'cardNotAllowed',
  50: 'serviceFailed',
  51: 'serviceFailed',
  52: 'cardNotAllowed',
  53: 'serviceFailed',
};

/** By `docs/spec/codes.md#result-codes`. */
const BY_RESULT_CODE: Readonly<Record<number, DeclineReason>> = {
  6800: 'notAuthenticated',
  6801: 'verificationUnavailable',
  6802: 'notEnrolled',
  6901: 'serviceFailed',
  6902: 'serviceFailed',
};
const FAILED_ATTEMPT_CODES: ReadonlySet<number> = new Set([6800, 6801, 6802, 6900, 6901, 6902]);

export function declineReason({
  resultCode,
  responseCode,
}: Pick<FormProgress, 'resultCode'> & {
  readonly responseCode?: number | undefined;
}): DeclineReason {
  return BY_RESULT_CODE[resultCode] ?? BY_RESPONSE_CODE[responseCode ?? 0] ?? 'declined';
}

/** The newest attempt failed, and the customer may try again. */
export function mayTryAgain({ status, resultCode }: Pick<FormProgress, 'status' | 'resultCode'>): boolean {
  return status === 'Pending' && FAILED_ATTEMPT_CODES.has(resultCode);
}
