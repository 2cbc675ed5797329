import { prepareProcess, processTerminal } from '@tillstream/platform';
import { verifyCommand } from './verify.command.js';

process.exitCode = await verifyCommand(process.argv.slice(2), prepareProcess(), processTerminal());
