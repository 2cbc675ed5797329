import { EventStoreError, type Append, type AppendResult, type EventStore } from '@tillstream/event-store';
import type { IdempotencyStore, ReadModelWriter } from '@tillstream/payments';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Measures appends and their results. */
export class AppendMeter {
  constructor(
    private readonly metrics: Pick<Metrics, 'appendDuration' | 'appendsInFlight' | 'eventsAppended'>,
    private readonly tracing: Tracing,
  ) {}

  measure<Result>(
    { stream, events }: Append,
    work: () => Promise<Result>,
    resultOf: (result: Result) => AppendResult['kind'] | 'Taken',
  ): Promise<Result> {
    // Not the stream's name: it may be a hash of a merchant's data.
    const endSpan = this.tracing.leaf('append', {
      'tillstream.category': stream.slice(0, stream.indexOf('-')),
      'tillstream.events': events.length,
    });
    const startedAt = performance.now();
    this.metrics.appendsInFlight.now += 1;
    const end = (kind: string): void => {
      this.metrics.appendsInFlight.now -= 1;
      this.metrics.appendDuration.labels(kind).observe((performance.now() - startedAt) / 1000);
      endSpan({ 'tillstream.result': kind });
    };
    return observePromise(
      work(),
      (result) => {
        const kind = resultOf(result);
        if (kind === 'Appended')
          for (const { type } of events) this.metrics.eventsAppended.labels(type).inc();
        end(kind);
      },
      (error) => end(error instanceof EventStoreError ? error.code : 'Failed'),
    );
  }
}

const kindOf = ({ kind }: AppendResult): AppendResult['kind'] => kind;

/** Wraps a store with metrics. */
export function observedStore(
  store: EventStore,
  meter: AppendMeter,
  metrics: Pick<Metrics, 'readDuration'>,
): EventStore {
  const ofStream = metrics.readDuration.labels('stream');
  const ofAll = metrics.readDuration.labels('all');
  return {
    append: (append) => meter.measure(append, () => store.append(append), kindOf),
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

/** Wraps a store of idempotency keys. A reservation with an append is measured as an append. */
export function observedIdempotency(keys: IdempotencyStore, meter: AppendMeter): IdempotencyStore {
  return {
    find: (merchantId, key) => keys.find(merchantId, key),
    reserve: (record, append, replaces) =>
      meter.measure(
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

/** Wraps a writer of rows with metrics. */
export function observedRows(
  rows: ReadModelWriter,
  { rowDuration, rowsInFlight }: Pick<Metrics, 'rowDuration' | 'rowsInFlight'>,
): ReadModelWriter {
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

function timed<Result>(
  duration: { observe(seconds: number): void },
  startedAt: number,
  work: Promise<Result>,
): Promise<Result> {
  const end = (): void => duration.observe((performance.now() - startedAt) / 1000);
  return observePromise(work, end, end);
}

/** Returns the same promise, so that the caller does not wait for a further microtask. */
function observePromise<Result>(
  promise: Promise<Result>,
  fulfilled: (result: Result) => void,
  rejected: (error: unknown) => void,
): Promise<Result> {
  void promise.then(fulfilled, rejected);
  return promise;
}
