import { MetricsRegistry, type ProcessInfo } from './metrics.registry.js';

/** Seconds. */
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

/** Log events of level `error` about batches that an alert rule looks for. */
export const BATCH_ALERTS: readonly string[] = [
  'batch-close-failed',
  'batch-not-closed',
  'cut-off-failed',
  'settlement-not-created',
  'month-end-failed',
  'funding-failed',
];
const RARE_ALERTS = ['operator-needed', 'reversal-failed', 'card-testing-suspected', ...BATCH_ALERTS];

/** The metrics of the API. */
export class Metrics extends MetricsRegistry {
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
  readonly turnsRefused = this.counter(
    'merchant_requests_refused_total',
    'Requests of a merchant that had too many in flight (429).',
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

  constructor(about: ProcessInfo) {
    super(about, RARE_ALERTS);
  }
}
