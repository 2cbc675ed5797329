import { givenBy } from '../../shared/testing/given-when-then.testing.js';
import {
  foldPricingTemplates,
  pricingTemplateId,
  type Pricing,
  type PricingTemplateEvent,
} from '../pricing-template.js';

export const given = givenBy(foldPricingTemplates);

export const MERCHANT = 'mer_01JQ0000000000000000000000';

/** Minutes after noon. */
export const minutes = (count: number): string =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + count * 60_000).toISOString();

export const templateId = (version: number): string => pricingTemplateId(MERCHANT, version);

export const PRICING: Pricing = {
  name: 'Retail',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 30, fixedAmount: 5, channel: 'CardPresent', cardType: 'VISA' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 25, channel: 'Ach' },
  ],
  monthlyFee: 995,
  returnFee: 500,
  chargebackFee: 1_500,
  validFrom: minutes(0),
};

export const submitted = (version: number, pricing: Partial<Pricing> = {}): PricingTemplateEvent => ({
  type: 'PricingTemplateSubmitted',
  data: {
    ...{ at: minutes(0), merchantId: MERCHANT, templateId: templateId(version), version },
    ...PRICING,
    ...pricing,
  },
});

export const approved = (version: number): PricingTemplateEvent => ({
  type: 'PricingTemplateApproved',
  data: { at: minutes(1), templateId: templateId(version) },
});

export const rejected = (version: number): PricingTemplateEvent => ({
  type: 'PricingTemplateRejected',
  data: { at: minutes(1), templateId: templateId(version), reason: 'Too cheap.' },
});
