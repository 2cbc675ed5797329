import { prepareProcess } from '@tillstream/platform';
import { processTerminal } from '@tillstream/platform/command-line';
import { verifyCommand } from './verify.command.js';

process.exitCode = await verifyCommand(process.argv.slice(2), prepareProcess(), processTerminal());
