export type { IncomingEvent, StoredEvent, WebhookInbox } from './inbox/inbox.js';
export * from './inbox/memory.inbox.js';
export * from './inbox/postgres.inbox.js';
export * from './inbox/sqlite.inbox.js';
export type { WebhookHandler } from './receiver/inbox.worker.js';
export * from './receiver/webhook.middleware.js';
export * from './receiver/webhook.receiver.js';
export * from './signature/payload.js';
export { isLegacySecret, isManagedSecret, newLegacySecret, newManagedSecret } from './signature/secrets.js';
export { signLegacy, signManaged, type BodyBytes, type ManagedMessage } from './signature/sign.js';
export { LEGACY_HEADER, type WebhookHeaders } from './signature/headers.js';
export * from './signature/verify.js';
export * from './webhook.errors.js';
export type {
  MerchantApplicationEventType,
  MerchantApplicationWebhook,
  PricingTemplateEventType,
  PricingTemplateWebhook,
  TokenEventType,
  TransactionEventType,
  TransactionResult,
  TransactionWebhook,
  WebhookEvent,
  WebhookEventType,
  WebhookPayload,
} from '@tillstream/contracts';
