import {
  eventStoreAddress,
  openEventsToRead,
  openEventStoreAt,
  prepareProcess,
  readConfig,
} from '@tillstream/platform';
import { abortOnSignal, endProcess, processTerminal } from '@tillstream/platform/command-line';
import { migrateCommand } from './migrate.command.js';

const environment = prepareProcess();
/** Keeps an address with a password out of the list of processes. */
const ofSettings = (arg: string): string =>
  arg === 'settings' ? eventStoreAddress(readConfig(environment)) : arg;

endProcess(
  await migrateCommand(process.argv.slice(2).map(ofSettings), {
    open: (address, { readOnly }) => (readOnly ? openEventsToRead(address) : openEventStoreAt(address)),
    terminal: processTerminal(),
    signal: abortOnSignal(),
  }),
);
