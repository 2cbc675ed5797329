import { resultText } from '@tillstream/contracts';
import { ResponseCode, type AvsResult, type CvvResult, type ThreeDsStatus } from '@tillstream/domain';
import * as s from '../openapi/response.schema.js';

/*
 * Closed sets of `docs/spec/codes.md#card-types`, `docs/spec/three-d-secure.md#result`,
 * `docs/spec/codes.md#result-codes` and `docs/spec/codes.md#response-codes`, with what they mean.
 */

const RESULT_CODES = [
  0, 55, 1003, 1005, 1010, 3000, 3002, 3005, 3006, 3009, 3010, 3011, 3012, 3013, 3014, 3020, 4001, 4100, 6800,
  6801, 6802, 6900, 6901, 6902, 9998, 9999,
];

/** Not closed: a terminal may send a code that is not in this list. */
export const RESULT_CODE = s.integer(
  'The result of the request. 0 means that the request succeeded, not that money moved: check each `responseCode`.\n\n' +
    `| Value | Meaning |\n|---|---|\n${RESULT_CODES.map((one) => `| ${one} | ${resultText(one)} |`).join('\n')}`,
  0,
  { minimum: 0 },
);

const RESPONSES: Readonly<Record<keyof typeof ResponseCode, string>> = {
  Unknown: 'Not known.',
  Approved: 'Approved.',
  PartialApproved: 'Approved for less than the requested amount.',
  Declined: 'Declined by the issuer, the bank or the terminal.',
  InsufficientFunds: 'Insufficient funds.',
  CardExpired: 'The card has expired.',
  FraudSuspected: 'Fraud is suspected.',
  InvalidPaymentInfo: 'For example an invalid card number.',
  LimitExceeded: 'For example the credit limit.',
  VerificationRequired: 'Extra verification is required.',
  AuthenticationFailed: 'Wrong PIN, or the authentication failed.',
  PolicyViolation: 'Terms or policy of the gateway were violated.',
  BatchEmpty: 'The batch to process is empty.',
  RecordNotFound: 'The record was not found, for example by a void.',
  AlreadyVoided: 'It was voided already.',
  NetworkError: 'Network error.',
  InvalidEcrParameter: 'An error of the terminal or its system.',
  NotSupported: 'Not supported.',
  BusyOrUnavailable: 'Terminal, app or system are busy.',
  Cancelled: 'Cancelled by user or merchant.',
  UserCancelled: 'Cancelled by the user.',
  TimedOutOnUserInput: 'The user did not act in time.',
  Pending: 'The outcome is not known yet.',
};

const named = Object.entries(RESPONSES) as [keyof typeof ResponseCode, string][];

export const RESPONSE_CODE = s.code(
  'The response of issuer, bank or terminal. 1 and 2 are approvals; a declined sale is a successful request.',
  named.map(([name, meaning]) => [ResponseCode[name], meaning] as const),
  ResponseCode.Approved,
);

export const AVS_RESULT = s.choice<AvsResult>('Address verification; informational.', {
  A: 'Address matches, ZIP does not.',
  E: 'Ineligible transaction.',
  N: 'Neither address nor ZIP matches.',
  R: 'Retry: the system was unavailable or timed out.',
  S: 'Not supported by the card type.',
  U: 'Address information unavailable.',
  G: 'Address information unavailable, international.',
  W: 'Nine-digit ZIP matches, address does not.',
  X: 'Exact match: nine-digit ZIP and address.',
  Y: 'Address and five-digit ZIP match.',
  Z: 'Five-digit ZIP matches, address does not.',
});

export const CVV_RESULT = s.choice<CvvResult>('Check of the card verification value; informational.', {
  M: 'Match.',
  N: 'No match.',
  P: 'Not processed.',
  S: 'It should be on the card, but the merchant says that it is not.',
  U: 'The issuer is unregistered.',
});

export const THREE_DS_STATUS = s.choice<ThreeDsStatus>('The outcome of the authentication.', {
  Authenticated: 'Fully authenticated, frictionless or after a challenge.',
  Attempted: 'The issuer attempted the authentication.',
  NotAuthenticated: 'Completed, and the cardholder was not authenticated.',
  Failed: 'The issuer rejected it; the transaction was declined.',
  Unavailable: 'A technical issue kept it from completing.',
  NotEnrolled: 'The card is not enrolled.',
});
