import { prepareProcess } from '@tillstream/platform';
import { processTerminal, abortOnSignal } from '@tillstream/platform/command-line';
import { vaultCommand } from './vault.command.js';

process.exitCode = await vaultCommand(process.argv.slice(2), {
  environment: prepareProcess(),
  terminal: processTerminal(),
  signal: abortOnSignal(),
});
