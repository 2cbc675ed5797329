import { prepareProcess, openEventsToRead, openEventStoreAt } from '@tillstream/platform';
import { processTerminal, abortOnSignal } from '@tillstream/platform/command-line';
import { migrateCommand } from './migrate.command.js';

prepareProcess();
process.exitCode = await migrateCommand(process.argv.slice(2), {
  open: (address, { readOnly }) => (readOnly ? openEventsToRead(address) : openEventStoreAt(address)),
  terminal: processTerminal(),
  signal: abortOnSignal(),
});
