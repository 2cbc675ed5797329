import type { AvsResult, CvvResult } from '@tillstream/domain';
import type { SandboxCard } from './cards.table.js';

/** By ZIP or postal code, for any approving card. */
export const AVS_BY_ZIP: Readonly<Record<string, AvsResult>> = {
  '99901': 'E',
  '99902': 'R',
  '99903': 'S',
  '99904': 'G',
  '99905-0005': 'W',
  '99906-0006': 'X',
};

/** By the first three digits of the CVV, for any approving card (AMEX: with a 0 after them). */
export const CVV_BY_DIGITS: Readonly<Record<string, CvvResult>> = { '981': 'P', '982': 'S', '983': 'U' };

export function avsResult(card: SandboxCard, zipCode: string | undefined): AvsResult {
  const byZip = zipCode === undefined || card.declines ? undefined : AVS_BY_ZIP[zipCode];
  return byZip ?? card.avs ?? 'Y';
}

/** Undefined without a CVV: a stored card has none. */
export function cvvResult(card: SandboxCard, cvv: string | undefined): CvvResult | undefined {
  if (cvv === undefined) return undefined;
  const digits = card.type === 'AMEX' && cvv.length === 4 && cvv.endsWith('0') ? cvv.slice(0, 3) : cvv;
  return (card.declines ? undefined : CVV_BY_DIGITS[digits]) ?? card.cvv ?? 'M';
}
