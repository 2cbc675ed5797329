import type { MerchantApplication } from './merchant-application.shapes.js';
import type { PricingTemplate } from './pricing-template.shapes.js';
import type { TransactionResult } from './transaction.result.js';

/** Types of the events about operations (`docs/spec/webhooks.md#event-catalog`). */
export const TRANSACTION_EVENT_TYPES = [
  'sale.completed',
  'auth.completed',
  'capture.completed',
  'refund.completed',
  'void.completed',
] as const;

export const TOKEN_EVENT_TYPES = ['token.created', 'token.updated', 'token.removed'] as const;

/** Delivered to managed endpoints only. */
export const MERCHANT_APPLICATION_EVENT_TYPES = [
  'merchant.application.started',
  'merchant.application.info_uploaded',
  'merchant.application.requires_action',
  'merchant.application.submitted',
  'merchant.application.status_changed',
  'merchant.approved',
  'merchant.rejected',
] as const;

/** Delivered to managed endpoints only. */
export const PRICING_TEMPLATE_EVENT_TYPES = [
  'pricing_template.approved',
  'pricing_template.rejected',
] as const;

/** Sent only to an endpoint that names the type: `*` does not contain it. */
export const OPT_IN_EVENT_TYPES = ['payment.returned'] as const;

export type TransactionEventType = (typeof TRANSACTION_EVENT_TYPES)[number];
export type TokenEventType = (typeof TOKEN_EVENT_TYPES)[number];
export type MerchantApplicationEventType = (typeof MERCHANT_APPLICATION_EVENT_TYPES)[number];
export type PricingTemplateEventType = (typeof PRICING_TEMPLATE_EVENT_TYPES)[number];
export type OptInEventType = (typeof OPT_IN_EVENT_TYPES)[number];

/** Every `event.type` of this version. */
export type WebhookEventType =
  | TransactionEventType
  | TokenEventType
  | MerchantApplicationEventType
  | PricingTemplateEventType
  | OptInEventType;

interface EventFacts<Type extends string> {
  /** `evt_…`, the same on every attempt, replay, endpoint and method. */
  id: string;
  type: Type;
  /** When the operation happened; RFC 3339, UTC. */
  timestamp: string;
  /** `mer_…` */
  merchantId: string;
}

/** A test event has no `sequence`; every other event has one, counted from 1 per merchant. */
export type WebhookEvent<Type extends string = WebhookEventType> =
  | (EventFacts<Type> & { sequence: number; test?: never })
  | (EventFacts<Type> & { sequence?: never; test: true });

export interface TransactionWebhook {
  event: WebhookEvent<TransactionEventType | TokenEventType | OptInEventType>;
  originalResponse: TransactionResult;
}

export type MerchantApplicationStatus =
  'Started' | 'InfoUploaded' | 'RequiresAction' | 'Submitted' | 'Approved' | 'Rejected';

export interface MerchantApplicationWebhook {
  event: WebhookEvent<MerchantApplicationEventType>;
  merchantApplication: Omit<MerchantApplication, 'status'> & {
    /** Of `merchant.application.status_changed`: the status that was given, which can be any text. */
    status: MerchantApplicationStatus | (string & {});
  };
}

export interface PricingTemplateWebhook {
  event: WebhookEvent<PricingTemplateEventType>;
  pricingTemplate: Pick<PricingTemplate, 'id' | 'name' | 'reason'> & { status: 'Approved' | 'Rejected' };
}

/** The JSON body of a delivery (`docs/spec/webhooks.md#payload`). */
export type WebhookPayload = TransactionWebhook | MerchantApplicationWebhook | PricingTemplateWebhook;
