import { isReturnCode, RETURN_REASONS } from '../bank/return-codes.table.js';
import type { HostCode } from './acquirer.types.js';

export const HOST_CODE = {
  Approved: '00',
  Declined: '05',
  PartialApproved: '10',
  /** The amount exceeds the open amount of the original. */
  InvalidAmount: '13',
  InvalidCard: '14',
  InsufficientFunds: '51',
  CardExpired: '54',
  IncorrectPin: '55',
  NotPermitted: '57',
  FraudSuspected: '59',
  IssuerUnavailable: '91',
  NoToken: 'G0',
  RecordNotFound: 'G20',
  AlreadyVoided: 'G21',
  NotSupported: 'G52',
  Annulled: 'G54',
  CustomerCancelled: 'G55',
  TookTooLong: 'G56',
  Submitted: 'G57',
} as const satisfies Record<string, HostCode>;

const TEXTS: Record<HostCode, string> = {
  '00': 'APPROVED',
  '05': 'DO NOT HONOR',
  '10': 'PARTIAL APPROVAL',
  '13': 'INVALID AMOUNT',
  '14': 'INVALID CARD NUMBER',
  '51': 'INSUFFICIENT FUNDS',
  '54': 'EXPIRED CARD',
  '55': 'INCORRECT PIN',
  '57': 'TRANSACTION NOT PERMITTED',
  '59': 'SUSPECTED FRAUD',
  '61': 'EXCEEDS LIMIT',
  '65': 'VERIFICATION REQUIRED',
  '91': 'ISSUER UNAVAILABLE',
  G0: 'NO TOKEN',
  G20: 'RECORD NOT FOUND',
  G21: 'ALREADY VOIDED',
  G50: 'NETWORK ERROR',
  G52: 'NOT SUPPORTED',
  G53: 'BUSY',
  G54: 'CANCELLED',
  G55: 'CANCELLED BY CUSTOMER',
  G56: 'TIMED OUT',
  G57: 'SUBMITTED TO THE BANK',
};

export function hostText(code: HostCode): string {
  if (isReturnCode(code)) return RETURN_REASONS[code].toUpperCase();
  return TEXTS[code] ?? (code.startsWith('G') ? `GATEWAY CODE ${code.slice(1)}` : 'DECLINED');
}
