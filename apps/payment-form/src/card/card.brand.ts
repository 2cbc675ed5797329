import creditCardType from 'credit-card-type';

export interface CardBrand {
  /** Such as `visa`; undefined while the first digits fit several brands, or none that is known. */
  readonly id: string | undefined;
  readonly name: string;
  /** Numbers of digits that a card number can have. */
  readonly lengths: readonly number[];
  /** Numbers of digits before each space. */
  readonly gaps: readonly number[];
  readonly securityCodeLength: number;
}

/** A card of a brand that the library does not know may still be accepted: the service decides. */
const UNKNOWN: CardBrand = {
  id: undefined,
  name: '',
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  gaps: [4, 8, 12, 16],
  securityCodeLength: 3,
};

/** @param digits the first ones, or all */
export function brandOf(digits: string): CardBrand {
  const [candidate, ...others] = digits === '' ? [] : creditCardType(digits);
  if (!candidate || others.length > 0) return UNKNOWN;
  return {
    id: candidate.type,
    name: candidate.niceType,
    lengths: candidate.lengths,
    gaps: candidate.gaps,
    securityCodeLength: candidate.code.size,
  };
}
