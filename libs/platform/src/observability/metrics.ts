import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { watchProcess } from './process.metrics.js';

/** Identifies a process in a dashboard. */
export interface ProcessInfo {
  /** `api`, `webhook-dispatcher` … */
  readonly app: string;
  readonly version: string;
  readonly mode: string;
}

/** Seconds. The last one is for a terminal that waits for its customer. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 130] as const;
const STORE_BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2,
] as const;

/** Requests for metrics need no key, so their cost is bounded: within this time they get the same text. */
const TEXT_CACHE_MS = 500;

type Text = { readonly contentType: string; readonly body: string };

/** Label values in the order of the label names. They come from fixed sets. */
export interface Durations {
  withLabels(...values: readonly string[]): { observe(seconds: number): void };
}

export interface Counts {
  withLabels(...values: readonly string[]): { inc(by?: number): void };
}

/**
 * All metrics of one process. Label values come from fixed sets: route templates, kinds of operations, outcomes; never a
 * path, an id or a name from a request.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly processMetrics: { close(): void };
  private cachedText: { readonly until: number; readonly text: Promise<Text> } | undefined;

  readonly httpDuration: Durations;
  readonly httpInFlight: LiveCount;
  readonly rateLimited: Counts;
  readonly operations: Counts;
  readonly processorDuration: Durations;
  readonly processorInFlight: (processor: string) => LiveCount;
  readonly appendDuration: Durations;
  readonly appendsInFlight: LiveCount;
  readonly readDuration: Durations;
  readonly eventsAppended: Counts;
  readonly rowDuration: Durations;
  readonly rowsInFlight: LiveCount;
  readonly alerts: Counts;

  constructor({ app, version, mode }: ProcessInfo) {
    const { registry } = this;
    registry.setDefaultLabels({ app });
    this.processMetrics = watchProcess(registry);
    this.httpDuration = this.histogram(
      'http_request_duration_seconds',
      'From the head of a request to the end of its response, by route template.',
      ['method', 'route', 'status'],
    );
    this.httpInFlight = this.liveCount('http_requests_in_flight', 'Requests that wait for their response.');
    this.rateLimited = this.counter('http_rate_limited_total', 'Requests over their merchant’s limit (429).');
    this.operations = this.counter(
      'operations_total',
      'Operations that clients requested, by type and by the result of the call.',
      ['type', 'outcome'],
    );
    this.processorDuration = this.histogram(
      'processor_call_duration_seconds',
      'Calls to a processor, by their end: the kind of the response, NotSent, NoAnswer, or Held (not sent, because the breaker is open or an operator stopped the processor).',
      ['processor', 'call', 'end'],
    );
    this.processorInFlight = this.liveCountsByLabel(
      'processor_calls_in_flight',
      'Calls that wait for a processor.',
      'processor',
    );
    this.appendDuration = this.histogram(
      'store_append_duration_seconds',
      'Durable appends of events, by result.',
      ['result'],
      STORE_BUCKETS,
    );
    this.appendsInFlight = this.liveCount(
      'store_appends_in_flight',
      'Appends that wait for the writer or are being written.',
    );
    this.readDuration = this.histogram(
      'store_read_duration_seconds',
      'Pages read from the event store, of one stream or of all.',
      ['kind'],
      STORE_BUCKETS,
    );
    this.eventsAppended = this.counter('events_appended_total', 'Events that this process wrote, by type.', [
      'type',
    ]);
    this.rowDuration = this.histogram(
      'row_write_duration_seconds',
      'Rows of the lists that are written before a response.',
      [],
      STORE_BUCKETS,
    );
    this.rowsInFlight = this.liveCount('row_writes_in_flight', 'Rows that wait to be written.');
    this.alerts = this.counter('alerts_total', 'Log lines of level error, by event.', ['event']);
    for (const event of RARE_ALERTS) this.alerts.withLabels(event).inc(0);
    const labelNames = ['version', 'mode', 'node'] as const;
    this.observableGauge('build_info', 'Always 1; its labels describe this process.', labelNames, () => [
      { labels: { version, mode, node: process.version }, value: 1 },
    ]);
  }

  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = BUCKETS,
  ): Durations {
    const registers = [this.registry];
    const histogram = new Histogram({
      name: fullName(name),
      help,
      labelNames,
      buckets: [...buckets],
      registers,
    });
    return { withLabels: (...values) => histogram.labels(...values) };
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Counts {
    const counter = new Counter({ name: fullName(name), help, labelNames, registers: [this.registry] });
    return { withLabels: (...values) => counter.labels(...values) };
  }

  /** A gauge that its user counts up and down. */
  liveCount(name: string, help: string): LiveCount {
    const count = { now: 0 };
    this.observableGauge(name, help, [], () => [{ labels: {}, value: count.now }]);
    return count;
  }

  /** One live count for each value of a label. */
  liveCountsByLabel<Label extends string>(
    name: string,
    help: string,
    label: Label,
  ): (value: string) => LiveCount {
    const counts = new Map<string, LiveCount>();
    this.observableGauge(name, help, [label], () =>
      [...counts].map(([value, { now }]) => ({
        labels: { [label]: value } as Record<Label, string>,
        value: now,
      })),
    );
    return (value) => {
      const count = counts.get(value) ?? { now: 0 };
      counts.set(value, count);
      return count;
    };
  }

  /** A gauge that is measured for each scrape. After an error it has no value. */
  observableGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    measure: () => Promise<readonly Measurement<Label>[]> | readonly Measurement<Label>[],
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name: fullName(name),
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        try {
          const measured = await measure();
          this.reset();
          for (const { labels, value } of measured) this.set(labels, value);
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

  /** The names of all metrics, without the suffixes of histograms. */
  names(): readonly string[] {
    return this.registry.getMetricsAsArray().map(({ name }) => name);
  }
}

export interface LiveCount {
  now: number;
}

export interface Measurement<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** They start with 0: an alert rule for an increase would miss a series that starts with 1. */
const RARE_ALERTS = ['operator-needed', 'reversal-failed'];

const fullName = (name: string): string => `tillstream_${name}`;
