import { rebuildCommand, type Terminal } from './rebuild.command.js';

const terminal: Terminal = {
  line: (text) => console.log(text),
  error: (text) => console.error(text),
  ...(process.stderr.isTTY && { progress: (text: string) => void process.stderr.write(`\r\x1b[K${text}`) }),
};

const stop = new AbortController();
const interrupted = (): void => stop.abort(new Error('Interrupted; the live lists are as they were.'));
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);

process.exitCode = await rebuildCommand(process.argv.slice(2), process.env, terminal, stop.signal);
