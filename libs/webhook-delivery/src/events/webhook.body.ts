import { Buffer } from 'node:buffer';
import type { MerchantApplicationWebhook, PricingTemplateWebhook } from '@tillstream/contracts';
import {
  findPricingTemplate,
  type MerchantApplication,
  type OperationId,
  type PaymentState,
  type PricingTemplates,
  type TokenState,
} from '@tillstream/domain';
import {
  merchantApplicationShape,
  tokenOperationResult,
  transactionResult,
  type PresentedResult,
} from '@tillstream/presentation';
import type { WebhookEvent } from './webhook.events.js';

/** A body has fewer bytes (`docs/spec/webhooks.md#payload`). */
export const BODY_BYTES_LIMIT = 20_000;

export interface BodyFacts extends Pick<WebhookEvent, 'type' | 'timestamp' | 'merchantId'> {
  /** `evt_…`. */
  readonly eventId: string;
  /** Absent on test events. */
  readonly sequence?: number;
}

/** What an event is about, at the revision of the stored event. */
export type WebhookContent =
  | { readonly originalResponse: PresentedResult }
  | Pick<MerchantApplicationWebhook, 'merchantApplication'>
  | Pick<PricingTemplateWebhook, 'pricingTemplate'>;

/**
 * The bytes of all deliveries of an event. They have no personal data (expiry, billing contact): after an erasure the same
 * bytes could not be made again.
 */
export function webhookBody(facts: BodyFacts, content: WebhookContent): Uint8Array {
  const { eventId: id, type, timestamp, merchantId, sequence } = facts;
  const event = {
    id,
    type,
    timestamp,
    merchantId,
    ...(sequence === undefined ? { test: true } : { sequence }),
  };
  for (const shorter of shortened(content)) {
    const bytes = Buffer.from(JSON.stringify({ event, ...shorter }));
    if (bytes.length < BODY_BYTES_LIMIT) return bytes;
  }
  throw new RangeError(`the body of ${id} is not below ${BODY_BYTES_LIMIT} bytes`);
}

/** @throws RangeError for an operation that the payment does not have */
export function paymentContent(state: PaymentState, operationId: OperationId): WebhookContent {
  if (state.status === 'None') throw new RangeError(`there is no payment of ${operationId}`);
  return { originalResponse: transactionResult(state, operationId) };
}

/** @throws RangeError for an operation that the token does not have */
export function tokenContent(state: TokenState, operationId: OperationId): WebhookContent {
  if (state.status === 'None') throw new RangeError(`there is no token of ${operationId}`);
  return { originalResponse: tokenOperationResult(state, operationId) };
}

/** @throws RangeError for an application that is not started */
export function applicationContent(state: MerchantApplication): WebhookContent {
  if (state.phase === 'NotStarted') throw new RangeError('the application is not started');
  return { merchantApplication: merchantApplicationShape(state) };
}

/** @throws RangeError for a template that the merchant does not have, or that waits for a decision */
export function pricingContent(state: PricingTemplates, templateId: string): WebhookContent {
  const template = findPricingTemplate(state, templateId);
  if (!template || template.status === 'Submitted')
    throw new RangeError(`there is no decided pricing template ${templateId}`);
  const { id, name, status, reason } = template;
  return { pricingTemplate: { id, name, status, ...(reason !== undefined && { reason }) } };
}

/**
 * Yields shorter and shorter forms: the whole content; with the newest response only; that response without receipt lines and
 * host text. The limits of their fields keep applications and templates short enough.
 */
function* shortened(content: WebhookContent): Generator<object> {
  if (!('originalResponse' in content)) {
    yield content;
    return;
  }
  // A credential of the customer, which only the answer to the request has.
  const { form: _form, ...result } = content.originalResponse;
  yield { originalResponse: result };
  const newest = result.transactionResponses.slice(0, 1);
  yield { originalResponse: { ...result, transactionResponses: newest } };
  const withoutTexts = newest.map(({ hostResponseText: _text, ...response }) => ({
    ...response,
    receipt: { lines: [] },
  }));
  yield { originalResponse: { ...result, transactionResponses: withoutTexts } };
}
