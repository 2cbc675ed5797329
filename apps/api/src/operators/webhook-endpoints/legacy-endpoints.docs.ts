import { ErrorCode } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import { SAMPLE } from '../../openapi/samples.js';
import {
  SAMPLE_LEGACY_ENDPOINT,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINT_PAGE,
  WEBHOOK_ENDPOINT_WITH_SECRET,
} from '../../webhook-endpoints/webhook-endpoint.responses.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';

const unknown = { 404: [ErrorCode.ResourceNotFound] };
const path = {
  merchantId: MERCHANT_ID,
  endpointId: idParameter('The legacy webhook endpoint.', SAMPLE.legacyWebhookEndpoint),
};
const response = answer('The legacy webhook endpoint.', WEBHOOK_ENDPOINT, SAMPLE_LEGACY_ENDPOINT);
const withSecret = answer(
  'The legacy webhook endpoint with its new secret.',
  WEBHOOK_ENDPOINT_WITH_SECRET,
  /* Not one that could be taken for a real secret. */
  { ...SAMPLE_LEGACY_ENDPOINT, secret: '…64 hexadecimal digits…' },
);

export const LEGACY_ENDPOINT_ENDPOINTS: EndpointTexts = {
  createLegacyWebhookEndpoint: {
    summary: 'Create a legacy webhook endpoint for a merchant',
    description:
      'It gets events of transactions and tokens, with the legacy signature. Only this response and that of a rotation ' +
      'contain the secret.',
    path: { merchantId: MERCHANT_ID },
    examples: {
      all: ['All events', { url: 'https://shop.example/webhooks', eventTypes: ['*'] }],
      agreed: [
        'With a secret that was agreed',
        {
          url: 'https://shop.example/webhooks',
          eventTypes: ['sale.completed'],
          secret: 'a secret that both sides know',
        },
      ],
    },
    rejections: { ...unknown, 400: [ErrorCode.InvalidTransactionType] },
    response: withSecret,
  },
  listLegacyWebhookEndpoints: {
    summary: 'List the legacy webhook endpoints of a merchant',
    description: 'Without the managed endpoints, which the merchant sets up.',
    path: { merchantId: MERCHANT_ID },
    rejections: unknown,
    response: pageResponse(WEBHOOK_ENDPOINT_PAGE, SAMPLE_LEGACY_ENDPOINT),
  },
  deleteLegacyWebhookEndpoint: {
    summary: 'Delete a legacy webhook endpoint',
    description: 'It gets no more events, and its deliveries are deleted.',
    path,
    rejections: unknown,
    response: { ...response, description: 'The legacy webhook endpoint as it was.' },
  },
  disableLegacyWebhookEndpoint: {
    summary: 'Disable a legacy webhook endpoint',
    description: 'Its pending retries stop.',
    path,
    rejections: unknown,
    response: { ...response, example: { ...SAMPLE_LEGACY_ENDPOINT, status: 'Disabled' } },
  },
  enableLegacyWebhookEndpoint: {
    summary: 'Enable a legacy webhook endpoint',
    description: 'It gets the events from then on.',
    path,
    rejections: unknown,
    response,
  },
  rotateLegacyWebhookSecret: {
    summary: 'Exchange the secret of a legacy webhook endpoint',
    description: 'The old secret stops at once: a legacy signature has room for one.',
    path,
    examples: {
      new: ['A new secret', {}],
      agreed: ['One that was agreed', { secret: 'another secret that both sides know' }],
    },
    rejections: unknown,
    response: withSecret,
  },
};
