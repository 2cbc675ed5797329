import type { HealthCheck, Liveness, Readiness } from '@tillstream/contracts';
import { answer, type EndpointTexts } from '../openapi/endpoint.js';
import * as s from '../openapi/response.schema.js';

const LIVENESS = s.shape<Liveness>()('Liveness', 'The process answers.', {
  status: s.choice('Always this.', { live: '' }),
});

const HEALTH_CHECK = s.shape<HealthCheck>()('HealthCheck', 'One thing that was looked at.', {
  name: s.text('What.', 'stores'),
  state: s.choice('How it is.', {
    ok: 'Well.',
    warning: 'Somebody should look at it; requests are taken all the same.',
    failed: 'Not well enough to take requests.',
  }),
  reason: s.optional(s.text('Why it is not well.', 'processor sandbox does not answer')),
});

const READINESS = s.shape<Readiness>()('Readiness', 'Whether payments can be taken now.', {
  status: s.choice('Whether it is.', { ready: 'Nothing is missing.', unavailable: '`reasons` says why.' }),
  reasons: s.list('Each thing that is missing.', s.text('One of them.', 'starting')),
  checks: s.listOf(HEALTH_CHECK, 'All that was looked at.'),
});

export const HEALTH_ENDPOINTS: EndpointTexts = {
  getLiveness: {
    summary: 'Does the process answer?',
    description: 'For a supervisor that restarts a process which does not respond.',
    response: answer('It does.', LIVENESS, { status: 'live' }),
  },
  getReadiness: {
    summary: 'Can payments be taken now?',
    description: 'For a load balancer that sends requests to one of several instances.',
    response: answer('They can.', READINESS, {
      status: 'ready',
      reasons: [],
      checks: [{ name: 'stores', state: 'ok' }],
    }),
    otherResponses: {
      503: answer('Not now; `reasons` says why.', READINESS, {
        status: 'unavailable',
        reasons: ['starting'],
        checks: [{ name: 'start', state: 'failed', reason: 'starting' }],
      }),
    },
  },
};
