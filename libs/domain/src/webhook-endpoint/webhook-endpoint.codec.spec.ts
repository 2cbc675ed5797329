import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { webhookEndpointCodec } from './webhook-endpoint.js';

const at = '2026-03-01T12:00:00.000Z';
const of = { at, endpointId: 'whe_01JQ0000000000000000000000' };
const settings = {
  url: 'https://shop.example/webhooks',
  eventTypes: ['sale.completed', 'token.removed'],
  description: 'Web shop',
};
const secret = 'c2VhbGVk';

describe('the stored events of webhook endpoints', () => {
  codecContract(webhookEndpointCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    WebhookEndpointCreated: { ...of, ...settings, method: 'Managed', status: 'Enabled', secret },
    WebhookEndpointChanged: { ...of, ...settings },
    WebhookEndpointEnabled: of,
    WebhookEndpointDisabled: { ...of, reason: 'Gone' },
    WebhookSecretRotated: { ...of, secret, oldSecretUntil: '2026-03-02T12:00:00.000Z' },
    WebhookEndpointDeleted: of,
  });
});
