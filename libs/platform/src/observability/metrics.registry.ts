import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '../logging/log.js';
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

/** Requests for metrics need no key, so their cost is bounded: within this time they get the same text. */
const TEXT_CACHE_MS = 500;

export type MetricsText = { readonly contentType: string; readonly body: string };

/**
 * The metrics of one process: those of every process, and those that its app adds. Label values come from fixed sets: route
 * templates, kinds of operations, outcomes; never a path, an id or a name from a request.
 */
export class MetricsRegistry {
  private readonly registry = new Registry();
  private readonly processMetrics = watchProcess(this.registry);
  private cachedText: { readonly until: number; readonly text: Promise<MetricsText> } | undefined;

  readonly alerts = this.counter('alerts_total', 'Log lines of level error, by event.', ['event']);

  /** `rareAlerts`: they start with 0, since an alert rule for an increase would miss a series that starts with 1. */
  constructor({ app, version, mode }: ProcessInfo, rareAlerts: readonly string[] = []) {
    this.registry.setDefaultLabels({ app });
    for (const event of rareAlerts) this.alerts.labels(event).inc(0);
    const help = 'Always 1; its labels describe this process.';
    this.observableGauge('build_info', help, ['version', 'mode', 'node'], () => [
      [1, version, mode, process.version],
    ]);
  }

  /** Counts the errors of a log by event name. Event names are constants of the code. */
  log(log: Log): Log {
    return {
      ...log,
      error: (event, fields) => {
        this.alerts.labels(event).inc();
        log.error(event, fields);
      },
    };
  }

  /** Of durations in seconds. */
  histogram(name: string, help: string, labelNames: string[], buckets = BUCKETS): Histogram {
    return new Histogram({ name: fullName(name), help, labelNames, buckets, registers: [this.registry] });
  }

  counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name: fullName(name), help, labelNames, registers: [this.registry] });
  }

  /** A gauge that its user counts up and down. */
  liveCount(name: string, help: string): LiveCount {
    const count = { now: 0 };
    this.observableGauge(name, help, [], () => [[count.now]]);
    return count;
  }

  /** One live count for each value of a label. */
  liveCountsByLabel(name: string, help: string, label: string): (value: string) => LiveCount {
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
  text(): Promise<MetricsText> {
    const now = performance.now();
    if (this.cachedText && now < this.cachedText.until) return this.cachedText.text;
    const text = this.registry.metrics().then((body) => ({ contentType: this.registry.contentType, body }));
    this.cachedText = { until: now + TEXT_CACHE_MS, text };
    return text;
  }
}

const fullName = (name: string): string => `tillstream_${name}`;
