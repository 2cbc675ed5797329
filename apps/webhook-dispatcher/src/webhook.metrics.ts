import { LAG_EVENTS_MAX, type ConsumerStatus } from '@tillstream/event-consumers';
import type { DisabledReason } from '@tillstream/domain';
import type { EventStore, Position } from '@tillstream/event-store';
import { eventMetadata } from '@tillstream/payments';
import type { MetricsRegistry } from '@tillstream/platform';
import { cachedLookup } from '@tillstream/runtime';
import {
  NUMBERED_CATEGORIES,
  type AttemptResult,
  type DeliveryMeasures,
  type DeliveryStore,
  type EndpointHealth,
  type HealthChange,
} from '@tillstream/webhook-delivery';

/** Waiting deliveries are counted up to this number. */
const WAITING_MAX = 10_000;
/** Gauges that read tables are measured at most this often. */
const LOOKUP_INTERVAL_MS = 5_000;

/** Values of labels: a metric has no id and no address in it. */
const ANSWERS = ['2xx', '3xx', '4xx', '5xx', 'other', 'none'] as const;
const OUTCOMES = { Succeeded: 'succeeded', Failed: 'failed', Exhausted: 'exhausted' } as const;
const CHANGES = {
  StartedFailing: 'failing',
  Exhausted: 'exhausted',
  Recovered: 'recovered',
  Gone: 'disabled_gone',
  Failing: 'disabled_failing',
} as const satisfies Record<HealthChange | DisabledReason, string>;
const STATES = {
  Well: 'well',
  Failing: 'failing',
  Disabled: 'disabled',
  DisabledGone: 'disabled_gone',
  DisabledFailing: 'disabled_failing',
} as const satisfies Record<EndpointHealth, string>;

export interface WebhookGaugeSources {
  readonly deliveries: Pick<DeliveryStore, 'measure'>;
  readonly store: Pick<EventStore, 'readAll'>;
  /** Ms since 1970 by the service clock. */
  now(): number;
  inFlight(): number;
  /** Of the consumer that numbers. */
  numbering(): Promise<ConsumerStatus | undefined>;
}

/** Counts what this process sends. */
export class WebhookMetrics {
  private readonly attempts;
  private readonly duration;
  private readonly changes;

  constructor(private readonly registry: MetricsRegistry) {
    const attempts = 'Attempts to deliver, by outcome (failed: will be tried again) and by answer.';
    this.attempts = registry.counter('webhook_attempts_total', attempts, ['outcome', 'answer']);
    const duration = 'From the start of an attempt to the end of its answer, by the kind of the answer.';
    this.duration = registry.histogram('webhook_attempt_duration_seconds', duration, ['answer']);
    const changes =
      'Endpoints that began to fail, lost a delivery, recovered or were disabled by the service.';
    this.changes = registry.counter('webhook_endpoint_changes_total', changes, ['change']);
    // From 0 on: an alert rule for an increase would miss a series that starts with 1.
    for (const change of Object.values(CHANGES)) this.changes.labels(change).inc(0);
  }

  attempted({ attempt: { status, durationMs, error }, outcome }: AttemptResult): void {
    const answer = answerOf(status);
    // A replay that fails leaves its delivery as it was.
    const kind = error !== undefined && outcome.kind === 'Succeeded' ? 'Exhausted' : outcome.kind;
    this.attempts.labels(OUTCOMES[kind], answer).inc();
    this.duration.labels(answer).observe(durationMs / 1_000);
  }

  changed(change: HealthChange | DisabledReason): void {
    this.changes.labels(CHANGES[change]).inc();
  }

  /** Registers the gauges that are measured for each scrape. */
  watch(sources: WebhookGaugeSources): void {
    const { registry } = this;
    const { now, deliveries, numbering, store } = sources;
    registry.observableGauge('webhook_deliveries_in_flight', 'Attempts without an answer yet.', [], () => [
      [sources.inFlight()],
    ]);
    this.watchDeliveries(
      cachedLookup(LOOKUP_INTERVAL_MS, () => deliveries.measure(now(), WAITING_MAX)),
      now,
    );
    const status = cachedLookup(LOOKUP_INTERVAL_MS, numbering);
    const events = `Events that are not numbered yet, counted up to ${LAG_EVENTS_MAX}.`;
    registry.observableGauge('webhook_numbering_lag_events', events, [], async () => {
      const found = await status();
      return found ? [[found.lagEvents]] : [];
    });
    const seconds = 'Age of the oldest event that is not numbered yet; 0: there is none.';
    registry.observableGauge('webhook_numbering_lag_seconds', seconds, [], async () => {
      const found = await status();
      return found ? [[(await lagMs(store, found, now())) / 1_000]] : [];
    });
    const halted = '1: the numbering stopped at an event that this version does not know.';
    registry.observableGauge('webhook_numbering_halted', halted, [], async () => {
      const found = await status();
      return found ? [[found.state === 'Halted' ? 1 : 0]] : [];
    });
  }

  private watchDeliveries(measured: () => Promise<DeliveryMeasures>, now: () => number): void {
    const { registry } = this;
    const waiting = `Deliveries that wait, of all processes: due now, or later. Counted up to ${WAITING_MAX}.`;
    registry.observableGauge('webhook_deliveries_waiting', waiting, ['when'], async () => {
      const { due, later } = await measured();
      return [
        [due, 'now'],
        [later, 'later'],
      ];
    });
    const oldest = 'How long the longest due delivery has been due; 0: none is.';
    registry.observableGauge('webhook_oldest_due_age_seconds', oldest, [], async () => {
      const { oldestDueAt } = await measured();
      return [[oldestDueAt === undefined ? 0 : (now() - oldestDueAt) / 1_000]];
    });
    const states = 'Endpoints of all merchants, by state. Failing: enabled, and the last attempt failed.';
    registry.observableGauge('webhook_endpoints', states, ['state'], async () => {
      const { endpoints } = await measured();
      return Object.entries(STATES).map(([health, state]) => [endpoints[health as EndpointHealth], state]);
    });
    const failing = 'How long the enabled endpoint that fails for longest has failed; 0: none fails.';
    registry.observableGauge('webhook_endpoint_failing_longest_seconds', failing, [], async () => {
      const { failingSince } = await measured();
      return [[failingSince === undefined ? 0 : (now() - failingSince) / 1_000]];
    });
  }
}

function answerOf(status: number | undefined): (typeof ANSWERS)[number] {
  if (status === undefined) return 'none';
  return ANSWERS.find((answer) => answer.startsWith(String(Math.floor(status / 100)))) ?? 'other';
}

async function lagMs(
  store: Pick<EventStore, 'readAll'>,
  { position, lagEvents }: { readonly position: Position | undefined; readonly lagEvents: number },
  now: number,
): Promise<number> {
  if (lagEvents === 0) return 0;
  const after = position === undefined ? {} : { after: position };
  const { events } = await store.readAll({ categories: NUMBERED_CATEGORIES, limit: 1, ...after });
  const [oldest] = events;
  return oldest ? Math.max(0, now - Date.parse(eventMetadata(oldest).serviceTime)) : 0;
}
