/* Fees by another calculation than the service's: `BigInt`, and a search in the order of the rules' specificity. */

export interface PricedItem {
  readonly channel: string;
  readonly cardType: string | undefined;
  readonly amount: number;
}

export interface ExpectedRule {
  readonly feeType: string;
  readonly rateBps: number;
  readonly fixedAmount: number;
  readonly channel?: string;
  readonly cardType?: string;
}

export interface ExpectedLine {
  readonly type: string;
  readonly rateBps: number;
  readonly fixedAmount: number;
  readonly amount: number;
}

const FEE_TYPES = ['Interchange', 'Scheme', 'Markup'] as const;
const WHOLE_BPS = 10_000n;

export function expectedFeeLines(
  rules: readonly ExpectedRule[],
  { channel, cardType, amount }: PricedItem,
): readonly ExpectedLine[] {
  const wanted = [
    { channel, cardType },
    { channel: undefined, cardType },
    { channel, cardType: undefined },
    { channel: undefined, cardType: undefined },
  ];
  return FEE_TYPES.flatMap((type) => {
    const rule = wanted
      .map((want) =>
        rules.find(
          (one) => one.feeType === type && one.channel === want.channel && one.cardType === want.cardType,
        ),
      )
      .find((one) => one !== undefined);
    if (!rule) return [];
    const { rateBps, fixedAmount } = rule;
    return [{ type, rateBps, fixedAmount, amount: halfEven(amount, rateBps) + fixedAmount }];
  });
}

/** A rate of an amount in cents, rounded half-even. */
function halfEven(amount: number, rateBps: number): number {
  const product = BigInt(amount) * BigInt(rateBps);
  const below = product / WHOLE_BPS;
  const doubledRest = 2n * (product % WHOLE_BPS);
  const isUp = doubledRest > WHOLE_BPS || (doubledRest === WHOLE_BPS && below % 2n === 1n);
  return Number(isUp ? below + 1n : below);
}
