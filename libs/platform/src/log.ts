import type { PaymentsLog } from '@tillstream/payments';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { loggable } from './log.fields.js';

export interface Log extends PaymentsLog {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Waits for nothing: what was logged is written when it returns. */
  flush(): void;
}

/** One JSON object a line, by the allow-list of `log.fields.ts`. Left out, `to` is stderr. */
export function createLog(level: string, to?: DestinationStream): Log {
  const stderr = to ? undefined : destination({ fd: 2, sync: false });
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` };
  const logger: Logger = pino(
    { ...options, formatters: { level: (label: string) => ({ level: label }) } },
    to ?? (stderr as DestinationStream),
  );
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (logger.isLevelEnabled(name)) logger[name](loggable({ event, ...fields }));
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
