import { beginProgram } from '@tillstream/platform';
import { processTerminal, untilSignal } from '@tillstream/platform/command-line';
import { rebuildCommand } from './rebuild.command.js';

process.exitCode = await rebuildCommand(
  process.argv.slice(2),
  beginProgram(),
  processTerminal(),
  untilSignal(),
);
