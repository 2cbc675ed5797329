import { historyFingerprint, type EventStore } from '@tillstream/event-store';
import type { ReadModels } from '@tillstream/read-models';
import type { ProcessorGuards } from '../processors/processor.guards.js';
import type { DiskSpace } from '../data-directory/disk-space.js';
import type { Metrics } from './metrics.js';
import { cachedLookup } from './cached.lookup.js';

export interface GaugeSources {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly processors: Pick<ProcessorGuards, 'states' | 'status'>;
  readonly disk: Pick<DiskSpace, 'free'>;
  readonly readModels: Pick<ReadModels, 'status'>;
  /** Left out: operations without an outcome are another app's. */
  readonly unknownOutcomes?: UnknownOutcomesQuery;
}

/** Operations without an outcome, as the resolver's table has them. */
export interface UnknownOutcomesQuery {
  summary(): Promise<{
    readonly open: number;
    /** Service's clock. */
    readonly oldestAgeMs?: number;
    readonly lateApprovals: number;
  }>;
  list(request: { readonly limit: number }): Promise<{
    readonly items: readonly { readonly amount?: number; readonly currency: string }[];
  }>;
}

/** Those that read tables or streams are looked up at most this often, whoever asks. */
const LOOKUP_INTERVAL_MS = 5_000;
/** Summed over those that are unknown for longest; more of them are an emergency of their own. */
const MAX_HELD_SUMMED = 100;

/** What is true now, and is looked up when somebody asks for the metrics. */
export function registerServiceGauges(
  metrics: Metrics,
  { store, processors, disk, readModels, unknownOutcomes }: GaugeSources,
): void {
  const ofBreaker = ['processor', 'state'] as const;
  const breaker = 'The state that the circuit breaker is in, of this instance: 1, the others 0.';
  metrics.observableGauge('processor_breaker_state', breaker, ofBreaker, () =>
    processors
      .states()
      .flatMap(({ name: processor, state: now }) =>
        STATES.map((state) => ({ labels: { processor, state }, value: state === now ? 1 : 0 })),
      ),
  );
  const status = cachedLookup(LOOKUP_INTERVAL_MS, () => processors.status());
  metrics.observableGauge(
    'processor_stopped',
    '1: an operator stopped sending to it.',
    ['processor'],
    async () =>
      (await status()).map(({ name: processor, stopped }) => ({
        labels: { processor },
        value: stopped ? 1 : 0,
      })),
  );
  metrics.observableGauge('disk_free_bytes', 'Free on the disk of DATA_DIR.', [], async () => [
    { labels: {}, value: await disk.free() },
  ]);
  registerHistoryGauge(metrics, store);
  registerProjectionGauges(metrics, readModels);
  if (unknownOutcomes) registerUnknownOutcomeGauges(metrics, unknownOutcomes);
}

const STATES = ['Closed', 'Open', 'HalfOpen'] as const;

function registerHistoryGauge(metrics: Metrics, store: GaugeSources['store']): void {
  let history: string | undefined;
  const help =
    'Always 1; its label names the history of events, by its beginning. Absent before the first event.';
  metrics.observableGauge('event_store_info', help, ['history'], async () => {
    history ??= await historyFingerprint(store);
    return history === undefined ? [] : [{ labels: { history }, value: 1 }];
  });
}

function registerProjectionGauges(metrics: Metrics, readModels: GaugeSources['readModels']): void {
  const lists = cachedLookup(LOOKUP_INTERVAL_MS, () => readModels.status());
  const lag =
    'Events that a list does not show yet, counted up to 1000; those of this API’s own answers it shows at once.';
  metrics.observableGauge('projection_lag_events', lag, ['projection'], async () =>
    (await lists()).map(({ name: projection, lagEvents: value }) => ({ labels: { projection }, value })),
  );
  metrics.observableGauge(
    'projection_halted',
    '1: it met an event that it can’t read.',
    ['projection'],
    async () =>
      (await lists()).map(({ name: projection, status }) => ({
        labels: { projection },
        value: status === 'Halted' ? 1 : 0,
      })),
  );
}

function registerUnknownOutcomeGauges(metrics: Metrics, unknown: UnknownOutcomesQuery): void {
  const summary = cachedLookup(LOOKUP_INTERVAL_MS, () => unknown.summary());
  const one = (
    value: number,
  ): readonly { readonly labels: Record<never, string>; readonly value: number }[] => [{ labels: {}, value }];
  metrics.observableGauge('unknown_outcomes_open', 'Operations whose outcome nobody knows.', [], async () =>
    one((await summary()).open),
  );
  metrics.observableGauge(
    'unknown_outcome_oldest_age_seconds',
    'How long the oldest of them is unknown; 0: there is none.',
    [],
    async () => one(((await summary()).oldestAgeMs ?? 0) / 1000),
  );
  metrics.observableGauge(
    'late_approvals',
    'Approvals of what was closed as "did not happen", in all of history.',
    [],
    async () => one((await summary()).lateApprovals),
  );
  const held = cachedLookup(LOOKUP_INTERVAL_MS, () => unknown.list({ limit: MAX_HELD_SUMMED }));
  const help = `Cents of the operations that are unknown, of the ${MAX_HELD_SUMMED} that are it for longest: nobody knows whether they were moved.`;
  metrics.observableGauge('held_amount_cents', help, ['currency'], async () => {
    const sums = new Map<string, number>([
      ['USD', 0],
      ['CAD', 0],
    ]);
    for (const { amount = 0, currency } of (await held()).items) {
      sums.set(currency, (sums.get(currency) ?? 0) + amount);
    }
    return [...sums].map(([currency, value]) => ({ labels: { currency }, value }));
  });
}
