import type { AvsResult, CardType, CvvResult } from '@tillstream/domain';
import type { HostCode } from './acquirer.types.js';
import { HOST_CODE } from './host-codes.table.js';

export interface SandboxCard {
  readonly number: string;
  readonly type: CardType;
  readonly funding?: 'Credit' | 'Debit';
  /** Left out: the card is approved. */
  readonly declines?: HostCode;
  /** Default Y. Only of requests without a terminal, like `cvv` (default M). */
  readonly avs?: AvsResult;
  readonly cvv?: CvvResult;
  /** Where the card is valid. Left out: everywhere. A terminal does not take a `Form` card. */
  readonly only?: 'Terminal' | 'Form';
  /** The card pays, but can't be stored: its verification is declined. */
  readonly unstorable?: true;
}

const credit = (type: CardType, number: string): SandboxCard => ({ number, type, funding: 'Credit' });
const visa = (number: string, rest?: Partial<SandboxCard>) => ({ ...credit('VISA', number), ...rest });

/** Any other number is an invalid card. Any expiry date in the future and any CVV are valid. */
export const CARDS: readonly SandboxCard[] = [
  visa('4242424242424242'),
  visa('4000056655665556', { funding: 'Debit' }),
  credit('MASTERCARD', '5555555555554444'),
  credit('AMEX', '378282246310005'),
  credit('DISCOVER', '6011111111111117'),
  credit('DINERS', '3056930009020004'),
  credit('JCB', '3566002020360505'),
  credit('UNIONPAY', '6200000000000005'),
  { number: '6759649826438453', type: 'MAESTRO', funding: 'Debit' },
  { number: '4506440000000009', type: 'INTERAC', funding: 'Debit', only: 'Terminal' },

  visa('4000000000000002', { declines: HOST_CODE.Declined }),
  visa('4000000000009995', { declines: HOST_CODE.InsufficientFunds }),
  visa('4000000000000069', { declines: HOST_CODE.CardExpired }),
  visa('4100000000000019', { declines: HOST_CODE.FraudSuspected }),
  visa('4000000000000119', { declines: HOST_CODE.IssuerUnavailable }),
  visa('4000000000000127', { declines: HOST_CODE.InvalidCard, cvv: 'N' }),

  visa('4000000000000101', { cvv: 'N' }),
  visa('4000000000000010', { avs: 'N' }),
  visa('4000000000000028', { avs: 'Z' }),
  visa('4000000000000036', { avs: 'A' }),
  visa('4000000000000044', { avs: 'U' }),

  visa('4000000000006918', { only: 'Form', declines: HOST_CODE.IssuerUnavailable }),
  visa('4000000000006926', { only: 'Form', declines: HOST_CODE.NoToken }),

  // Cards of the 3-D Secure table; here only their response at the acquirer.
  visa('4000000000003220'),
  visa('4000000000003063'),
  credit('MASTERCARD', '5200000000003076'),
  visa('4000008400001629', { declines: HOST_CODE.Declined }),
  visa('4000008400001280'),
  visa('4000000000003055'),
  visa('4000000000003089'),
  credit('MASTERCARD', '5200000000003084'),
];

export const DEFAULT_TERMINAL_CARD = '4242424242424242';
/** The expiry date of every card at a terminal, MMYY. */
export const TERMINAL_CARD_EXPIRY = '1234';

export const CARDS_BY_NUMBER: ReadonlyMap<string, SandboxCard> = new Map(
  CARDS.map((card) => [card.number, card]),
);

/** Files store this unique id of type and last four digits instead of the card number. */
export function cardId(card: SandboxCard): string {
  return `${card.type} ${card.number.slice(-4)}`;
}

export const CARDS_BY_ID: ReadonlyMap<string, SandboxCard> = new Map(
  CARDS.map((card) => [cardId(card), card]),
);

/** The last four digits stay readable. */
export function maskedNumber(number: string): string {
  return '*'.repeat(Math.max(0, number.length - 4)) + number.slice(-4);
}

/** The chip's application id; cards of types without an entry are swiped. */
export const APPLICATION_IDS: Partial<Record<CardType, string>> = {
  VISA: 'A0000000031010',
  MASTERCARD: 'A0000000041010',
  AMEX: 'A00000002501',
  DISCOVER: 'A0000001523010',
  DINERS: 'A0000001523010',
  JCB: 'A0000000651010',
  UNIONPAY: 'A000000333010102',
  MAESTRO: 'A0000000043060',
  INTERAC: 'A0000002771010',
};
