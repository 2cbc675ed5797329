import type { HealthCheck, Liveness, Readiness } from '@tillstream/contracts';
import { answer, type EndpointTexts } from '../openapi/endpoint.js';
import * as s from '../openapi/response.schema.js';

const LIVENESS = s.shape<Liveness>()('Liveness', 'The process responds.', {
  status: s.choice('Always this.', { live: '' }),
});

const HEALTH_CHECK = s.shape<HealthCheck>()('HealthCheck', 'The result of one check.', {
  name: s.text('The name of the check.', 'stores'),
  state: s.choice('The result.', {
    ok: 'Everything works.',
    warning: 'An operator should look at it. The instance takes requests.',
    failed: 'The instance takes no requests.',
  }),
  reason: s.optional(s.text('The reason of a warning or a failure.', 'processor sandbox does not answer')),
});

const READINESS = s.shape<Readiness>()('Readiness', 'Whether the instance can take payments now.', {
  status: s.choice('The state of the instance.', {
    ready: 'No check failed.',
    unavailable: '`reasons` says why.',
  }),
  reasons: s.list('The reasons of the failed checks.', s.text('A reason.', 'starting')),
  checks: s.listOf(HEALTH_CHECK, 'All checks.'),
});

export const HEALTH_ENDPOINTS: EndpointTexts = {
  getLiveness: {
    summary: 'Check that the process responds',
    description: 'For a supervisor that restarts a process which does not respond.',
    response: answer('The process responds.', LIVENESS, { status: 'live' }),
  },
  getReadiness: {
    summary: 'Check that the instance can take payments',
    description: 'For a load balancer that sends requests to one of several instances.',
    response: answer('The instance can take payments.', READINESS, {
      status: 'ready',
      reasons: [],
      checks: [{ name: 'stores', state: 'ok' }],
    }),
    otherResponses: {
      503: answer('The instance can not take payments now; `reasons` says why.', READINESS, {
        status: 'unavailable',
        reasons: ['starting'],
        checks: [{ name: 'start', state: 'failed', reason: 'starting' }],
      }),
    },
  },
};
