import {
  evolveMerchantApplication,
  evolvePricingTemplates,
  LIFECYCLE_EVENT_TYPES,
  noMerchantApplication,
  noPricingTemplates,
  pricingTemplateId,
  type MerchantApplication,
  type MerchantApplicationEvent,
  type PricingTemplateEvent,
  type PricingTemplates,
} from '@tillstream/domain';
import { webhookEventOfApplication, webhookEventOfPricing } from './lifecycle.events.js';
import { applicationContent, BODY_BYTES_LIMIT, pricingContent, webhookBody } from './webhook.body.js';
import type { WebhookEvent } from './webhook.events.js';

const AT = '2026-03-01T12:00:00.000Z';
const MERCHANT = 'mer_01JQ0000000000000000000000';
const APPLICATION = 'app_01JQ0000000000000000000000';
const templateId = pricingTemplateId(MERCHANT, 1);
/** As long as the API lets a text be, in characters of four bytes. */
const longest = (characters: number): string => '💳'.repeat(characters);

const started: MerchantApplicationEvent = {
  type: 'MerchantApplicationStarted',
  data: { at: AT, applicationId: APPLICATION },
};
const submitted: MerchantApplicationEvent = { type: 'MerchantApplicationSubmitted', data: { at: AT } };
const proposed: PricingTemplateEvent = {
  type: 'PricingTemplateSubmitted',
  data: {
    ...{ at: AT, merchantId: MERCHANT, templateId, version: 1, name: 'Retail', rules: [], validFrom: AT },
    ...{ monthlyFee: 0, returnFee: 0, chargebackFee: 0 },
  },
};

function ofApplication(
  ...events: MerchantApplicationEvent[]
): [WebhookEvent | undefined, MerchantApplication] {
  const state = events.reduce(evolveMerchantApplication, noMerchantApplication);
  return [webhookEventOfApplication(MERCHANT, events.at(-1) as MerchantApplicationEvent, state), state];
}
function ofPricing(...events: PricingTemplateEvent[]): [WebhookEvent | undefined, PricingTemplates] {
  const state = events.reduce(evolvePricingTemplates, noPricingTemplates);
  return [webhookEventOfPricing(events.at(-1) as PricingTemplateEvent, state), state];
}

const STEPS: readonly (readonly MerchantApplicationEvent[])[] = [
  [started],
  [started, { type: 'MerchantApplicationInfoUploaded', data: { at: AT } }],
  [started, { type: 'MerchantApplicationRequiresAction', data: { at: AT, requiredActions: ['Sign'] } }],
  [started, submitted],
  [started, submitted, { type: 'MerchantApplicationStatusChanged', data: { at: AT, status: 'UnderReview' } }],
  [started, submitted, { type: 'MerchantApproved', data: { at: AT } }],
  [started, submitted, { type: 'MerchantRejected', data: { at: AT, reason: 'No.' } }],
];
const DECISIONS: readonly PricingTemplateEvent[] = [
  { type: 'PricingTemplateApproved', data: { at: AT, templateId, reason: 'as agreed' } },
  { type: 'PricingTemplateRejected', data: { at: AT, templateId } },
];

describe('The events of a merchant’s life cycle', () => {
  it('are all of the catalog, one for each step and decision; a submitted template sends none', () => {
    const made = [
      ...STEPS.map((events) => ofApplication(...events)[0]),
      ...DECISIONS.map((event) => ofPricing(proposed, event)[0]),
    ];
    expect(made.map((event) => event?.type)).toEqual(LIFECYCLE_EVENT_TYPES);
    for (const [index, event] of made.entries())
      expect(event).toMatchObject({
        subjectId: index < STEPS.length ? APPLICATION : templateId,
        merchantId: MERCHANT,
        timestamp: AT,
      });
    expect(ofPricing(proposed)[0]).toBeUndefined();
  });

  it('have the application or the template in place of a transaction', () => {
    const facts = { eventId: 'evt_1', timestamp: AT, merchantId: MERCHANT, sequence: 7 };
    const event = { id: 'evt_1', timestamp: AT, merchantId: MERCHANT, sequence: 7 };
    const [, rejected] = ofApplication(...(STEPS[6] ?? []));
    const type = 'merchant.rejected';
    const body = webhookBody({ ...facts, type }, applicationContent(rejected));
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({
      event: { ...event, type },
      merchantApplication: { id: APPLICATION, status: 'Rejected', reason: 'No.' },
    });
    const [, approved] = ofPricing(proposed, DECISIONS[0] as PricingTemplateEvent);
    const ofTemplate = webhookBody(
      { ...facts, type: 'pricing_template.approved' },
      pricingContent(approved, templateId),
    );
    expect(JSON.parse(Buffer.from(ofTemplate).toString())).toEqual({
      event: { ...event, type: 'pricing_template.approved' },
      pricingTemplate: { id: templateId, name: 'Retail', status: 'Approved', reason: 'as agreed' },
    });
  });

  it('are below 20 kB with the longest texts that a step can have', () => {
    const [made, state] = ofApplication(started, {
      type: 'MerchantApplicationRequiresAction',
      data: {
        ...{ at: AT, reason: longest(500) },
        requiredActions: Array.from({ length: 20 }, () => longest(200)),
      },
    });
    if (!made) throw new Error('it sent nothing');
    const body = webhookBody(
      { ...made, eventId: `evt_${'0'.repeat(26)}`, sequence: 1e9 },
      applicationContent(state),
    );
    expect(body.length).toBeGreaterThan(18_000);
    expect(body.length).toBeLessThan(BODY_BYTES_LIMIT);
  });

  it('are about what exists', () => {
    expect(() => applicationContent(noMerchantApplication)).toThrow(RangeError);
    expect(() => pricingContent(noPricingTemplates, templateId)).toThrow(RangeError);
    expect(() => pricingContent(ofPricing(proposed)[1], templateId)).toThrow(RangeError);
  });
});
