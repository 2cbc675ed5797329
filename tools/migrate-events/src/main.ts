import { beginProgram, openEventsToRead, openEventStoreAt } from '@tillstream/platform';
import { processTerminal, untilSignal } from '@tillstream/platform/command-line';
import { migrateCommand } from './migrate.command.js';

beginProgram();
process.exitCode = await migrateCommand(process.argv.slice(2), {
  open: (address, { readOnly }) => (readOnly ? openEventsToRead(address) : openEventStoreAt(address)),
  terminal: processTerminal(),
  signal: untilSignal(),
});
