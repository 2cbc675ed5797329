import type {
  MerchantApplication,
  MerchantApplicationEvent,
  PricingTemplateEvent,
  PricingTemplates,
  WebhookEventType,
} from '@tillstream/domain';
import type { WebhookEvent } from './webhook.events.js';

/* The webhook events of a merchant's life cycle (`docs/spec/webhooks.md#event-catalog`). */

const APPLICATION_EVENT: Readonly<Record<MerchantApplicationEvent['type'], WebhookEventType>> = {
  MerchantApplicationStarted: 'merchant.application.started',
  MerchantApplicationInfoUploaded: 'merchant.application.info_uploaded',
  MerchantApplicationRequiresAction: 'merchant.application.requires_action',
  MerchantApplicationSubmitted: 'merchant.application.submitted',
  MerchantApplicationStatusChanged: 'merchant.application.status_changed',
  MerchantApproved: 'merchant.approved',
  MerchantRejected: 'merchant.rejected',
};

/** Of each type of a pricing template's events; undefined: it sends none. */
const PRICING_EVENT: Readonly<Record<PricingTemplateEvent['type'], WebhookEventType | undefined>> = {
  PricingTemplateSubmitted: undefined,
  PricingTemplateApproved: 'pricing_template.approved',
  PricingTemplateRejected: 'pricing_template.rejected',
};

/** Every step of an application sends one. `merchantId`: of its stream. */
export function webhookEventOfApplication(
  merchantId: string,
  { type, data }: MerchantApplicationEvent,
  after: MerchantApplication,
): WebhookEvent | undefined {
  if (after.phase === 'NotStarted') return undefined;
  return { type: APPLICATION_EVENT[type], subjectId: after.id, merchantId, timestamp: data.at };
}

/** A decision sends one, a submission none. */
export function webhookEventOfPricing(
  { type, data }: PricingTemplateEvent,
  { merchantId }: PricingTemplates,
): WebhookEvent | undefined {
  const sent = PRICING_EVENT[type];
  if (sent === undefined || merchantId === undefined) return undefined;
  return { type: sent, subjectId: data.templateId, merchantId, timestamp: data.at };
}
