import {
  ErrorCode,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
  type WebhookReplay,
  type WebhookTry,
} from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';

const TRY = s.shape<WebhookTry>()('WebhookTry', 'One attempt to deliver.', {
  at: s.time('When it started.'),
  status: s.nullable(s.integer('The HTTP status.', 200), 'The HTTP status; null: there was no answer.'),
  durationMs: s.count('How long it took, in ms.', 42),
  answer: s.optional(s.text('The beginning of the answer, up to 4 kB; kept for 30 days.', 'OK')),
  error: s.optional(s.text('Why it was no success.', 'the endpoint answered 503')),
});

const DELIVERY = s.shape<WebhookDelivery>()('WebhookDelivery', 'An event for one endpoint.', {
  id: s.id('The id of the delivery.', SAMPLE.delivery),
  eventId: s.id('The id of the event, the same for every endpoint.', SAMPLE.event),
  eventType: s.text('The type of the event.', 'sale.completed'),
  hookId: s.id('`hook-id` of the message, the same on every attempt.', SAMPLE.message),
  status: s.choice<WebhookDeliveryStatus>('How it stands.', {
    Pending: 'It waits for its next attempt.',
    Succeeded: 'The endpoint answered 2xx.',
    Failed: 'It will be tried again.',
    Exhausted: 'It will not be tried again, unless it is replayed.',
  }),
  createdAt: s.time('When the event happened.'),
  nextTryAt: s.optional(s.time('When it is tried next.')),
  tries: s.listOf(TRY, 'The attempts, oldest first.'),
});

const DELIVERY_PAGE = s.pageOf('WebhookDeliveryPage', DELIVERY);

const REPLAY = s.shape<WebhookReplay>()('WebhookReplay', 'Deliveries that are sent again.', {
  count: s.count('Their number.', 3),
});

const SAMPLE_DELIVERY: WebhookDelivery = {
  id: SAMPLE.delivery,
  eventId: SAMPLE.event,
  eventType: 'sale.completed',
  hookId: SAMPLE.message,
  status: 'Succeeded',
  createdAt: SAMPLE_TIME,
  tries: [{ at: SAMPLE_TIME, status: 200, durationMs: 42, answer: 'OK' }],
};

const id = idParameter('The webhook endpoint.', SAMPLE.webhookEndpoint);
const one = { id, deliveryId: idParameter('The delivery.', SAMPLE.delivery) };
const unknown = { 404: [ErrorCode.ResourceNotFound] };
const unfit = { ...unknown, 400: [ErrorCode.InvalidTransactionType] };
const response = answer('The delivery.', DELIVERY, SAMPLE_DELIVERY);

/** `docs/spec/webhooks.md#deliveries`. */
export const WEBHOOK_DELIVERY_ENDPOINTS: EndpointTexts = {
  listWebhookDeliveries: {
    summary: 'List the deliveries of a webhook endpoint',
    description: 'The newest first.',
    path: { id },
    filters: {
      status: { description: 'How it stands.', example: 'Succeeded' },
      eventType: { description: 'The type of the event.', example: 'sale.completed' },
      eventId: { description: 'The event.', example: SAMPLE.event },
      createdFrom: { description: 'Since then, inclusive.', example: '2026-08-03T00:00:00.000Z' },
      createdTo: { description: 'Before then, exclusive.', example: '2026-08-04T00:00:00.000Z' },
    },
    rejections: unknown,
    response: pageResponse(DELIVERY_PAGE, SAMPLE_DELIVERY),
  },
  getWebhookDelivery: {
    summary: 'Look a delivery up',
    description: 'With its attempts.',
    path: one,
    rejections: unknown,
    response,
  },
  replayWebhookDelivery: {
    summary: 'Send a delivery again',
    description:
      'One more attempt, with the same `hook-id`, `event.id` and bytes, after the one in flight if there is one. Bodies are kept for ' +
      '30 days; later it is refused.',
    path: one,
    rejections: unfit,
    response,
  },
  replayWebhookDeliveries: {
    summary: 'Send deliveries of a webhook endpoint again',
    description: 'Those that were not delivered since a time, or all of a range of time.',
    path: { id },
    examples: {
      failed: ['What was not delivered', { failedSince: '2026-08-03T12:00:00.000Z' }],
      range: ['All of a day', { from: '2026-08-03T00:00:00.000Z', to: '2026-08-04T00:00:00.000Z' }],
    },
    rejections: unfit,
    response: answer('How many deliveries are sent again.', REPLAY, { count: 3 }),
  },
  testWebhookEndpoint: {
    summary: 'Send an example event to a webhook endpoint',
    description:
      'Its body has the shape of the type, with `event.test: true`, no `sequence`, and a transaction, application or template ' +
      'that does not exist.',
    path: { id },
    examples: {
      sale: ['A sale', {}],
      token: ['A removed token', { eventType: 'token.removed' }],
      lifecycle: ['An approved merchant', { eventType: 'merchant.approved' }],
    },
    rejections: unfit,
    response: answer('The delivery, before its first attempt.', DELIVERY, {
      ...SAMPLE_DELIVERY,
      status: 'Pending',
      nextTryAt: SAMPLE_TIME,
      tries: [],
    }),
  },
};
