import type { CallObserver } from '@tillstream/processors';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Counts and times the calls to a processor; each is a step of the request that it is made for. */
export function observedCalls(
  processor: string,
  metrics: Pick<Metrics, 'processorDuration' | 'processorInFlight'>,
  tracing: Tracing,
): CallObserver {
  const inFlight = metrics.processorInFlight(processor);
  return (call, key) => {
    const spanEnded = tracing.enabled
      ? tracing.leaf(`processor ${call}`, { 'tillstream.processor': processor, 'tillstream.key': key })
      : undefined;
    const began = performance.now();
    inFlight.now += 1;
    return (end) => {
      inFlight.now -= 1;
      metrics.processorDuration.withLabels(processor, call, end).observe((performance.now() - began) / 1000);
      spanEnded?.({ 'tillstream.end': end });
    };
  };
}
