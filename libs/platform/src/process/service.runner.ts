import { createLog, type Log } from '../logging/log.js';
import { prepareProcess } from './process.environment.js';
import { ConfigError } from '../configuration/setting.kinds.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;

/** What a program of the house is, without what every one of them does around it. */
export interface Service<Settings extends { readonly logLevel: string }> {
  /** Printed for `--help`. */
  help(): string;
  /** Throws a `ConfigError`. */
  read(environment: Readonly<Record<string, string | undefined>>): Settings;
  /** Where it is to listen, and the settings that say so. */
  address(settings: Settings): ListeningSettings;
  /** Rejects with a `ConfigError` where a setting turns out wrong. */
  start(settings: Settings, log: Log): Promise<{ stop(): Promise<void> }>;
  /** A signal so many ms after the first does not wait for the stop. Left out: every further one is passed over. */
  readonly impatientAfterMs?: number;
}

export interface ListeningSettings {
  readonly port: number;
  readonly host: string;
  readonly portSetting: string;
  readonly hostSetting: string;
}

/**
 * A whole program: settings from the environment and from a file `.env`, one sentence and an exit code (2 wrong settings,
 * 1 else) where it can't start, a clean stop on SIGINT and SIGTERM, and an end on what nobody caught.
 */
export async function runService<Settings extends { readonly logLevel: string }>(
  service: Service<Settings>,
): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    process.stdout.write(service.help());
    return;
  }
  const [unknown] = words;
  if (unknown !== undefined) {
    exitWith(
      WRONG_CONFIGURATION,
      `"${unknown}" is not known; settings are variables of the environment, see --help.`,
    );
  }
  const settings = readSettings(service);
  const log = createLog(settings.logLevel);
  endOnDefect(log);
  try {
    stopOnSignal(await service.start(settings, log), log, service.impatientAfterMs);
  } catch (error) {
    log.flush();
    if (error instanceof ConfigError) exitWith(WRONG_CONFIGURATION, error.message);
    exitWith(
      isWrongHost(error) ? WRONG_CONFIGURATION : FAILED,
      startFailureMessage(error, service.address(settings)),
    );
  }
}

function readSettings<Settings extends { readonly logLevel: string }>({ read }: Service<Settings>): Settings {
  try {
    return read(prepareProcess());
  } catch (error) {
    return exitWith(WRONG_CONFIGURATION, error instanceof Error ? error.message : String(error));
  }
}

/** What nobody caught leaves the process in no known state. It is started again; history has all that was promised. */
function endOnDefect(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.error('crashed', { error: message, ...(stack !== undefined && { stack }) });
    log.flush();
    process.exit(FAILED);
  });
}

function stopOnSignal(
  running: { stop(): Promise<void> },
  log: Log,
  impatientAfterMs = Number.POSITIVE_INFINITY,
): void {
  let stoppingSince: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (stoppingSince !== undefined) {
      if (now - stoppingSince > impatientAfterMs) process.exit(FAILED);
      return;
    }
    stoppingSince = now;
    running
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => exitWith(FAILED, `The stop failed: ${String(error)}`))
      .finally(() => log.flush());
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function startFailureMessage(
  error: unknown,
  { port, host, portSetting, hostSetting }: ListeningSettings,
): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isWrongHost(error))
    return `${hostSetting} is "${host}", which is no address of this machine; allowed is one of its own, or 0.0.0.0 for all of them.`;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program; set ${portSetting} to another one, or 0 for any.`;
  if (code === 'EACCES' && message.includes('listen'))
    return `This user may not listen on port ${port}; set ${portSetting}.`;
  return `The start failed: ${message}`;
}

function isWrongHost(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL';
}

function exitWith(code: number, why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(code);
}
