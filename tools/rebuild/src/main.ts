import { prepareProcess } from '@tillstream/platform';
import { abortOnSignal, endProcess, processTerminal } from '@tillstream/platform/command-line';
import { rebuildCommand } from './rebuild.command.js';

endProcess(await rebuildCommand(process.argv.slice(2), prepareProcess(), processTerminal(), abortOnSignal()));
