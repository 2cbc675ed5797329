import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  BufferedByLabels,
  BufferedCount,
  BufferedDurations,
  type Counts,
  type Durations,
} from './buffered.metrics.js';
import { watchProcess } from './process.metrics.js';

/** What tells one process from another in a dashboard. */
export interface ProcessInfo {
  /** `api`, `webhook-dispatcher` … */
  readonly app: string;
  readonly version: string;
  readonly mode: string;
}

/** Seconds. From a row in memory to a terminal that waits for its customer. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 130] as const;
const STORE_BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2,
] as const;

/**
 * Scraped by whoever likes, without a key: the text is made at most so often. What somebody asks within that time is what
 * the one before was told.
 */
const TEXT_CACHE_MS = 500;

type Text = { readonly contentType: string; readonly body: string };

/**
 * All metrics of one process, of a registry of its own. Values of labels come from fixed sets: route templates, kinds of
 * operations, outcomes; never a path, an id or a name that somebody sends.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly processMetrics: { close(): void };
  private readonly buffers: (Durations | Counts)[] = [];
  private cachedText: { readonly at: number; readonly text: Promise<Text> } | undefined;

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
      'From the head of a request to the end of its answer, by route template; its count is the number of requests.',
      ['method', 'route', 'status'],
    );
    this.httpInFlight = this.liveCount('http_requests_in_flight', 'Requests that wait for their answer.');
    this.rateLimited = this.counter('http_rate_limited_total', 'Requests over their merchant’s limit (429).');
    this.operations = this.counter(
      'operations_total',
      'Operations that clients asked for, by type and by how their call ended.',
      ['type', 'outcome'],
    );
    this.processorDuration = this.histogram(
      'processor_call_duration_seconds',
      'Calls to a processor, by how they ended: the kind of its answer, NotSent, NoAnswer, or Held (not sent, since the breaker is open or an operator stopped it).',
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
      'Appends that wait for the writer or are being written: the length of its queue.',
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
      'Rows of the lists, written before an answer.',
      [],
      STORE_BUCKETS,
    );
    this.rowsInFlight = this.liveCount(
      'row_writes_in_flight',
      'Rows that wait to be written: the length of that queue.',
    );
    this.alerts = this.counter('alerts_total', 'Log lines of level error, which somebody should look at.', [
      'event',
    ]);
    for (const event of RARE_ALERTS) this.alerts.withLabels(event);
    const about = { version, mode, node: process.version };
    const labels = ['version', 'mode', 'node'] as const;
    this.gauge('build_info', 'Always 1; its labels tell of this process.', labels).set(about, 1);
  }

  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = BUCKETS,
  ): Durations {
    const registers = [this.registry];
    const histogram = new Histogram({
      name: nameOf(name),
      help,
      labelNames,
      buckets: [...buckets],
      registers,
    });
    return this.addBuffer(
      new BufferedByLabels((...values) => new BufferedDurations(histogram.labels(...values))),
    );
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Counts {
    const counter = new Counter({ name: nameOf(name), help, labelNames, registers: [this.registry] });
    return this.addBuffer(new BufferedByLabels((...values) => new BufferedCount(counter.labels(...values))));
  }

  gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Gauge<Label> {
    return new Gauge({ name: nameOf(name), help, labelNames, registers: [this.registry] });
  }

  /** How many of something there are now: counted where they are, and told when somebody asks. */
  liveCount(name: string, help: string): LiveCount {
    const level = { now: 0 };
    this.observableGauge(name, help, [], () => [{ labels: {}, value: level.now }]);
    return level;
  }

  /** One for each value of a label. */
  liveCountsByLabel<Label extends string>(
    name: string,
    help: string,
    label: Label,
  ): (of: string) => LiveCount {
    const levels = new Map<string, LiveCount>();
    this.observableGauge(name, help, [label], () =>
      [...levels].map(([of, { now }]) => ({ labels: { [label]: of } as Record<Label, string>, value: now })),
    );
    return (of) => {
      const level = levels.get(of) ?? { now: 0 };
      levels.set(of, level);
      return level;
    };
  }

  /** Looked up when somebody asks for the metrics. What it gives is the value; undefined, or a rejection: none. */
  observableGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    look: () => Promise<readonly Measurement<Label>[]> | readonly Measurement<Label>[],
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name: nameOf(name),
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        try {
          const measured = await look();
          this.reset();
          for (const { labels, value } of measured) this.set(labels, value);
        } catch {
          // An old number would be taken for a new one.
          this.reset();
        }
      },
    });
    gauge.reset();
  }

  /** What watches the process stops; what was counted can still be asked for. */
  close(): void {
    this.processMetrics.close();
  }

  /** In Prometheus' text format. */
  text(): Promise<Text> {
    const now = performance.now();
    if (this.cachedText && now < this.cachedText.at + TEXT_CACHE_MS) return this.cachedText.text;
    for (const values of this.buffers) values.handOver();
    const text = this.registry.metrics().then((body) => ({ contentType: this.registry.contentType, body }));
    this.cachedText = { at: now, text };
    return text;
  }

  /** Of every metric that there can be, without the suffixes of histograms. */
  names(): readonly string[] {
    return this.registry.getMetricsAsArray().map(({ name }) => name);
  }

  private addBuffer<Values extends Durations | Counts>(values: Values): Values {
    this.buffers.push(values);
    return values;
  }
}

/** Set by whoever counts. */
export interface LiveCount {
  now: number;
}

export interface Measurement<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** A rule looks whether they become more, and a series that begins with 1 does not: these are there from the start, as 0. */
const RARE_ALERTS = ['operator-needed', 'reversal-failed'];

const nameOf = (name: string): string => `tillstream_${name}`;
