import { MemoryEventStore } from '@tillstream/event-store';
import { noReadModels, PricingTemplateRegistry, Provisioning } from '@tillstream/payments';
import { provideDemoPricing } from './demo.pricing.js';

const actor = { type: 'Operator', name: 'Ada' } as const;
const clock = { now: () => Date.now(), realNow: () => Date.now(), monotonicNow: () => performance.now() };

async function setUp() {
  const store = new MemoryEventStore();
  const { id: merchantId } = await new Provisioning({
    store,
    clock,
    readModels: noReadModels,
  }).createMerchant(actor, {
    ...{ name: 'Maple Street Books', timeZone: 'America/New_York', cutOff: '22:00', locale: 'en-US' },
    ...{ currencies: ['USD'], fundingType: 'Net', managedWebhooks: true },
    unreferencedRefunds: { enabled: false },
  });
  const registry = new PricingTemplateRegistry({ store, clock });
  const statuses = async () =>
    (await registry.load(merchantId)).templates.map(({ name, status }) => `${name} ${status}`);
  return { registry, merchantId, statuses };
}

describe('The pricing template of the demo merchant', () => {
  it('is approved by the next start if the first one was killed before its approval', async () => {
    const { registry, merchantId, statuses } = await setUp();
    const killed: Pick<PricingTemplateRegistry, 'load' | 'submit' | 'decide'> = {
      load: (id) => registry.load(id),
      submit: (...request) => registry.submit(...request),
      decide: () => Promise.reject(new Error('killed')),
    };
    await expect(provideDemoPricing(killed, merchantId)).rejects.toThrow('killed');
    expect(await statuses()).toEqual(['Standard Submitted']);
    await provideDemoPricing(registry, merchantId);
    expect(await statuses()).toEqual(['Standard Approved']);
  });

  it('is not approved again, nor made beside a template of an operator', async () => {
    const { registry, merchantId, statuses } = await setUp();
    const pricing = { name: 'Retail', rules: [], monthlyFee: 0, returnFee: 0, chargebackFee: 0 };
    await registry.submit({ actor, merchantId }, pricing);
    await provideDemoPricing(registry, merchantId);
    expect(await statuses()).toEqual(['Retail Submitted']);
  });
});
