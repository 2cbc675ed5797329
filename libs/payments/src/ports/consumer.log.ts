import type { ConsumerLog } from '@tillstream/event-consumers';
import type { PaymentsLog } from './log.port.js';

/** The prefix of the log events of a group of leading tasks. */
export type LogArea = 'resolver' | 'batches' | 'webhooks';

/** Logs an area's consumers and tasks: `<area>-failed`, `<area>-recovered`, `<area>-fed-anew`. */
export function consumerLog(log: PaymentsLog, area: LogArea): ConsumerLog {
  return {
    failing: (name, reason) => log.error(`${area}-failed`, { reason: `${name}: ${reason}` }),
    halted: (name, reason, position) =>
      log.error(`${area}-failed`, { reason: `${name} halted after ${position ?? 'nothing'}: ${reason}` }),
    recovered: (name) => log.info(`${area}-recovered`, { reason: name }),
    wasReset: (name) =>
      log.warn(`${area}-fed-anew`, { reason: `${name}: an older copy of the events was restored` }),
  };
}
