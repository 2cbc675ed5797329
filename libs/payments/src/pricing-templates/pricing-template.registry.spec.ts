import { pricingTemplatesStream, templateInEffect } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import { Provisioning } from '../operators/provisioning.js';
import { noReadModels } from '../read-model-write-through/write-through.js';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { ManualClock } from '../testing/payments.setup.js';
import {
  PricingTemplateRegistry,
  PricingTemplateRejected,
  type NewPricing,
  type PricingDecision,
} from './pricing-template.registry.js';

const actor = { type: 'Operator', name: 'Ada' } as const;
const PRICING: NewPricing = {
  name: 'Retail',
  rules: [{ feeType: 'Markup', rateBps: 30, fixedAmount: 10 }],
  ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
};
const NOBODY = 'mer_01JQ0000000000000000000000';

async function setUp() {
  const store = new MemoryEventStore();
  const clock = new ManualClock();
  const provisioning = new Provisioning({ store, clock, readModels: noReadModels });
  const settings = {
    ...{ name: 'Maple Street Books', timeZone: 'America/New_York', cutOff: '22:00', locale: 'en-US' },
    ...{ currencies: ['USD' as const], fundingType: 'Net' as const, managedWebhooks: true },
    unreferencedRefunds: { enabled: false },
  };
  const { id: merchantId } = await provisioning.createMerchant(actor, settings);
  const { id: otherId } = await provisioning.createMerchant(actor, settings);
  const registry = new PricingTemplateRegistry({ store, clock });
  const submit = (pricing: Partial<NewPricing> = {}, commandId?: string, of = merchantId) =>
    registry.submit({ actor, merchantId: of, commandId }, { ...PRICING, ...pricing });
  const decide = (id: string, decision: PricingDecision, commandId?: string) =>
    registry.decide({ actor, commandId }, id, { decision, reason: 'as agreed' });
  const events = async () => (await store.readStream(pricingTemplatesStream(merchantId) ?? '')).events;
  return { clock, registry, merchantId, otherId, submit, decide, events };
}

async function rejectionOf(change: Promise<unknown>): Promise<string> {
  const error: unknown = await change.catch((thrown: unknown) => thrown);
  if (error instanceof PricingTemplateRejected) return error.rejection.code;
  throw new Error(`it was not rejected: ${String(error)}`);
}

describe('The pricing templates of a merchant', () => {
  it('are its versions, found by the merchant and by their own id, and stored with the actor’s name', async () => {
    const { registry, merchantId, otherId, submit, decide, events } = await setUp();
    const first = await submit();
    const second = await submit({ name: 'Online' });
    const approved = await decide(second.template.id, 'Approve');
    expect(approved).toMatchObject({
      merchantId,
      template: { version: 2, name: 'Online', status: 'Approved', reason: 'as agreed' },
    });
    expect((await registry.load(merchantId)).templates).toEqual([first.template, approved.template]);
    expect((await registry.load(otherId)).templates).toEqual([]);
    expect((await events()).map((event) => eventMetadata(event))).toMatchObject(
      Array(3).fill({ actor, merchantId }),
    );
  });

  it('begin at their submission if nothing else is said', async () => {
    const { clock, registry, merchantId, submit, decide } = await setUp();
    const { template } = await submit();
    expect(template.validFrom).toBe(template.createdAt);
    await decide(template.id, 'Approve');
    const now = new Date(clock.now()).toISOString();
    expect(templateInEffect(await registry.load(merchantId), now)?.id).toBe(template.id);
  });

  it('change once by a repeated command', async () => {
    const { submit, decide, events } = await setUp();
    const { template } = await submit({}, 'first');
    const again = await submit({}, 'first');
    expect(again.template).toEqual(template);
    const approved = await decide(template.id, 'Approve', 'second');
    expect(await decide(template.id, 'Approve', 'second')).toEqual(approved);
    expect(await events()).toHaveLength(2);
  });

  it('are decided once by two operators at the same time', async () => {
    const { submit, decide, events } = await setUp();
    const { template } = await submit();
    const decisions = await Promise.allSettled([
      decide(template.id, 'Approve'),
      decide(template.id, 'Reject'),
    ]);
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await events()).toHaveLength(2);
  });

  it('get different versions from submissions at the same time', async () => {
    const { submit } = await setUp();
    const made = await Promise.all([submit(), submit(), submit()]);
    expect(made.map(({ template }) => template.version).sort()).toEqual([1, 2, 3]);
  });

  it('of an unknown merchant, or with an unknown id, are not found', async () => {
    const { submit, decide } = await setUp();
    await submit();
    expect(await rejectionOf(submit({}, undefined, NOBODY))).toBe('MerchantNotFound');
    expect(await rejectionOf(submit({}, undefined, 'nobody'))).toBe('MerchantNotFound');
    for (const id of ['nothing', 'prt_01JQ0000000000000000000001'])
      expect(await rejectionOf(decide(id, 'Approve'))).toBe('TemplateNotFound');
    const { template } = await submit();
    const next = `${template.id.slice(0, -1)}${Number(template.id.at(-1)) + 1}`;
    expect(await rejectionOf(decide(next, 'Reject'))).toBe('TemplateNotFound');
  });
});
