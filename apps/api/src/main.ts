import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ConfigError, createLog, readConfig, settingsHelp, type Config } from '@tillstream/platform';
import { startApi, type RunningApi } from './start/api.start.js';
import { welcomeText } from './start/welcome.text.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(settingsHelp());
    return;
  }
  const config = configuration();
  const log = createLog(config.logLevel);
  let api: RunningApi;
  try {
    api = await startApi(config, log);
  } catch (error) {
    log.flush();
    if (error instanceof ConfigError) end(WRONG_CONFIGURATION, error.message);
    end(FAILED, sentence(error, config));
  }
  process.stdout.write(welcomeText(api.facts, config.dataDir, randomBytes(3).toString('hex')));
  stopOnSignal(api, () => log.flush());
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

/** The second signal does not wait for requests in flight. */
function stopOnSignal(api: RunningApi, flush: () => void): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(FAILED);
    stopping = true;
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
