import type { Resolver, UnknownOutcomes } from '@tillstream/payments';
import { registerServiceGauges, type Adapters, type Metrics } from '@tillstream/platform';
import { cachedLookup } from '@tillstream/runtime';
import type { MerchantTurns, TurnSummary } from '../access/merchant.turns.js';
import type { ReadinessGate } from '../api.parts.js';
import { ReadinessChecks } from '../health/readiness.checks.js';

const CHECK_EVERY_MS = 2_000;

/** Registers the gauges of the API that are computed when the metrics are read. */
export function watchApi(adapters: Adapters, gate: ReadinessGate, unknownOutcomes: UnknownOutcomes): void {
  const { observability, store, processors, disk, readModels } = adapters;
  const { metrics } = observability;
  registerServiceGauges(metrics, { store, processors, disk, readModels, unknownOutcomes });
  const checks = new ReadinessChecks(adapters, gate);
  const run = cachedLookup(CHECK_EVERY_MS, () => checks.run());
  const help = 'The result of a check of /health/ready: 1 ok, 0.5 warning, 0 failed.';
  metrics.observableGauge('ready', help, ['check'], async () => {
    const worst = new Map<string, number>();
    for (const { name, state } of await run()) {
      worst.set(name, Math.min(worst.get(name) ?? 1, { ok: 1, warning: 0.5, failed: 0 }[state]));
    }
    return [...worst].map(([check, value]) => [value, check]);
  });
}

/** Registers the gauges of the consumer that feeds the resolver's work queue. */
export function watchResolver(
  metrics: Pick<Metrics, 'observableGauge'>,
  resolver: Pick<Resolver, 'feedStatus'>,
): void {
  const status = cachedLookup(CHECK_EVERY_MS, () => resolver.feedStatus());
  const lag = 'Events that the resolver has not read yet, counted up to 1000.';
  metrics.observableGauge('resolver_lag_events', lag, [], async () => [[(await status())?.lagEvents ?? 0]]);
  const halted = '1: the resolver of this process stopped at an event that this version can not read.';
  metrics.observableGauge('resolver_halted', halted, [], async () => [
    [(await status())?.state === 'Halted' ? 1 : 0],
  ]);
}

/** Registers the gauges of merchants' requests. They have no label for a merchant: there may be any number of them. */
export function watchTurns(
  metrics: Pick<Metrics, 'observableGauge'>,
  turns: Pick<MerchantTurns, 'summary'>,
): void {
  const gauge = (name: string, help: string, value: keyof TurnSummary): void =>
    metrics.observableGauge(name, help, [], () => [[turns.summary()[value]]]);
  gauge('merchant_requests_queued', 'Requests of merchants that wait for their turn.', 'queued');
  gauge(
    'merchant_requests_in_flight_most',
    'Requests in flight of the merchant that has the most.',
    'mostInFlight',
  );
  gauge(
    'merchants_at_request_limit',
    'Merchants that have as many requests in flight as they may have.',
    'merchantsAtLimit',
  );
}
