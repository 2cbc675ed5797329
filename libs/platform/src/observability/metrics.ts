import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { watchProcess } from './process.metrics.js';

/** Identifies a process in a dashboard. */
export interface ProcessInfo {
  /** `api`, `webhook-dispatcher` … */
  readonly app: string;
  readonly version: string;
  readonly mode: string;
}

/** A value, and its label values in the order of the label names. */
export type Measurement = readonly [value: number, ...labels: string[]];

export interface LiveCount {
  now: number;
}

/** Seconds. The last one is for a terminal that waits for its customer. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 130];
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

/** Requests for metrics need no key, so their cost is bounded: within this time they get the same text. */
const TEXT_CACHE_MS = 500;

/** They start with 0: an alert rule for an increase would miss a series that starts with 1. */
const RARE_ALERTS = ['operator-needed', 'reversal-failed', 'card-testing-suspected'];

type Text = { readonly contentType: string; readonly body: string };

/**
 * All metrics of one process. Label values come from fixed sets: route templates, kinds of operations, outcomes; never a
 * path, an id or a name from a request.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly processMetrics = watchProcess(this.registry);
  private cachedText: { readonly until: number; readonly text: Promise<Text> } | undefined;

  readonly httpDuration = this.histogram(
    'http_request_duration_seconds',
    'From the head of a request to the end of its response, by route template.',
    ['method', 'route', 'status'],
  );
  readonly httpInFlight = this.liveCount('http_requests_in_flight', 'Requests that wait for their response.');
  readonly rateLimited = this.counter(
    'http_rate_limited_total',
    'Requests over their merchant’s limit (429).',
  );
  readonly submissionsRefused = this.counter(
    'form_submissions_refused_total',
    'Submissions of the hosted form that a limit against card testing refused (429), by limit.',
    ['limit'],
  );
  readonly operations = this.counter(
    'operations_total',
    'Operations that clients requested, by type and by the result of the call.',
    ['type', 'outcome'],
  );
  readonly processorDuration = this.histogram(
    'processor_call_duration_seconds',
    'Calls to a processor, by their end: the kind of the response, NotSent, NoAnswer, or Held (not sent, because the breaker is open or an operator stopped the processor).',
    ['processor', 'call', 'end'],
  );
  readonly processorInFlight = this.liveCountsByLabel(
    'processor_calls_in_flight',
    'Calls that wait for a processor.',
    'processor',
  );
  readonly appendDuration = this.histogram(
    'store_append_duration_seconds',
    'Durable appends of events, by result.',
    ['result'],
    STORE_BUCKETS,
  );
  readonly appendsInFlight = this.liveCount(
    'store_appends_in_flight',
    'Appends that wait for the writer or are being written.',
  );
  readonly readDuration = this.histogram(
    'store_read_duration_seconds',
    'Pages read from the event store, of one stream or of all.',
    ['kind'],
    STORE_BUCKETS,
  );
  readonly eventsAppended = this.counter(
    'events_appended_total',
    'Events that this process wrote, by type.',
    ['type'],
  );
  readonly rowDuration = this.histogram(
    'row_write_duration_seconds',
    'Rows of the lists that are written before a response.',
    [],
    STORE_BUCKETS,
  );
  readonly rowsInFlight = this.liveCount('row_writes_in_flight', 'Rows that wait to be written.');
  readonly alerts = this.counter('alerts_total', 'Log lines of level error, by event.', ['event']);

  constructor({ app, version, mode }: ProcessInfo) {
    this.registry.setDefaultLabels({ app });
    for (const event of RARE_ALERTS) this.alerts.labels(event).inc(0);
    const help = 'Always 1; its labels describe this process.';
    this.observableGauge('build_info', help, ['version', 'mode', 'node'], () => [
      [1, version, mode, process.version],
    ]);
  }

  private histogram(name: string, help: string, labelNames: string[], buckets = BUCKETS): Histogram {
    return new Histogram({ name: fullName(name), help, labelNames, buckets, registers: [this.registry] });
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name: fullName(name), help, labelNames, registers: [this.registry] });
  }

  /** A gauge that its user counts up and down. */
  private liveCount(name: string, help: string): LiveCount {
    const count = { now: 0 };
    this.observableGauge(name, help, [], () => [[count.now]]);
    return count;
  }

  /** One live count for each value of a label. */
  private liveCountsByLabel(name: string, help: string, label: string): (value: string) => LiveCount {
    const counts = new Map<string, LiveCount>();
    this.observableGauge(name, help, [label], () => [...counts].map(([value, { now }]) => [now, value]));
    return (value) => {
      const count = counts.get(value) ?? { now: 0 };
      counts.set(value, count);
      return count;
    };
  }

  /** A gauge that is measured for each scrape. After an error it has no value. */
  observableGauge(
    name: string,
    help: string,
    labelNames: string[],
    measure: () => Promise<readonly Measurement[]> | readonly Measurement[],
  ): void {
    const gauge = new Gauge({
      name: fullName(name),
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        try {
          const measured = await measure();
          this.reset();
          for (const [value, ...labels] of measured) this.labels(...labels).set(value);
        } catch {
          // The value of an earlier scrape would be wrong.
          this.reset();
        }
      },
    });
    gauge.reset();
  }

  /** Stops the observer of the event loop. `text` still works. */
  close(): void {
    this.processMetrics.close();
  }

  /** In Prometheus' text format. */
  text(): Promise<Text> {
    const now = performance.now();
    if (this.cachedText && now < this.cachedText.until) return this.cachedText.text;
    const text = this.registry.metrics().then((body) => ({ contentType: this.registry.contentType, body }));
    this.cachedText = { until: now + TEXT_CACHE_MS, text };
    return text;
  }
}

const fullName = (name: string): string => `tillstream_${name}`;
