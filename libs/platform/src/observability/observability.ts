import { readFileSync } from 'node:fs';
import type { EventStore } from '@tillstream/event-store';
import type { IdempotencyStore, ReadModelWriter } from '@tillstream/payments';
import type { CallObserver } from '@tillstream/processors';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import { Metrics, type ProcessInfo } from './metrics.js';
import { observedOperation, type ObservedOperation } from './operation.metrics.js';
import { AppendMeter, observedIdempotency, observedRows, observedStore } from './store.metrics.js';
import { noTracing, type Tracing } from './tracing.js';

/** The metrics and traces of a process. */
export class Observability {
  private readonly appends: AppendMeter;

  constructor(
    readonly metrics: Metrics,
    readonly tracing: Tracing,
  ) {
    this.appends = new AppendMeter(metrics, tracing);
  }

  /* Each function returns its argument wrapped with metrics. */

  store(store: EventStore): EventStore {
    return observedStore(store, this.appends, this.metrics);
  }

  idempotency(keys: IdempotencyStore): IdempotencyStore {
    return observedIdempotency(keys, this.appends);
  }

  rows(rows: ReadModelWriter): ReadModelWriter {
    return observedRows(rows, this.metrics);
  }

  /** Runs the use case of an operation. */
  operation<Result>(operation: ObservedOperation, run: () => Promise<Result>): Promise<Result> {
    return observedOperation(operation, run, this.metrics, this.tracing);
  }

  /** Counts the errors of a log by event name. Event names are constants of the code. */
  log(log: Log): Log {
    return {
      ...log,
      error: (event, fields) => {
        this.metrics.alerts.labels(event).inc();
        log.error(event, fields);
      },
    };
  }

  /** Measures the calls to a processor. Each is a span of its request's trace. */
  calls(processor: string): CallObserver {
    const { processorDuration, processorInFlight } = this.metrics;
    const inFlight = processorInFlight(processor);
    return (call, key) => {
      const endSpan = this.tracing.leaf(`processor ${call}`, {
        'tillstream.processor': processor,
        'tillstream.key': key,
      });
      const startedAt = performance.now();
      inFlight.now += 1;
      return (end) => {
        inFlight.now -= 1;
        processorDuration.labels(processor, call, end).observe((performance.now() - startedAt) / 1000);
        endSpan({ 'tillstream.end': end });
      };
    };
  }

  /** Sends the last spans. Never rejects. */
  close(): Promise<void> {
    this.metrics.close();
    return this.tracing.stop();
  }
}

/** The version is that of all packages of the project. */
export function processInfo(app: string, mode: string): ProcessInfo {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return { app, mode, version };
}

/** Loads the SDK of OpenTelemetry only if a collector is configured. */
export async function openObservability(
  { otlpEndpoint, tracePercent }: Pick<Config, 'otlpEndpoint' | 'tracePercent'>,
  about: ProcessInfo,
): Promise<Observability> {
  const metrics = new Metrics(about);
  if (otlpEndpoint === undefined) return new Observability(metrics, noTracing);
  const { OtlpTracing } = await import('./otlp.tracing.js');
  return new Observability(
    metrics,
    new OtlpTracing({ ...about, endpoint: otlpEndpoint, percent: tracePercent }),
  );
}
