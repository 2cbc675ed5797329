import { boundedInteger, text, type Setting } from './setting.kinds.js';
import { SETTINGS } from './settings.table.js';

/** The settings of `apps/sandbox` alone. */
export const SANDBOX_SERVICE_ONLY_SETTINGS = {
  port: boundedInteger('SANDBOX_PORT', 0, 65_535, 3100, 'Port of the sandbox service; 0 is any free one.'),
  host: text(
    'SANDBOX_HOST',
    '127.0.0.1',
    'Address that the sandbox service listens on, without TLS: loopback, a private network, or behind what ends TLS.',
  ),
  dataDir: text(
    'SANDBOX_DATA_DIR',
    '.sandbox',
    "Directory of the sandbox service's ledger, created if missing.",
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

/** All settings of `apps/sandbox`. Those that the API shares must have the same values there. */
export const SANDBOX_SERVICE_SETTINGS = {
  ...SANDBOX_SERVICE_ONLY_SETTINGS,
  secret: SETTINGS.sandboxSecret,
  processorDeadline: SETTINGS.processorDeadline,
  brokenWordDelay: SETTINGS.sandboxBrokenWordDelay,
  logLevel: SETTINGS.logLevel,
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
