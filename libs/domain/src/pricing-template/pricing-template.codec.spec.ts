import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { pricingTemplateCodec } from './pricing-template.js';

const at = '2026-03-01T12:00:00.000Z';
const templateId = 'prt_01JQ0000000000000000000001';

describe('the stored events of pricing templates', () => {
  codecContract(pricingTemplateCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    PricingTemplateSubmitted: {
      ...{ at, merchantId: 'mer_01JQ0000000000000000000000', templateId, version: 1 },
      name: 'Retail',
      rules: [
        { feeType: 'Interchange', rateBps: 180, fixedAmount: 10, channel: 'CardPresent', cardType: 'VISA' },
      ],
      ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
      validFrom: '2026-04-01T00:00:00.000Z',
    },
    PricingTemplateApproved: { at, templateId, reason: 'As agreed.' },
    PricingTemplateRejected: { at, templateId, reason: 'Too cheap.' },
  });
});
