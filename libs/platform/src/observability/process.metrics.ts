import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 20;
const NANO = 1e9;
const MICRO = 1e6;

/**
 * What every process tells of itself, under the names that Prometheus’ clients use. The client's own collection watches
 * garbage collection by an observer that can not be ended, each time that it is begun anew in a process.
 */
export function watchProcess(registry: Registry): { close(): void } {
  const registers = [registry];
  const gauge = (name: string, help: string, look: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look());
      },
    });
  };
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time that this process took, of all its threads.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / MICRO);
    },
  });
  gauge(
    'process_start_time_seconds',
    'When it began, unix time.',
    () => Date.now() / 1000 - process.uptime(),
  );
  gauge('process_resident_memory_bytes', 'Memory that it has.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Of the heap, what is used.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'The heap.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Buffers and the like.', () => process.memoryUsage().external);
  gauge(
    'nodejs_active_resources',
    'Timers, connections and requests under way.',
    () => process.getActiveResourcesInfo().length,
  );
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const help = 'How late the event loop came to what was due, since this was last asked:';
  gauge('nodejs_eventloop_lag_p50_seconds', `${help} the median.`, () => delay.percentile(50) / NANO);
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    `${help} all but one of a hundred.`,
    () => delay.percentile(99) / NANO,
  );
  // The last of the three begins anew.
  gauge('nodejs_eventloop_lag_max_seconds', `${help} the longest.`, () => {
    const { max } = delay;
    delay.reset();
    return max / NANO;
  });
  return { close: () => void delay.disable() };
}
