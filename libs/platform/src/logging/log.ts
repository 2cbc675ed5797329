import type { PaymentsLog } from '@tillstream/payments';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { loggable } from './log.fields.js';

export interface Log extends PaymentsLog {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Writes all buffered lines before it returns. */
  flush(): void;
}

/** Lines below `warn` are buffered: a system call for each line would cost more than the line. */
const BUFFER_BYTES = 12_288;
const FLUSH_INTERVAL_MS = 100;

/**
 * Writes one JSON object a line, with the fields that `log.fields.ts` allows.
 * @param to left out: stderr, which gets warnings and errors at once, and other lines within 100 ms
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
  // A flush during a write does nothing, so it is repeated after the write.
  let needsFlush = false;
  stderr?.on('drain', () => {
    if (!needsFlush) return;
    needsFlush = false;
    stderr.flush();
  });
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (!logger.isLevelEnabled(name)) return;
      logger[name](loggable(event, fields));
      if (name === 'debug' || name === 'info') return;
      needsFlush = true;
      stderr?.flush();
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
