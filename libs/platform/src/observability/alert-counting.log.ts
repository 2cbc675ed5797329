import type { Log } from '../logging/log.js';
import type { Metrics } from './metrics.js';

/** The same log; its errors, which are for somebody to look at, are counted by name. Names are constants of the code. */
export function alertCountingLog(log: Log, { alerts }: Pick<Metrics, 'alerts'>): Log {
  return {
    ...log,
    error: (event, fields) => {
      alerts.withLabels(event).inc();
      log.error(event, fields);
    },
  };
}
