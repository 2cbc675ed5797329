import type {
  CardType,
  Cents,
  Channel,
  FeeType,
  Pricing,
  PricingRule,
  PricingTemplateEvent,
} from '@tillstream/domain';
import type { ItemType } from './payment.items.js';

/*
 * Fees once more, from the templates' own events (`docs/spec/settlement.md#fee-charges`). In big integers, so that the
 * rounding shares nothing with the calculation of `libs/domain`.
 */

export type TemplateRecord = PricingTemplateEvent & {
  /** Orders all events of the store. */
  readonly place: number;
};

export interface TemplateInEffect extends Pricing {
  readonly templateId: string;
}

/**
 * The template that gives the fees at a cut-off: the approved one with the latest `validFrom` up to then, of several the
 * latest version. `before`: approvals from this place on were not known yet.
 */
export function templateAt(
  records: readonly TemplateRecord[],
  cutOffAt: string,
  before: number,
): TemplateInEffect | undefined {
  const approved = new Set(
    records
      .filter(({ type, place }) => type === 'PricingTemplateApproved' && place < before)
      .map(({ data }) => data.templateId),
  );
  const candidates = records
    .flatMap((record) => (record.type === 'PricingTemplateSubmitted' ? [record.data] : []))
    .filter(
      ({ templateId, validFrom }) =>
        approved.has(templateId) && Date.parse(validFrom) <= Date.parse(cutOffAt),
    )
    .sort((a, b) => Date.parse(b.validFrom) - Date.parse(a.validFrom) || b.version - a.version);
  return candidates[0];
}

export interface CalculatedFee {
  readonly source: 'Transaction' | 'Return' | 'Chargeback';
  /** The sum of the lines, cents. */
  readonly amount: Cents;
  readonly lines: readonly CalculatedLine[];
}

export interface CalculatedLine {
  readonly type: FeeType;
  readonly rateBps: number;
  readonly fixedAmount: Cents;
  readonly amount: Cents;
}

export interface PricedItem {
  readonly type: ItemType;
  readonly channel: Channel;
  readonly cardType?: CardType | undefined;
  /** Signed cents, as it was settled. */
  readonly amount: Cents;
}

const FEE_TYPES: readonly FeeType[] = ['Interchange', 'Scheme', 'Markup'];

/** Undefined if the item costs nothing: a refund, no template, or no rule that fits. */
export function calculateFee(
  template: TemplateInEffect | undefined,
  item: PricedItem,
): CalculatedFee | undefined {
  if (!template) return undefined;
  if (item.type === 'Return') return flatFee('Return', template.returnFee);
  if (item.type === 'Chargeback') return flatFee('Chargeback', template.chargebackFee);
  if (item.type !== 'Sale' && item.type !== 'Capture') return undefined;
  const lines = FEE_TYPES.flatMap((type) => {
    const rule = ruleFor(template.rules, type, item);
    return rule ? [lineOf(rule, item.amount)] : [];
  });
  if (lines.length === 0) return undefined;
  return { source: 'Transaction', amount: lines.reduce((sum, { amount }) => sum + amount, 0), lines };
}

function flatFee(source: CalculatedFee['source'], fee: Cents): CalculatedFee | undefined {
  if (fee === 0) return undefined;
  return { source, amount: fee, lines: [{ type: 'Markup', rateBps: 0, fixedAmount: fee, amount: fee }] };
}

/** Looks for the most specific rule first: both, card type, channel, neither. Of equal ones the first counts. */
function ruleFor(
  rules: readonly PricingRule[],
  feeType: FeeType,
  { channel, cardType }: PricedItem,
): PricingRule | undefined {
  const wanted: readonly (readonly [Channel | undefined, CardType | undefined])[] = [
    ...(cardType
      ? ([
          [channel, cardType],
          [undefined, cardType],
        ] as const)
      : []),
    [channel, undefined],
    [undefined, undefined],
  ];
  for (const [ofChannel, ofCard] of wanted) {
    const found = rules.find(
      (rule) => rule.feeType === feeType && rule.channel === ofChannel && rule.cardType === ofCard,
    );
    if (found) return found;
  }
  return undefined;
}

function lineOf({ feeType, rateBps, fixedAmount }: PricingRule, amount: Cents): CalculatedLine {
  return { type: feeType, rateBps, fixedAmount, amount: halfEven(amount, rateBps) + fixedAmount };
}

/** `rateBps` / 10,000 of an amount, rounded half-even to the cent. */
function halfEven(amount: Cents, rateBps: number): Cents {
  const exact = BigInt(amount) * BigInt(rateBps);
  const floor = exact / 10_000n;
  const doubledRest = (exact - floor * 10_000n) * 2n;
  const isOdd = (floor & 1n) === 1n;
  const up = doubledRest > 10_000n || (doubledRest === 10_000n && isOdd);
  return Number(up ? floor + 1n : floor);
}
