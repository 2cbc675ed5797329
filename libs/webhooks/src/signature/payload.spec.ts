import {
  MERCHANT_APPLICATION_EVENT_TYPES,
  OPT_IN_EVENT_TYPES,
  PRICING_TEMPLATE_EVENT_TYPES,
  TOKEN_EVENT_TYPES,
  TRANSACTION_EVENT_TYPES,
  type WebhookEventType,
  type WebhookPayload,
} from '@tillstream/contracts';
import { hasType, payloadOf } from './payload.js';

const bodyOf = (type: WebhookEventType, content: object): Buffer => {
  const at = '2026-03-01T12:00:00.000Z';
  const event = { id: 'evt_1', type, timestamp: at, merchantId: 'mer_1', sequence: 1 };
  return Buffer.from(JSON.stringify({ event, ...content }));
};

/** What a payload is about, read through the types that a receiver has. */
function subjectOf(payload: WebhookPayload): string {
  if (hasType(payload, ...MERCHANT_APPLICATION_EVENT_TYPES)) return payload.merchantApplication.id;
  if (hasType(payload, ...PRICING_TEMPLATE_EVENT_TYPES)) return payload.pricingTemplate.id;
  if (hasType(payload, ...TRANSACTION_EVENT_TYPES, ...TOKEN_EVENT_TYPES, ...OPT_IN_EVENT_TYPES))
    return payload.originalResponse.id;
  return 'nothing';
}

describe('The payload of an event', () => {
  it.each<[string, readonly WebhookEventType[], object]>([
    ['trx_1', [...TRANSACTION_EVENT_TYPES, ...TOKEN_EVENT_TYPES], { originalResponse: { id: 'trx_1' } }],
    ['app_1', MERCHANT_APPLICATION_EVENT_TYPES, { merchantApplication: { id: 'app_1', status: 'Started' } }],
    ['prt_1', PRICING_TEMPLATE_EVENT_TYPES, { pricingTemplate: { id: 'prt_1', status: 'Approved' } }],
  ])('has the fields of its type: %s', (id, types, content) => {
    for (const type of types) expect(subjectOf(payloadOf(bodyOf(type, content)))).toBe(id);
  });

  it('of a type that this version does not know is read, and has none of the known types', () => {
    const payload = payloadOf(bodyOf('merchant.moved' as WebhookEventType, {}));
    expect(subjectOf(payload)).toBe('nothing');
  });
});
