import type { UnknownOutcomes } from '@tillstream/payments';
import { registerServiceGauges, type Adapters } from '@tillstream/platform';
import { cachedLookup } from '@tillstream/runtime';
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
