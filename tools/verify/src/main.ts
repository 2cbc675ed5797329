import { prepareProcess } from '@tillstream/platform';
import { endProcess, processTerminal } from '@tillstream/platform/command-line';
import { verifyCommand } from './verify.command.js';

endProcess(await verifyCommand(process.argv.slice(2), prepareProcess(), processTerminal()));
