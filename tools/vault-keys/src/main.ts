import { beginProgram } from '@tillstream/platform';
import { processTerminal, untilSignal } from '@tillstream/platform/command-line';
import { vaultCommand } from './vault.command.js';

process.exitCode = await vaultCommand(process.argv.slice(2), {
  environment: beginProgram(),
  terminal: processTerminal(),
  signal: untilSignal(),
});
