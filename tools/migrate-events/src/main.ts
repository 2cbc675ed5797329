import { beginProgram, openEventStoreAt, processTerminal, untilSignal } from '@tillstream/platform';
import { migrateCommand } from './migrate.command.js';

beginProgram();
process.exitCode = await migrateCommand(process.argv.slice(2), {
  open: openEventStoreAt,
  terminal: processTerminal(),
  signal: untilSignal(),
});
