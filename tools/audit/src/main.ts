import { prepareProcess } from '@tillstream/platform';
import { abortOnSignal, endProcess, processTerminal } from '@tillstream/platform/command-line';
import { auditCommand } from './audit.command.js';

endProcess(await auditCommand(process.argv.slice(2), prepareProcess(), processTerminal(), abortOnSignal()));
