import { isResponseCode, ResponseCode } from '@tillstream/domain';
import { BANK_RESPONSE_CODES } from './bank-codes.table.js';

/** ISO 8583 response codes and ours. Any other code is a decline. */
const RESPONSE_CODES: Readonly<Record<string, ResponseCode>> = {
  ...BANK_RESPONSE_CODES,
  '00': ResponseCode.Approved,
  '10': ResponseCode.PartialApproved,
  '05': ResponseCode.Declined,
  '51': ResponseCode.InsufficientFunds,
  '54': ResponseCode.CardExpired,
  '59': ResponseCode.FraudSuspected,
  '14': ResponseCode.InvalidPaymentInfo,
  '61': ResponseCode.LimitExceeded,
  '65': ResponseCode.VerificationRequired,
  '55': ResponseCode.AuthenticationFailed,
  '57': ResponseCode.PolicyViolation,
  '91': ResponseCode.NetworkError,
};

/**
 * Maps a host code to our response code; `G` and a number is ours already. If the code and `approved` contradict each
 * other, `approved` decides.
 */
export function toResponseCode(hostCode: string, approved: boolean): ResponseCode {
  const own = /^G(\d+)$/.exec(hostCode)?.[1];
  const code = own === undefined ? RESPONSE_CODES[hostCode] : Number(own);
  if (code === undefined || !isResponseCode(code)) return ResponseCode.Declined;
  const approves = code === ResponseCode.Approved || code === ResponseCode.PartialApproved;
  if (approves === approved) return code;
  return approved ? ResponseCode.Approved : ResponseCode.Declined;
}
