import { verifyCommand, type Terminal } from './verify.command.js';

const terminal: Terminal = {
  line: (text) => console.log(text),
  error: (text) => console.error(text),
  ...(process.stderr.isTTY && { progress: (text: string) => void process.stderr.write(`\r\x1b[K${text}`) }),
};

process.exitCode = await verifyCommand(process.argv.slice(2), process.env, terminal);
