import type { PricingTemplate } from '@tillstream/contracts';
import { pick, type PricingTemplate as StoredTemplate } from '@tillstream/domain';

export function pricingTemplateShape(merchantId: string, template: StoredTemplate): PricingTemplate {
  return {
    id: template.id,
    merchantId,
    ...pick(template, 'version', 'name'),
    rules: template.rules.map((rule) => ({ ...rule })),
    ...pick(template, 'monthlyFee', 'returnFee', 'chargebackFee', 'validFrom', 'status', 'reason'),
    ...pick(template, 'createdAt', 'updatedAt'),
  };
}
