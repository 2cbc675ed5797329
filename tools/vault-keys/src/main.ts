import { prepareProcess } from '@tillstream/platform';
import { abortOnSignal, endProcess, processTerminal } from '@tillstream/platform/command-line';
import { vaultCommand } from './vault.command.js';

endProcess(
  await vaultCommand(process.argv.slice(2), {
    environment: prepareProcess(),
    terminal: processTerminal(),
    signal: abortOnSignal(),
  }),
);
