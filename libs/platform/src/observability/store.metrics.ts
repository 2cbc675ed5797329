import {
  EventStoreError,
  type Append,
  type AppendResult,
  type EventStore,
  type Subscriber,
  type SubscribeToAllOptions,
} from '@tillstream/event-store';
import type { IdempotencyStore, ReadModelWriter } from '@tillstream/payments';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** What appends cost and how they end, in whichever way they reach the store. */
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
    const spanEnded = this.tracing.enabled ? this.span(stream, events.length) : undefined;
    const began = performance.now();
    this.metrics.appendsInFlight.now += 1;
    const over = (ended: string): void => {
      this.metrics.appendsInFlight.now -= 1;
      this.metrics.appendDuration.withLabels(ended).observe((performance.now() - began) / 1000);
      spanEnded?.({ 'tillstream.result': ended });
    };
    return observePromise(
      work(),
      (result) => {
        const ended = resultOf(result);
        if (ended === 'Appended')
          for (const { type } of events) this.metrics.eventsAppended.withLabels(type).inc();
        over(ended);
      },
      (error) => over(error instanceof EventStoreError ? error.code : 'Failed'),
    );
  }

  /** A stream's category says enough: its name is an id, or a hash of what a merchant sent. */
  private span(stream: string, events: number): ReturnType<Tracing['leaf']> {
    const category = stream.slice(0, stream.indexOf('-'));
    return this.tracing.leaf('append', { 'tillstream.category': category, 'tillstream.events': events });
  }
}

/** The same store, measured. */
export function observedStore(
  store: EventStore,
  meter: AppendMeter,
  metrics: Pick<Metrics, 'readDuration'>,
): EventStore {
  const ofStream = metrics.readDuration.withLabels('stream');
  const ofAll = metrics.readDuration.withLabels('all');
  return {
    append: (append) =>
      meter.measure(
        append,
        () => store.append(append),
        ({ kind }) => kind,
      ),
    readStream: (stream, options) => timed(ofStream, () => store.readStream(stream, options)),
    readAll: (options) => timed(ofAll, () => store.readAll(options)),
    readHeaders: (options) => store.readHeaders(options),
    head: () => store.head(),
    onAppended: (listener) => store.onAppended(listener),
    subscribeToAll: (options: SubscribeToAllOptions, subscriber: Subscriber) =>
      store.subscribeToAll(options, subscriber),
    comparePositions: (a, b) => store.comparePositions(a, b),
    close: () => store.close(),
  };
}

/** The same keys; requests that are written with one are measured as the appends that they are. */
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

/** The same writer of rows, measured. */
export function observedRows(
  rows: ReadModelWriter,
  { rowDuration, rowsInFlight }: Pick<Metrics, 'rowDuration' | 'rowsInFlight'>,
): ReadModelWriter {
  const durations = rowDuration.withLabels();
  return {
    writeThrough(stream) {
      const began = performance.now();
      rowsInFlight.now += 1;
      const over = (): void => {
        rowsInFlight.now -= 1;
        durations.observe((performance.now() - began) / 1000);
      };
      return observePromise(rows.writeThrough(stream), over, over);
    },
  };
}

function timed<Result>(
  duration: { observe(seconds: number): void },
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const over = (): void => duration.observe((performance.now() - began) / 1000);
  return observePromise(work(), over, over);
}

/** The same promise: who waits for it goes on after what is said of it here, and not a turn later. */
function observePromise<Result>(
  promise: Promise<Result>,
  fulfilled: (result: Result) => void,
  rejected: (error: unknown) => void,
): Promise<Result> {
  void promise.then(fulfilled, rejected);
  return promise;
}
