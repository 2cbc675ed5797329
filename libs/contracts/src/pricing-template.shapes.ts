export const FEE_TYPES = ['Interchange', 'Scheme', 'Markup'] as const;
export type FeeType = (typeof FEE_TYPES)[number];

/** Ways in which a payment is made; a rule of a pricing template can be for one of them. */
export const PRICING_CHANNELS = ['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft'] as const;
export type PricingChannel = (typeof PRICING_CHANNELS)[number];

export const PRICING_TEMPLATE_STATUSES = ['Submitted', 'Approved', 'Rejected'] as const;
export type PricingTemplateStatus = (typeof PRICING_TEMPLATE_STATUSES)[number];

export interface PricingRule {
  feeType: FeeType;
  /** Hundredths of a percent. */
  rateBps: number;
  /** In the smallest unit of the payment's currency. */
  fixedAmount: number;
  /** Absent: every channel. */
  channel?: PricingChannel;
  /** Absent: every card type, and bank payments. */
  cardType?: string;
}

/** The prices of a merchant from a time on (`docs/spec/operators.md#pricing-templates`). */
export interface PricingTemplate {
  /** `prt_…`. */
  id: string;
  merchantId: string;
  /** From 1, in the order of submission. */
  version: number;
  name: string;
  rules: PricingRule[];
  monthlyFee: number;
  returnFee: number;
  chargebackFee: number;
  validFrom: string;
  status: PricingTemplateStatus;
  /** Of the approval or rejection. */
  reason?: string;
  createdAt: string;
  updatedAt: string;
}
