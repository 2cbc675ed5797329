import type { ThreeDsFacts, ThreeDsStatus } from '@tillstream/domain';
import { randomBytes, randomUUID } from 'node:crypto';

/** What the simulated 3-D Secure server does with a card. */
export interface ThreeDsCard {
  readonly status: ThreeDsStatus;
  readonly eci?: string;
  /** The status is that of a challenge which the cardholder passes. */
  readonly isChallenged?: true;
  /** The issuer returns the transaction id of 3DS1 too. */
  readonly hasXid?: true;
}

/** By card number. Any other card is `Authenticated` without a challenge. */
export const THREE_DS_CARDS: ReadonlyMap<string, ThreeDsCard> = new Map<string, ThreeDsCard>([
  ['4000000000003220', { status: 'Authenticated', isChallenged: true }],
  ['4000000000003063', { status: 'Attempted', eci: '06' }],
  ['5200000000003076', { status: 'Attempted', eci: '01' }],
  ['4000008400001629', { status: 'Authenticated', isChallenged: true }],
  ['4000008400001280', { status: 'Unavailable' }],
  ['4000000000003055', { status: 'NotEnrolled' }],
  ['4000000000003089', { status: 'NotAuthenticated', eci: '07' }],
  ['5200000000003084', { status: 'NotAuthenticated', eci: '00', hasXid: true }],
]);

export const PASSING_CODE = '123456';

/** Mastercard and Maestro number their ECI values differently from all other schemes. */
const MASTERCARD_OR_MAESTRO = /^(?:5|2[2-7]|6[37])/;

const CARD_AUTHENTICATION_FAILED = {
  threeDReasonId: '01',
  threeDReason: 'Card authentication failed',
} as const;
const TIMED_OUT_AT_ACS = {
  threeDReasonId: '14',
  threeDReason: 'Transaction timed out at the ACS',
} as const;

export function threeDsCard(number: string): ThreeDsCard {
  return THREE_DS_CARDS.get(number) ?? { status: 'Authenticated' };
}

/** The facts of a card's authentication, after a passed challenge if it has one. */
export function authenticationFacts(number: string): ThreeDsFacts {
  const { status, eci, hasXid } = threeDsCard(number);
  if (status === 'Unavailable' || status === 'NotEnrolled') return { status };
  const isProved = status === 'Authenticated' || status === 'Attempted';
  return {
    status,
    eci: eci ?? (MASTERCARD_OR_MAESTRO.test(number) ? '02' : '05'),
    ...(isProved && { cavv: proof() }),
    ...(hasXid && { xid: proof() }),
    dsTransId: randomUUID(),
  };
}

/** The facts of a challenge that the cardholder failed or left alone. */
export function failedFacts(passed: ThreeDsFacts, isTimedOut: boolean): ThreeDsFacts {
  const reason = isTimedOut ? TIMED_OUT_AT_ACS : CARD_AUTHENTICATION_FAILED;
  return {
    status: 'Failed',
    ...(passed.dsTransId !== undefined && { dsTransId: passed.dsTransId }),
    ...reason,
  };
}

/** 20 bytes in base64, 28 characters. */
function proof(): string {
  return randomBytes(20).toString('base64');
}
