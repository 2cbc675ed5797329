import { prepareProcess } from '@tillstream/platform';
import { processTerminal, abortOnSignal } from '@tillstream/platform/command-line';
import { rebuildCommand } from './rebuild.command.js';

process.exitCode = await rebuildCommand(
  process.argv.slice(2),
  prepareProcess(),
  processTerminal(),
  abortOnSignal(),
);
