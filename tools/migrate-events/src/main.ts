import {
  beginProgram,
  openEventsToRead,
  openEventStoreAt,
  processTerminal,
  untilSignal,
} from '@tillstream/platform';
import { migrateCommand } from './migrate.command.js';

beginProgram();
process.exitCode = await migrateCommand(process.argv.slice(2), {
  open: (address, { readOnly }) => (readOnly ? openEventsToRead(address) : openEventStoreAt(address)),
  terminal: processTerminal(),
  signal: untilSignal(),
});
