import { FEE_TYPES, PRICING_CHANNELS, type FeeType, type PricingChannel } from '@tillstream/contracts';
import {
  isBankChannel,
  MAX_AMOUNT,
  MAX_PRICING_NAME_LENGTH,
  MAX_PRICING_RULES,
  MAX_RATE_BPS,
  type CardType,
  type Channel,
} from '@tillstream/domain';
import type { NewPricing } from '@tillstream/payments';
import { DefaultsHere, Described, RequestSchema } from '../../openapi/request.schema.js';
import { CARD_TYPE } from '../../payment-methods/payment-method.responses.js';
import { Instant, Integer, NestedList, OneOf, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { boundOf } from '../../validation/instant.js';

const CARD_TYPES = CARD_TYPE.enum as readonly CardType[];

const CARD_CHANNELS = PRICING_CHANNELS.filter((channel) => !isBankChannel(channel));

const NoCardOfBank = (): PropertyDecorator =>
  field({
    allowed: 'no card type with channel Ach or Eft: a bank payment has no card',
    fits: (_value, { channel }) => !isBankChannel(channel as Channel),
    objectSchema: {
      dependentSchemas: { cardType: { properties: { channel: { enum: CARD_CHANNELS } } } },
    },
  });

const RULE_DEFAULTS = { rateBps: 0, fixedAmount: 0 };

@RequestSchema('NewPricingRule', 'A fee of each payment that it fits.')
@DefaultsHere<PricingRuleDto>(RULE_DEFAULTS)
class PricingRuleDto {
  @Described('Who gets the fee.', 'Markup')
  @OneOf(FEE_TYPES, { required: true })
  feeType!: FeeType;
  @Described('The part of the settled amount, in hundredths of a percent.', 30)
  @Integer(0, MAX_RATE_BPS)
  rateBps?: number;
  @Described('Added to it, in the smallest unit of the payment’s currency.', 10)
  @Integer(0, MAX_AMOUNT)
  fixedAmount?: number;
  @Described('How the payment is made. Left out: in any way.', 'CardPresent')
  @OneOf(PRICING_CHANNELS)
  channel?: PricingChannel;
  @Described('The brand or kind of the card. Left out: any, and bank payments.', 'VISA')
  @OneOf(CARD_TYPES)
  @NoCardOfBank()
  cardType?: CardType;
}

const FEE_DEFAULTS = { monthlyFee: 0, returnFee: 0, chargebackFee: 0 };

@RequestSchema(
  'NewPricingTemplate',
  'The prices of a merchant. Each combination of fee type, channel and card type has one rule.',
)
@DefaultsHere<NewPricingTemplateDto>(FEE_DEFAULTS)
export class NewPricingTemplateDto {
  @Described('A name for people.', 'Retail 2026')
  @Text(MAX_PRICING_NAME_LENGTH, { required: true })
  name!: string;
  @Described(
    'Of each fee type, the most specific rule that fits a payment counts. Left out: no fee of payments.',
  )
  @NestedList(PricingRuleDto, MAX_PRICING_RULES)
  rules?: PricingRuleDto[];
  @Described('For each month, in cents.', 995)
  @Integer(0, MAX_AMOUNT)
  monthlyFee?: number;
  @Described('For each return of a bank payment, in cents.', 500)
  @Integer(0, MAX_AMOUNT)
  returnFee?: number;
  @Described('For each chargeback, in cents.', 1_500)
  @Integer(0, MAX_AMOUNT)
  chargebackFee?: number;
  @Described('When it begins. Left out: now.', '2026-09-01T00:00:00.000Z')
  @Instant()
  validFrom?: string;
}

export function newPricing({ name, rules = [], validFrom, ...fees }: NewPricingTemplateDto): NewPricing {
  const from = validFrom === undefined ? undefined : boundOf(validFrom);
  return {
    name,
    rules: rules.map((rule) => ({ ...RULE_DEFAULTS, ...rule })),
    ...FEE_DEFAULTS,
    ...fees,
    ...(from !== undefined && { validFrom: from }),
  };
}
