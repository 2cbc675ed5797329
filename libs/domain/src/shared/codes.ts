/**
 * Closed sets of `docs/spec/codes.md#card-types`, `docs/spec/codes.md#result-codes` and
 * `docs/spec/codes.md#response-codes`.
 */

export type Currency = 'USD' | 'CAD';

export type CardType =
  | 'UNKNOWN'
  | 'DEBIT'
  | 'VISA'
  | 'MASTERCARD'
  | 'AMEX'
  | 'DINERS'
  | 'DISCOVER'
  | 'JCB'
  | 'UNIONPAY'
  | 'MAESTRO'
  | 'GIFT'
  | 'CASH'
  | 'EBT'
  | 'INTERAC'
  | 'OTHER';

export type AccountType = 'Credit' | 'Debit' | 'Checking' | 'Savings';

export type CvvResult = 'M' | 'N' | 'P' | 'S' | 'U';
export type AvsResult = 'A' | 'E' | 'N' | 'R' | 'S' | 'U' | 'G' | 'W' | 'X' | 'Y' | 'Z';

export type ThreeDsStatus =
  'Authenticated' | 'Attempted' | 'NotAuthenticated' | 'Failed' | 'Unavailable' | 'NotEnrolled';

/** The way a payment is made. It limits the operations: a bank payment has no void. */
export type Channel = 'CardPresent' | 'CardNotPresent' | 'Token' | BankChannel;

export type BankChannel = 'Ach' | 'Eft';

export function isBankChannel(channel: Channel): channel is BankChannel {
  return channel === 'Ach' || channel === 'Eft';
}

export type EntryMode = 'Chip' | 'Contactless' | 'Swipe' | 'Manual' | 'Form' | 'Stored';

/** Response codes: a processor's answer to one attempt. */
export const ResponseCode = {
  Unknown: 0,
  Approved: 1,
  PartialApproved: 2,
  Declined: 10,
  InsufficientFunds: 11,
  CardExpired: 12,
  FraudSuspected: 13,
  InvalidPaymentInfo: 14,
  LimitExceeded: 15,
  VerificationRequired: 16,
  AuthenticationFailed: 17,
  PolicyViolation: 18,
  BatchEmpty: 19,
  RecordNotFound: 20,
  AlreadyVoided: 21,
  NetworkError: 50,
  InvalidEcrParameter: 51,
  NotSupported: 52,
  BusyOrUnavailable: 53,
  Cancelled: 54,
  UserCancelled: 55,
  TimedOutOnUserInput: 56,
  Pending: 57,
} as const;
export type ResponseCode = (typeof ResponseCode)[keyof typeof ResponseCode];

export function isResponseCode(code: number): code is ResponseCode {
  return (Object.values(ResponseCode) as number[]).includes(code);
}

/**
 * Result codes: the result of a request (`docs/spec/codes.md#result-codes`). Terminals use 1xxx, 3xxx, 9998 and 9999.
 */
export const ResultCode = {
  Success: 0,
  CustomerCancelled: 55,
  TerminalBusy: 1003,
  TerminalNotFound: 1005,
  RequestPending: 1010,
  UnexpectedError: 3000,
  TerminalFault: 3005,
  TerminalBatteryLow: 3006,
  TerminalNetwork: 3009,
  TookTooLong: 3010,
  BankTransferProcessing: 4001,
  VerificationRequired: 4100,
  ThreeDsRejected: 6800,
  ThreeDsUnavailable: 6801,
  ThreeDsNotEnrolled: 6802,
  IssuerDeclined: 6900,
  GatewayFailed: 6901,
  NoToken: 6902,
  NotReady: 9998,
  UnknownError: 9999,
} as const;
/** A plain number, since a terminal may send any code. */
export type ResultCode = number;

/** The response code for a terminal's result code (`docs/spec/terminals.md#endings-at-the-terminal`). */
export function responseCodeOfTerminalResult(resultCode: ResultCode): ResponseCode {
  switch (resultCode) {
    case 1003:
      return ResponseCode.BusyOrUnavailable;
    case 1005:
    case 3005:
    case 3006:
      return ResponseCode.InvalidEcrParameter;
    case 3009:
      return ResponseCode.NetworkError;
    case 3010:
      return ResponseCode.TimedOutOnUserInput;
    default:
      return ResponseCode.Unknown;
  }
}
