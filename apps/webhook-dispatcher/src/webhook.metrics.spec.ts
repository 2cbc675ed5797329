import { MetricsRegistry } from '@tillstream/platform';
import type { AttemptResult, DeliveryMeasures } from '@tillstream/webhook-delivery';
import { WebhookMetrics } from './webhook.metrics.js';

const NOW = Date.UTC(2026, 2, 1);
const attempt = (status: number | undefined, kind: AttemptResult['outcome']['kind']): AttemptResult => ({
  deliveryId: 'dlv_1',
  attempt: {
    ...{ at: NOW, durationMs: 40 },
    ...(status !== undefined && { status }),
    ...(status !== 204 && { error: 'no success' }),
  },
  outcome: kind === 'Failed' ? { kind, nextTryAt: NOW } : { kind },
});

describe('The metrics of webhooks', () => {
  let registry: MetricsRegistry;
  let metrics: WebhookMetrics;
  beforeEach(() => {
    registry = new MetricsRegistry({ app: 'test', version: '1', mode: 'sandbox' });
    metrics = new WebhookMetrics(registry);
  });
  afterEach(() => registry.close());

  it('count attempts by outcome and by the kind of the answer, and never name an endpoint', async () => {
    metrics.attempted(attempt(204, 'Succeeded'));
    metrics.attempted(attempt(503, 'Failed'));
    metrics.attempted(attempt(undefined, 'Exhausted'));
    // A replay of a delivered event that fails: the delivery stays delivered, the attempt was none.
    metrics.attempted(attempt(404, 'Succeeded'));
    metrics.attempted(attempt(999, 'Failed'));
    const { body } = await registry.text();
    const counted = [...body.matchAll(/^tillstream_webhook_attempts_total\{(.*),app="test"\} (\d+)$/gm)];
    expect(counted.map(([, labels, value]) => `${labels} ${value}`)).toEqual([
      'outcome="succeeded",answer="2xx" 1',
      'outcome="failed",answer="5xx" 1',
      'outcome="exhausted",answer="none" 1',
      'outcome="exhausted",answer="4xx" 1',
      'outcome="failed",answer="other" 1',
    ]);
    expect(body).toContain('tillstream_webhook_attempt_duration_seconds_sum{app="test",answer="2xx"} 0.04');
  });

  it('say how long the oldest waits, by the service’s clock', async () => {
    const endpoints = { Well: 3, Failing: 2, Disabled: 0, DisabledGone: 1, DisabledFailing: 0 };
    const measures: DeliveryMeasures = {
      ...{ due: 7, later: 5, endpoints },
      ...{ oldestDueAt: NOW - 90_000, failingSince: NOW - 3_600_000 },
    };
    const oldest = { metadata: { serviceTime: new Date(NOW - 4_500).toISOString() } };
    metrics.watch({
      deliveries: { measure: async () => measures },
      store: { readAll: async () => ({ events: [oldest] }) as never },
      now: () => NOW,
      inFlight: () => 6,
      numbering: async () => ({
        ...{ name: 'webhooks', state: 'Running', reason: undefined, position: undefined },
        lagEvents: 12,
      }),
    });
    const { body } = await registry.text();
    for (const line of [
      'deliveries_in_flight{app="test"} 6',
      'deliveries_waiting{when="now",app="test"} 7',
      'deliveries_waiting{when="later",app="test"} 5',
      'oldest_due_age_seconds{app="test"} 90',
      'endpoint_failing_longest_seconds{app="test"} 3600',
      'endpoints{state="failing",app="test"} 2',
      'endpoints{state="disabled_gone",app="test"} 1',
      'numbering_lag_events{app="test"} 12',
      'numbering_lag_seconds{app="test"} 4.5',
    ])
      expect(body).toContain(`tillstream_webhook_${line}\n`);
  });
});
