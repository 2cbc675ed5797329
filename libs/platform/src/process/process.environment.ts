import { existsSync } from 'node:fs';

/**
 * What each program begins with. Gives its settings: variables of the environment win over a file `.env` beside it.
 * From then on what it makes is for its owner only, whoever made the directory. @throws where `.env` can't be read.
 */
export function prepareProcess(): NodeJS.ProcessEnv {
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
