import type { Log } from '../logging/log.js';
import type { Metrics } from './metrics.js';

/** Wraps a log, and counts its errors by event name. Event names are constants of the code. */
export function alertCountingLog(log: Log, { alerts }: Pick<Metrics, 'alerts'>): Log {
  return {
    ...log,
    error: (event, fields) => {
      alerts.withLabels(event).inc();
      log.error(event, fields);
    },
  };
}
