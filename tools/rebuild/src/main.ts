import { prepareProcess, processTerminal, abortOnSignal } from '@tillstream/platform';
import { rebuildCommand } from './rebuild.command.js';

process.exitCode = await rebuildCommand(
  process.argv.slice(2),
  prepareProcess(),
  processTerminal(),
  abortOnSignal(),
);
