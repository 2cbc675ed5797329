import { existsSync } from 'node:fs';
import {
  ConfigError,
  createLog,
  readSandboxServiceConfig,
  sandboxServiceHelp,
  type SandboxServiceConfig,
} from '@tillstream/platform';
import { startSandboxService, type RunningSandbox } from './sandbox.start.js';

const WRONG_CONFIGURATION = 2;
const FAILED = 1;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(sandboxServiceHelp());
    return;
  }
  const config = configuration();
  const log = createLog(config.logLevel);
  process.on('uncaughtException', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.error('crashed', { error: message, ...(stack !== undefined && { stack }) });
    log.flush();
    process.exit(FAILED);
  });
  let service: RunningSandbox;
  try {
    service = await startSandboxService(config, log);
  } catch (error) {
    log.flush();
    if (error instanceof ConfigError) end(WRONG_CONFIGURATION, error.message);
    end(FAILED, sentence(error, config));
  }
  process.stdout.write(`The sandbox listens on ${service.origin}; its books are in ${config.dataDir}.\n`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    service
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => end(FAILED, `The stop failed: ${String(error)}`))
      .finally(() => log.flush());
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Variables of the environment win over a file `.env` beside it. */
function configuration(): SandboxServiceConfig {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return readSandboxServiceConfig(process.env);
  } catch (error) {
    return end(WRONG_CONFIGURATION, error instanceof Error ? error.message : String(error));
  }
}

function sentence(error: unknown, { port, host }: SandboxServiceConfig): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program; set SANDBOX_PORT to another one, or 0 for any.`;
  if (code === 'EACCES' && message.includes('listen'))
    return `This user may not listen on port ${port}; set SANDBOX_PORT.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `SANDBOX_HOST is "${host}", which is no address of this machine.`;
  return `The start failed: ${message}`;
}

function end(code: number, why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(code);
}

await main();
