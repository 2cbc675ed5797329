import { prepareProcess } from '@tillstream/platform';
import { abortOnSignal, processTerminal } from '@tillstream/platform/command-line';
import { auditCommand } from './audit.command.js';

process.exitCode = await auditCommand(
  process.argv.slice(2),
  prepareProcess(),
  processTerminal(),
  abortOnSignal(),
);
