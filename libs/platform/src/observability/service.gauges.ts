import { historyFingerprint, type EventStore } from '@tillstream/event-store';
import type { ReadModels } from '@tillstream/read-models';
import { cachedLookup } from '@tillstream/runtime';
import type { ProcessorGuards } from '../processors/processor.guards.js';
import type { DiskSpace } from '../data-directory/disk-space.js';
import type { Metrics } from './metrics.js';
import type { MetricsRegistry } from './metrics.registry.js';

export interface GaugeSources {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly processors: Pick<ProcessorGuards, 'states' | 'status'>;
  readonly disk: Pick<DiskSpace, 'free'>;
  readonly readModels: Pick<ReadModels, 'status' | 'runningRebuilds'>;
  /** Left out by an app without the resolver. */
  readonly unknownOutcomes?: UnknownOutcomesQuery;
}

/** Operations with an unknown outcome, from the resolver's work queue. */
export interface UnknownOutcomesQuery {
  summary(): Promise<{
    readonly open: number;
    /** By the service's clock. */
    readonly oldestAgeMs?: number;
    readonly lateApprovals: number;
  }>;
  list(request: { readonly limit: number }): Promise<{
    readonly items: readonly { readonly amount?: number; readonly currency: string }[];
  }>;
}

/** Gauges that read tables or streams are measured at most this often. */
const LOOKUP_INTERVAL_MS = 5_000;
/** The held amount is the sum over the oldest unknown outcomes. More of them are an emergency of their own. */
const HELD_SUMMED_MAX = 100;

const STATES = ['Closed', 'Open', 'HalfOpen'] as const;

/** Registers the gauges that are measured for each scrape. */
export function registerServiceGauges(
  metrics: Metrics,
  { store, processors, disk, readModels, unknownOutcomes }: GaugeSources,
): void {
  const breaker = 'State of the circuit breaker of this instance: 1 for the current state, else 0.';
  metrics.observableGauge('processor_breaker_state', breaker, ['processor', 'state'], () =>
    processors
      .states()
      .flatMap(({ name, state }) => STATES.map((each) => [each === state ? 1 : 0, name, each] as const)),
  );
  const status = cachedLookup(LOOKUP_INTERVAL_MS, () => processors.status());
  const stop = '1: an operator stopped the processor.';
  metrics.observableGauge('processor_stopped', stop, ['processor'], async () =>
    (await status()).map(({ name, stopped }) => [stopped ? 1 : 0, name]),
  );
  metrics.observableGauge('disk_free_bytes', 'Free space on the disk of DATA_DIR.', [], async () => [
    [await disk.free()],
  ]);
  registerHistoryGauge(metrics, store);
  registerProjectionGauges(metrics, readModels);
  if (unknownOutcomes) registerUnknownOutcomeGauges(metrics, unknownOutcomes);
}

function registerHistoryGauge(metrics: Metrics, store: GaugeSources['store']): void {
  let history: string | undefined;
  const help =
    'Always 1; its label identifies the history by its first event. Absent before the first event.';
  metrics.observableGauge('event_store_info', help, ['history'], async () => {
    history ??= await historyFingerprint(store);
    return history === undefined ? [] : [[1, history]];
  });
}

function registerProjectionGauges(metrics: Metrics, readModels: GaugeSources['readModels']): void {
  const lists = cachedLookup(LOOKUP_INTERVAL_MS, () => readModels.status());
  const lag =
    'Events that a list does not show yet, counted up to 1000. This API’s own events are shown at once.';
  metrics.observableGauge('projection_lag_events', lag, ['projection'], async () =>
    (await lists()).map(({ name, lagEvents }) => [lagEvents, name]),
  );
  const halt = '1: the projection stopped at an unreadable event.';
  metrics.observableGauge('projection_halted', halt, ['projection'], async () =>
    (await lists()).map(({ name, status }) => [status === 'Halted' ? 1 : 0, name]),
  );
  registerRebuildGauges(metrics, readModels);
}

/** Of the rebuilds that this process does. Rate and time left follow from both. */
export function registerRebuildGauges(
  metrics: MetricsRegistry,
  readModels: Pick<ReadModels, 'runningRebuilds'>,
): void {
  const done = 'Events that a running rebuild of the list has handled. Absent if none runs in this process.';
  metrics.observableGauge('rebuild_events', done, ['projection'], () =>
    readModels.runningRebuilds().map(({ projection, events }) => [events, projection] as const),
  );
  const expected = 'Events that this rebuild is expected to handle. Absent if it is not known.';
  metrics.observableGauge('rebuild_expected_events', expected, ['projection'], () =>
    readModels
      .runningRebuilds()
      .flatMap(({ projection, expectedEvents }) =>
        expectedEvents === undefined ? [] : [[expectedEvents, projection] as const],
      ),
  );
}

function registerUnknownOutcomeGauges(metrics: Metrics, unknown: UnknownOutcomesQuery): void {
  const summary = cachedLookup(LOOKUP_INTERVAL_MS, () => unknown.summary());
  type Summary = Awaited<ReturnType<typeof summary>>;
  const summaryGauge = (name: string, help: string, valueOf: (summary: Summary) => number): void =>
    metrics.observableGauge(name, help, [], async () => [[valueOf(await summary())]]);
  summaryGauge('unknown_outcomes_open', 'Operations with an unknown outcome.', ({ open }) => open);
  summaryGauge(
    'unknown_outcome_oldest_age_seconds',
    'Age of the oldest unknown outcome; 0: there is none.',
    ({ oldestAgeMs = 0 }) => oldestAgeMs / 1000,
  );
  summaryGauge(
    'late_approvals',
    'Late executions in all of history: approvals of operations that were closed as not executed.',
    ({ lateApprovals }) => lateApprovals,
  );
  const held = cachedLookup(LOOKUP_INTERVAL_MS, () => unknown.list({ limit: HELD_SUMMED_MAX }));
  const help = `Cents of the ${HELD_SUMMED_MAX} oldest operations with an unknown outcome.`;
  metrics.observableGauge('held_amount_cents', help, ['currency'], async () => {
    const sums = new Map([
      ['USD', 0],
      ['CAD', 0],
    ]);
    for (const { amount = 0, currency } of (await held()).items) {
      sums.set(currency, (sums.get(currency) ?? 0) + amount);
    }
    return [...sums].map(([currency, sum]) => [sum, currency]);
  });
}
