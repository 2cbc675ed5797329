import { processTerminal } from '@tillstream/platform/command-line';
import { benchCommand } from './bench.command.js';

process.exitCode = await benchCommand(process.argv.slice(2), {
  ...processTerminal(),
  ...(process.stderr.isTTY && { progress: (text: string) => void process.stderr.write(`\r\x1b[K${text}`) }),
});
