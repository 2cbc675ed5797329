import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 20;
const NANO = 1e9;
const MICRO = 1e6;

/**
 * The process metrics under the names of Prometheus' clients. Not by `collectDefaultMetrics`: prom-client 15 starts its
 * observers of garbage collection and event loop without a way to stop them, so they would leak with each service that a
 * process opens and closes. It can't leave a metric out.
 */
export function watchProcess(registry: Registry): { close(): void } {
  const registers = [registry];
  const gauge = (name: string, help: string, measure: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(measure());
      },
    });
  };
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of all threads of this process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / MICRO);
    },
  });
  gauge(
    'process_start_time_seconds',
    'Start of the process, Unix time.',
    () => Date.now() / 1000 - process.uptime(),
  );
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Used heap.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Total heap.', () => process.memoryUsage().heapTotal);
  gauge(
    'nodejs_external_memory_bytes',
    'Memory outside the heap, such as buffers.',
    () => process.memoryUsage().external,
  );
  gauge(
    'nodejs_active_resources',
    'Active timers, connections and requests.',
    () => process.getActiveResourcesInfo().length,
  );
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const help = 'Delay of the event loop since the last scrape:';
  gauge('nodejs_eventloop_lag_p50_seconds', `${help} 50th percentile.`, () => delay.percentile(50) / NANO);
  gauge('nodejs_eventloop_lag_p99_seconds', `${help} 99th percentile.`, () => delay.percentile(99) / NANO);
  // Measured last of the three, so that it can reset the histogram.
  gauge('nodejs_eventloop_lag_max_seconds', `${help} maximum.`, () => {
    const { max } = delay;
    delay.reset();
    return max / NANO;
  });
  return { close: () => void delay.disable() };
}
