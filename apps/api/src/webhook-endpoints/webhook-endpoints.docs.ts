import { ErrorCode } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter } from '../openapi/parameters.js';
import { SAMPLE } from '../openapi/samples.js';
import {
  SAMPLE_WEBHOOK_ENDPOINT,
  SAMPLE_WEBHOOK_SECRET,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINT_PAGE,
  WEBHOOK_ENDPOINT_WITH_SECRET,
} from './webhook-endpoint.responses.js';

/** `docs/spec/webhooks.md#managed-endpoints`. */
const ENDPOINT_ID = idParameter('The webhook endpoint.', SAMPLE.webhookEndpoint);

const unknown = { 404: [ErrorCode.ResourceNotFound] };
const response = answer('The webhook endpoint.', WEBHOOK_ENDPOINT, SAMPLE_WEBHOOK_ENDPOINT);
const withSecret = answer('The webhook endpoint with its new secret.', WEBHOOK_ENDPOINT_WITH_SECRET, {
  ...SAMPLE_WEBHOOK_ENDPOINT,
  secret: SAMPLE_WEBHOOK_SECRET,
});

export const WEBHOOK_ENDPOINT_ENDPOINTS: EndpointTexts = {
  createWebhookEndpoint: {
    summary: 'Create a webhook endpoint',
    description:
      'It gets the events from its creation on. Only this response and that of a rotation contain the secret. A merchant ' +
      'has at most 50 endpoints.',
    examples: {
      all: ['All events', { url: 'https://shop.example/webhooks', eventTypes: ['*'] }],
      some: [
        'Some events, not yet',
        {
          url: 'https://shop.example/webhooks',
          eventTypes: ['sale.completed', 'refund.completed', 'payment.returned'],
          description: 'Web shop',
          status: 'Disabled',
        },
      ],
    },
    rejections: { 400: [ErrorCode.InvalidTransactionType] },
    response: withSecret,
  },
  listWebhookEndpoints: {
    summary: 'List webhook endpoints',
    description: 'The managed endpoints of the merchant.',
    response: pageResponse(WEBHOOK_ENDPOINT_PAGE, SAMPLE_WEBHOOK_ENDPOINT),
  },
  getWebhookEndpoint: {
    summary: 'Look a webhook endpoint up',
    description: 'Without its secret.',
    path: { id: ENDPOINT_ID },
    rejections: unknown,
    response,
  },
  updateWebhookEndpoint: {
    summary: 'Change a webhook endpoint',
    description:
      'Fields that are left out keep their values. Disabling stops the pending retries; an endpoint that is enabled again ' +
      'gets the events from then on.',
    path: { id: ENDPOINT_ID },
    examples: {
      types: ['Other events', { eventTypes: ['sale.completed', 'token.removed'] }],
      disable: ['Stop deliveries', { status: 'Disabled' }],
    },
    rejections: unknown,
    response,
  },
  deleteWebhookEndpoint: {
    summary: 'Delete a webhook endpoint',
    description: 'It gets no more events, and its deliveries are deleted.',
    path: { id: ENDPOINT_ID },
    rejections: unknown,
    response: { ...response, description: 'The webhook endpoint as it was.' },
  },
  rotateWebhookSecret: {
    summary: 'Exchange the secret of a webhook endpoint',
    description: 'For 24 hours deliveries have two signatures: by the new secret, and by the one before.',
    path: { id: ENDPOINT_ID },
    rejections: unknown,
    response: withSecret,
  },
};
