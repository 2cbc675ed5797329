import type { FeeType, PricingRule } from '../pricing-template/index.js';
import type { CardType, Channel } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';

/* Fees of settled items (`docs/spec/settlement.md#fee-charges`). Integers only. */

/** The order of the lines. */
export const FEE_TYPES: readonly FeeType[] = ['Interchange', 'Scheme', 'Markup'];

/** Storage: part of `PageSettled`. `amount` = `rateBps` of the settled amount, half-even, plus `fixedAmount`. */
export interface FeeLine {
  readonly type: FeeType;
  readonly rateBps: number;
  readonly fixedAmount: Cents;
  readonly amount: Cents;
}

/** What the rules look at. A bank payment has no card type. */
export interface PricedPayment {
  readonly channel: Channel;
  readonly cardType?: CardType;
  /** The settled amount, positive cents. */
  readonly amount: Cents;
}

const BPS_OF_WHOLE = 10_000;

/**
 * One line for each fee type that a rule fits, in the order of `FEE_TYPES`. Of each type the most specific rule counts:
 * channel and card type, then card type alone, then channel alone, then neither. Card type before channel, because
 * interchange and scheme fees follow the card. Of two equal rules the first counts.
 */
export function feeLines(rules: readonly PricingRule[], payment: PricedPayment): FeeLine[] {
  return FEE_TYPES.flatMap((type) => {
    const rule = mostSpecific(
      rules.filter(({ feeType }) => feeType === type),
      payment,
    );
    if (!rule) return [];
    const { rateBps, fixedAmount } = rule;
    return [{ type, rateBps, fixedAmount, amount: shareOf(payment.amount, rateBps) + fixedAmount }];
  });
}

function mostSpecific(rules: readonly PricingRule[], payment: PricedPayment): PricingRule | undefined {
  let best: PricingRule | undefined;
  for (const rule of rules) {
    if (fits(rule, payment) && (!best || specificity(rule) > specificity(best))) best = rule;
  }
  return best;
}

function fits({ channel, cardType }: PricingRule, payment: PricedPayment): boolean {
  return (
    (channel === undefined || channel === payment.channel) &&
    (cardType === undefined || cardType === payment.cardType)
  );
}

function specificity({ channel, cardType }: PricingRule): number {
  return (cardType === undefined ? 0 : 2) + (channel === undefined ? 0 : 1);
}

/**
 * `rateBps` hundredths of a percent of an amount in cents, rounded half-even to the cent. The product of the greatest
 * amount and rate is below 2^53, so it is exact. @throws RangeError for a negative amount or a product that is not exact
 */
export function shareOf(amount: Cents, rateBps: number): Cents {
  const product = amount * rateBps;
  if (!Number.isSafeInteger(product) || product < 0) {
    throw new RangeError(`${rateBps} bps of ${amount} can not be calculated exactly`);
  }
  const rest = product % BPS_OF_WHOLE;
  const whole = (product - rest) / BPS_OF_WHOLE;
  const half = BPS_OF_WHOLE / 2;
  const roundsUp = rest > half || (rest === half && whole % 2 === 1);
  return roundsUp ? whole + 1 : whole;
}
