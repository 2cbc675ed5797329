import { existsSync } from 'node:fs';
import {
  ConfigError,
  createLog,
  readConfig,
  settingsHelp,
  type Config,
  type Log,
} from '@tillstream/platform';
import { startSettlement, type RunningSettlement } from './settlement.start.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(settingsHelp());
    return;
  }
  endWithParent();
  const config = configuration();
  const log = createLog(config.logLevel);
  endOnDefect(log);
  let settlement: RunningSettlement;
  try {
    settlement = await startSettlement(config, log);
  } catch (error) {
    log.flush();
    if (error instanceof ConfigError) end(WRONG_CONFIGURATION, error.message);
    end(FAILED, sentence(error, config));
  }
  process.on('message', () => settlement.nudge());
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    settlement
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => end(FAILED, `The stop failed: ${String(error)}`))
      .finally(() => log.flush());
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/**
 * Started beside the API it ends with it, however that ended, and also where it ended while this process was loading:
 * nothing is lost, and nobody wants an orphan.
 */
function endWithParent(): void {
  const { connected } = process as { readonly connected?: boolean };
  if (connected === undefined) return;
  if (!connected) process.exit(0);
  process.on('disconnect', () => process.exit(0));
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

/** What nobody caught leaves the process in no known state. It is started again, and goes on where history is. */
function endOnDefect(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.error('crashed', { error: message, ...(stack !== undefined && { stack }) });
    log.flush();
    process.exit(FAILED);
  });
}

function sentence(error: unknown, { settlementProjectorPort: port, host }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program; set SETTLEMENT_PROJECTOR_PORT to another one, or 0 for any.`;
  if (code === 'EACCES' && message.includes('listen'))
    return `This user may not listen on port ${port}; set SETTLEMENT_PROJECTOR_PORT.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `HOST is "${host}", which is no address of this machine.`;
  return `The start failed: ${message}`;
}

function end(code: number, why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(code);
}

await main();
