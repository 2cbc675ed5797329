import type { CallObserver } from '@tillstream/processors';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Measures the calls to a processor. Each is a span of its request's trace. */
export function observedCalls(
  processor: string,
  metrics: Pick<Metrics, 'processorDuration' | 'processorInFlight'>,
  tracing: Tracing,
): CallObserver {
  const inFlight = metrics.processorInFlight(processor);
  return (call, key) => {
    const endSpan = tracing.leaf(`processor ${call}`, {
      'tillstream.processor': processor,
      'tillstream.key': key,
    });
    const startedAt = performance.now();
    inFlight.now += 1;
    return (end) => {
      inFlight.now -= 1;
      metrics.processorDuration
        .withLabels(processor, call, end)
        .observe((performance.now() - startedAt) / 1000);
      endSpan({ 'tillstream.end': end });
    };
  };
}
