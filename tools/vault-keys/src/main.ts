import { existsSync } from 'node:fs';
import { processTerminal, untilSignal } from '@tillstream/platform';
import { vaultCommand } from './vault.command.js';

// As the service does it: variables of the environment win over a file `.env` beside it.
if (existsSync('.env')) process.loadEnvFile('.env');
process.exitCode = await vaultCommand(process.argv.slice(2), {
  environment: process.env,
  terminal: processTerminal(),
  signal: untilSignal(),
});
