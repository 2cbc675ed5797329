import type { PaymentsLog } from '@tillstream/payments';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { loggable } from './log.fields.js';

export interface Log extends PaymentsLog {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Waits for nothing: what was logged is written when it returns. */
  flush(): void;
}

/** What is no trouble is written together: a call into the system for each line would cost more than the line. */
const BUFFER_BYTES = 12_288;
const FLUSH_INTERVAL_MS = 100;

/**
 * One JSON object a line, by the allow-list of `log.fields.ts`. Left out, `to` is stderr: warnings and errors are written
 * at once, with all before them, other lines within a tenth of a second.
 */
export function createLog(level: string, to?: DestinationStream): Log {
  const stderr = to
    ? undefined
    : destination({ fd: 2, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` };
  const logger: Logger = pino(
    { ...options, formatters: { level: (label: string) => ({ level: label }) } },
    to ?? (stderr as DestinationStream),
  );
  // While something is being written a flush does nothing: it is repeated then.
  let isUrgent = false;
  const hurry = (): void => {
    isUrgent = true;
    stderr?.flush();
  };
  stderr?.on('drain', () => {
    if (!isUrgent) return;
    isUrgent = false;
    stderr.flush();
  });
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (!logger.isLevelEnabled(name)) return;
      logger[name](loggable(event, fields));
      if (name === 'warn' || name === 'error') hurry();
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => stderr?.flushSync(),
  };
}

export const noLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  flush: () => undefined,
};
