import { readFileSync } from 'node:fs';
import { EventStoreError, type Append, type AppendResult, type EventStore } from '@tillstream/event-store';
import type { IdempotencyStore, ReadModelWriter } from '@tillstream/payments';
import type { CallObserver } from '@tillstream/processors';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import { Metrics } from './metrics.js';
import type { ProcessInfo } from './metrics.registry.js';
import { callResult, type ObservedOperation, type OperationResult } from './operation.result.js';
import { noTracing, type Tracing } from './tracing.js';

/** The metrics and traces of a process. Each method with an argument returns it wrapped with them. */
export class Observability {
  constructor(
    readonly metrics: Metrics,
    readonly tracing: Tracing,
  ) {}

  store(store: EventStore): EventStore {
    const ofStream = this.metrics.readDuration.labels('stream');
    const ofAll = this.metrics.readDuration.labels('all');
    return {
      append: (append) => this.append(append, () => store.append(append), kindOf),
      readStream: (stream, options) => timed(ofStream, performance.now(), store.readStream(stream, options)),
      readAll: (options) => timed(ofAll, performance.now(), store.readAll(options)),
      readHeaders: (options) => store.readHeaders(options),
      head: () => store.head(),
      onAppended: (listener) => store.onAppended(listener),
      subscribeToAll: (options, subscriber) => store.subscribeToAll(options, subscriber),
      comparePositions: (a, b) => store.comparePositions(a, b),
      close: () => store.close(),
    };
  }

  /** A reservation with an append is measured as an append. */
  idempotency(keys: IdempotencyStore): IdempotencyStore {
    return {
      find: (merchantId, key) => keys.find(merchantId, key),
      reserve: (record, append, replaces) =>
        this.append(
          append,
          () => keys.reserve(record, append, replaces),
          (reserved) => (reserved.kind === 'Taken' ? 'Taken' : reserved.result.kind),
        ),
      reserveAlone: (record, replaces) => keys.reserveAlone(record, replaces),
      release: (merchantId, key, commandId) => keys.release(merchantId, key, commandId),
      storeResponse: (merchantId, key, commandId, answer) =>
        keys.storeResponse(merchantId, key, commandId, answer),
      listWithResponse: (reservedBefore, after, limit) => keys.listWithResponse(reservedBefore, after, limit),
    };
  }

  rows(rows: ReadModelWriter): ReadModelWriter {
    const { rowDuration, rowsInFlight } = this.metrics;
    const durations = rowDuration.labels();
    return {
      writeThrough(stream) {
        const startedAt = performance.now();
        rowsInFlight.now += 1;
        const end = (): void => {
          rowsInFlight.now -= 1;
          durations.observe((performance.now() - startedAt) / 1000);
        };
        return observePromise(rows.writeThrough(stream), end, end);
      },
    };
  }

  /** Runs the use case of an operation; counts its result and makes it a step of the request's trace. */
  operation<Result>({ type, span }: ObservedOperation, run: () => Promise<Result>): Promise<Result> {
    const { operations } = this.metrics;
    const counted = async (): Promise<Result> => {
      try {
        const result = await run();
        operations.labels(type, callResult(result as OperationResult)).inc();
        return result;
      } catch (error) {
        operations.labels(type, 'failed').inc();
        throw error;
      }
    };
    return this.tracing.enabled ? this.tracing.step(span, {}, counted) : counted();
  }

  /** Counts the errors of a log by event name. */
  log(log: Log): Log {
    return this.metrics.log(log);
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

  private append<Result>(
    { stream, events }: Append,
    work: () => Promise<Result>,
    resultOf: (result: Result) => AppendResult['kind'] | 'Taken',
  ): Promise<Result> {
    const { appendsInFlight, appendDuration, eventsAppended } = this.metrics;
    // Not the stream's name: it may be a hash of a merchant's data.
    const endSpan = this.tracing.leaf('append', {
      'tillstream.category': stream.slice(0, stream.indexOf('-')),
      'tillstream.events': events.length,
    });
    const startedAt = performance.now();
    appendsInFlight.now += 1;
    const end = (kind: string): void => {
      appendsInFlight.now -= 1;
      appendDuration.labels(kind).observe((performance.now() - startedAt) / 1000);
      endSpan({ 'tillstream.result': kind });
    };
    return observePromise(
      work(),
      (result) => {
        const kind = resultOf(result);
        if (kind === 'Appended') for (const { type } of events) eventsAppended.labels(type).inc();
        end(kind);
      },
      (error) => end(error instanceof EventStoreError ? error.code : 'Failed'),
    );
  }

  /** Sends the last spans. Never rejects. */
  close(): Promise<void> {
    this.metrics.close();
    return this.tracing.stop();
  }
}

const kindOf = ({ kind }: AppendResult): AppendResult['kind'] => kind;

function timed<Result>(
  duration: { observe(seconds: number): void },
  startedAt: number,
  work: Promise<Result>,
): Promise<Result> {
  const end = (): void => duration.observe((performance.now() - startedAt) / 1000);
  return observePromise(work, end, end);
}

/** Calls one of the two when the promise settles. @returns the same promise */
function observePromise<Result>(
  promise: Promise<Result>,
  fulfilled: (result: Result) => void,
  rejected: (error: unknown) => void,
): Promise<Result> {
  void promise.then(fulfilled, rejected);
  return promise;
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
