import { benchCommand, type Terminal } from './bench.command.js';

const terminal: Terminal = {
  line: (text) => console.log(text),
  error: (text) => console.error(text),
  ...(process.stderr.isTTY && { progress: (text: string) => void process.stderr.write(`\r\x1b[K${text}`) }),
};

process.exitCode = await benchCommand(process.argv.slice(2), terminal);
