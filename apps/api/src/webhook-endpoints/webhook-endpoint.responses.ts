import type {
  WebhookDisabledReason,
  WebhookEndpoint,
  WebhookEndpointStatus,
  WebhookEndpointWithSecret,
  WebhookMethod,
} from '@tillstream/contracts';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';

/** Not one that could be taken for a real secret. */
export const SAMPLE_WEBHOOK_SECRET = 'whsec_…of…32…random…bytes';

const fields = {
  id: s.text('The id of the endpoint: `whe_…`, of a legacy endpoint `whl_…`.', SAMPLE.webhookEndpoint, {
    pattern: '^wh[el]_[0-9A-HJKMNP-TV-Z]{26}$',
  }),
  method: s.choice<WebhookMethod>('How deliveries are signed.', {
    Managed: 'With `hook-id`, `hook-timestamp` and `hook-signature`.',
    Legacy: 'With `x-legacy-wh-chksm`.',
  }),
  url: s.text('Where events are sent.', 'https://shop.example/webhooks'),
  eventTypes: s.list(
    'The types of events that are sent.',
    s.text('A type; `*` stands for all but the opt-in ones.', '*'),
    { minItems: 1 },
  ),
  description: s.optional(s.text('A name for people.', 'Web shop')),
  status: s.choice<WebhookEndpointStatus>('Whether events are sent to it.', { Enabled: '', Disabled: '' }),
  disabledReason: s.optional(
    s.choice<WebhookDisabledReason>('Why the service disabled it. Absent if a person did.', {
      Gone: 'It answered 410.',
      Failing: 'It had no success for 5 days.',
    }),
  ),
  createdAt: s.time('When it was created.'),
  updatedAt: s.time('When it last changed.'),
};

export const WEBHOOK_ENDPOINT = s.shape<WebhookEndpoint>()(
  'WebhookEndpoint',
  'An address that gets events.',
  fields,
);

export const WEBHOOK_ENDPOINT_PAGE = s.pageOf('WebhookEndpointPage', WEBHOOK_ENDPOINT);

export const WEBHOOK_ENDPOINT_WITH_SECRET = s.shape<WebhookEndpointWithSecret>()(
  'WebhookEndpointWithSecret',
  'An endpoint with its secret. No other response contains the secret.',
  {
    ...fields,
    secret: s.text('Signs the deliveries. The service never shows it again.', SAMPLE_WEBHOOK_SECRET, {
      minLength: 16,
    }),
  },
);

export const SAMPLE_WEBHOOK_ENDPOINT: WebhookEndpoint = {
  id: SAMPLE.webhookEndpoint,
  method: 'Managed',
  url: 'https://shop.example/webhooks',
  eventTypes: ['*'],
  description: 'Web shop',
  status: 'Enabled',
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};

export const SAMPLE_LEGACY_ENDPOINT: WebhookEndpoint = {
  id: SAMPLE.legacyWebhookEndpoint,
  method: 'Legacy',
  url: 'https://shop.example/webhooks',
  eventTypes: ['*'],
  status: 'Enabled',
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};
