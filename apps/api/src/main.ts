import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  ConfigError,
  createLog,
  readConfig,
  settingsHelp,
  type Config,
  type Log,
} from '@tillstream/platform';
import { startApi, type RunningApi } from './start/api.start.js';
import { startCompanion } from './start/settlement.companion.js';
import { welcomeText } from './start/welcome.text.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;
const ONE_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(settingsHelp());
    return;
  }
  const config = configuration();
  const log = createLog(config.logLevel);
  endOnDefect(log);
  let api: RunningApi;
  try {
    api = await startApi(config, log);
  } catch (error) {
    log.flush();
    if (error instanceof ConfigError) end(WRONG_CONFIGURATION, error.message);
    end(FAILED, sentence(error, config));
  }
  const word = randomBytes(3).toString('hex');
  process.stdout.write(welcomeText(api.facts, config.dataDir, word, api.madeMasterKeyFile));
  const companion = config.settlementProjector === 'beside' ? startCompanion(log) : undefined;
  const stop = async (): Promise<void> => {
    await Promise.all([api.stop(), companion?.stop()]);
  };
  stopOnSignal({ ...api, stop }, () => log.flush());
}

/** Variables of the environment win over a file `.env` beside it. */
function configuration(): Config {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return readConfig(process.env);
  } catch (error) {
    return end(WRONG_CONFIGURATION, error instanceof Error ? error.message : String(error));
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

/**
 * The second signal does not wait for requests in flight. One Ctrl-C under npm is two of them: the terminal's own, and
 * the one that npm passes on.
 */
function stopOnSignal(api: RunningApi, flush: () => void): void {
  let stoppingSince: number | undefined;
  const stop = (): void => {
    const now = performance.now();
    if (stoppingSince !== undefined) {
      if (now - stoppingSince > ONE_SIGNAL_MS) process.exit(FAILED);
      return;
    }
    stoppingSince = now;
    api
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => end(FAILED, `The stop failed: ${String(error)}`))
      .finally(flush);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function sentence(error: unknown, { port, host }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program; set PORT to another one, or 0 for any.`;
  if (code === 'EACCES' && message.includes('listen'))
    return `This user may not listen on port ${port}; set PORT.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `HOST is "${host}", which is no address of this machine.`;
  return `The start failed: ${message}`;
}

function end(code: number, why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(code);
}

await main();
