import type {
  MerchantApplicationWebhook,
  PricingTemplateWebhook,
  TransactionWebhook,
  WebhookEventType,
  WebhookPayload,
} from '@tillstream/contracts';
import { WebhookRefusedError } from '../webhook.errors.js';

/**
 * The event of a verified body. Only what a receiver needs to store an event once is checked: other fields are the
 * service's, and it may add fields and types. Throws `WebhookRefusedError` (`PayloadInvalid`).
 */
export function payloadOf(body: Uint8Array): WebhookPayload {
  const payload = jsonOf(body);
  const event = field(payload, 'event');
  const [id, type] = [field(event, 'id'), field(event, 'type')];
  if (typeof id !== 'string' || !/^evt_[A-Za-z0-9_-]{1,100}$/.test(id)) {
    throw new WebhookRefusedError('PayloadInvalid', 'event.id is not the id of an event.');
  }
  if (typeof type !== 'string' || type === '') {
    throw new WebhookRefusedError('PayloadInvalid', 'event.type is not a text.');
  }
  return payload as WebhookPayload;
}

/** True if the payload has one of these types; the compiler then knows its fields. */
export function hasType<Type extends WebhookEventType>(
  payload: WebhookPayload,
  ...types: readonly Type[]
): payload is PayloadOf<Type> {
  return (types as readonly string[]).includes(payload.event.type);
}

/** The payload that an event type has. */
export type PayloadOf<Type extends WebhookEventType> = [Type] extends [TransactionWebhook['event']['type']]
  ? TransactionWebhook
  : [Type] extends [MerchantApplicationWebhook['event']['type']]
    ? MerchantApplicationWebhook
    : [Type] extends [PricingTemplateWebhook['event']['type']]
      ? PricingTemplateWebhook
      : WebhookPayload;

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new WebhookRefusedError('PayloadInvalid', 'The body is not JSON.');
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
