import { existsSync } from 'node:fs';

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
