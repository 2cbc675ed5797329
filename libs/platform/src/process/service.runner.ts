import { existsSync } from 'node:fs';
import { errorMessage } from '@tillstream/runtime';
import { createLog, type Log } from '../logging/log.js';
import { ConfigError } from '../configuration/setting.kinds.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;

/** The part of a program that differs from the other programs. */
export interface Service<Settings extends { readonly logLevel: string }> {
  /** Printed for `--help`. */
  help(): string;
  /** Throws a `ConfigError`. */
  read(environment: Readonly<Record<string, string | undefined>>): Settings;
  /** The listening address, and the names of its settings. */
  address(settings: Settings): ListeningSettings;
  /** Rejects with a `ConfigError` if a setting is wrong. */
  start(settings: Settings, log: Log): Promise<{ stop(): Promise<void> }>;
  /** A further signal, this time after the first one, ends the process at once. Left out: further signals are ignored. */
  readonly impatientAfterMs?: number;
}

export interface ListeningSettings {
  readonly port: number;
  readonly host: string;
  readonly portSetting: string;
  readonly hostSetting: string;
}

/**
 * Runs a program: reads its settings, prints one sentence and exits if it can't start (2: wrong settings, 1: other errors),
 * stops on SIGINT and SIGTERM, and exits after an uncaught exception.
 */
export async function runService<Settings extends { readonly logLevel: string }>(
  service: Service<Settings>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(service.help());
    return;
  }
  const [unknown] = args;
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
    return exitWith(WRONG_CONFIGURATION, errorMessage(error));
  }
}

/**
 * Each program calls it first. Files that the process creates are for their owner only.
 * @returns the environment variables, completed by the file `.env`
 * @throws if `.env` can't be read
 */
export function prepareProcess(): NodeJS.ProcessEnv {
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** After an uncaught exception the state of the process is unknown. A restart loses nothing: the events are durable. */
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
  let firstSignalAt: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (firstSignalAt !== undefined) {
      if (now - firstSignalAt > impatientAfterMs) process.exit(FAILED);
      return;
    }
    firstSignalAt = now;
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

function exitWith(code: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
