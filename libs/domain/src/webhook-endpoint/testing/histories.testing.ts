import { givenBy } from '../../shared/testing/given-when-then.testing.js';
import {
  foldWebhookEndpoints,
  type WebhookEndpointCreated,
  type WebhookEndpointEvent,
} from '../webhook-endpoint.js';

export const given = givenBy(foldWebhookEndpoints);

export const FIRST = 'whe_01JQ0000000000000000000000';
export const LEGACY = 'whl_01JQ0000000000000000000000';
export const URL = 'https://shop.example/webhooks';

/** Minutes after noon. */
export const minutes = (count: number): string =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + count * 60_000).toISOString();

/** The id of endpoint `number`, of the managed method. */
export const managedId = (number: number): string => `whe_01JQ${String(number).padStart(22, '0')}`;

export const creation: WebhookEndpointCreated = {
  at: minutes(0),
  endpointId: FIRST,
  method: 'Managed',
  url: URL,
  eventTypes: ['sale.completed'],
  description: 'Web shop',
  status: 'Enabled',
  secret: 'Zmlyc3Q=',
};

export const created = (more: Partial<WebhookEndpointCreated> = {}): WebhookEndpointEvent => ({
  type: 'WebhookEndpointCreated',
  data: { ...creation, ...more },
});

export const legacyCreated = created({ endpointId: LEGACY, method: 'Legacy' });
