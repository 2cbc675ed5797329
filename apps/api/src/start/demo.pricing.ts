import type { PricingRule } from '@tillstream/domain';
import type { Actor, NewPricing, PricingTemplateRegistry } from '@tillstream/payments';

const actor: Actor = { type: 'System', name: 'first start' };

const CARD_CHANNELS = ['CardPresent', 'CardNotPresent', 'Token'] as const;

const DEMO_PRICING: NewPricing = {
  name: 'Standard',
  rules: [
    ...CARD_CHANNELS.flatMap((channel): PricingRule[] => [
      { feeType: 'Interchange', rateBps: channel === 'CardPresent' ? 150 : 180, fixedAmount: 10, channel },
      { feeType: 'Scheme', rateBps: 14, fixedAmount: 2, channel },
      { feeType: 'Markup', rateBps: 30, fixedAmount: 10, channel },
    ]),
    // A fixed amount, not a part of the payment.
    { feeType: 'Interchange', rateBps: 0, fixedAmount: 4, channel: 'CardPresent', cardType: 'INTERAC' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 30, channel: 'Ach' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 30, channel: 'Eft' },
  ],
  ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
};

/**
 * Provides the demo merchant's approved pricing template (`docs/spec/service.md#first-start`). Run again it finishes what was
 * begun; what an operator submitted or decided stays.
 */
export async function provideDemoPricing(
  pricingTemplates: Pick<PricingTemplateRegistry, 'load' | 'submit' | 'decide'>,
  merchantId: string,
): Promise<void> {
  const { templates } = await pricingTemplates.load(merchantId);
  const first = templates[0] ?? (await pricingTemplates.submit({ actor, merchantId }, DEMO_PRICING)).template;
  if (first.status === 'Submitted' && first.name === DEMO_PRICING.name)
    await pricingTemplates.decide({ actor }, first.id, { decision: 'Approve' });
}
