import type { EventStore } from '@tillstream/event-store';
import type { IdempotencyStore, ReadModelWriter } from '@tillstream/payments';
import type { CallObserver } from '@tillstream/processors';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import { alertCountingLog } from './alert-counting.log.js';
import { Metrics, type ProcessInfo } from './metrics.js';
import { observedCalls } from './processor-call.metrics.js';
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

  log(log: Log): Log {
    return alertCountingLog(log, this.metrics);
  }

  calls(processor: string): CallObserver {
    return observedCalls(processor, this.metrics, this.tracing);
  }

  /** Sends the last spans. Never rejects. */
  close(): Promise<void> {
    this.metrics.close();
    return this.tracing.stop();
  }
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
