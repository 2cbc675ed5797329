import { ResponseCode } from '@tillstream/domain';

/** Reason codes of a bank (NACHA) and our response codes. Any other code is a decline. */
export const BANK_RESPONSE_CODES: Readonly<Record<string, ResponseCode>> = {
  /** Insufficient funds, uncollected funds. */
  R01: ResponseCode.InsufficientFunds,
  R09: ResponseCode.InsufficientFunds,
  /** Account closed, unknown, invalid number, no account for such payments. */
  R02: ResponseCode.InvalidPaymentInfo,
  R03: ResponseCode.InvalidPaymentInfo,
  R04: ResponseCode.InvalidPaymentInfo,
  R20: ResponseCode.InvalidPaymentInfo,
};
