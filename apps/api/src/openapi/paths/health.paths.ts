import { HealthController } from '../../health/health.controller.js';
import { MetricsController } from '../../metrics/metrics.controller.js';
import { LIVENESS, READINESS } from '../answers/service.answers.js';
import { pathsOf } from '../operation.text.js';

export const HEALTH_PATHS = pathsOf(HealthController, 'Health', {
  live: {
    operationId: 'getLiveness',
    summary: 'Does the process answer?',
    description: 'For whoever restarts what does not.',
    answer: { description: 'It does.', schema: LIVENESS, example: { status: 'live' } },
  },
  ready: {
    operationId: 'getReadiness',
    summary: 'Can payments be taken now?',
    description: 'For whoever sends requests to one of several instances.',
    answer: {
      description: 'They can.',
      schema: READINESS,
      example: { status: 'ready', reasons: [], checks: [{ name: 'stores', state: 'ok' }] },
    },
    otherAnswers: {
      503: {
        description: 'Not now; `reasons` says why.',
        schema: READINESS,
        example: {
          status: 'unavailable',
          reasons: ['starting'],
          checks: [{ name: 'start', state: 'failed', reason: 'starting' }],
        },
      },
    },
  },
});

export const METRICS_PATHS = pathsOf(MetricsController, 'Health', {
  text: {
    operationId: 'getMetrics',
    summary: 'Read the metrics',
    description: 'In the text format of Prometheus. Nothing in it is of a merchant, a person or a payment.',
    answer: {
      description: 'One line for each value.',
      mediaType: 'text/plain',
      schema: { type: 'string' },
      example: '# HELP process_cpu_seconds_total Total CPU time.\nprocess_cpu_seconds_total 1.5\n',
    },
  },
});
