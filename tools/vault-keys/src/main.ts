import { existsSync } from 'node:fs';
import { SIGNAL_CODES } from './rotate.command.js';
import { vaultCommand, type Terminal } from './vault.command.js';

/** One Ctrl-C under npm is two signals: the terminal's own, and the one that npm passes on. */
const ONE_SIGNAL_MS = 1000;

const terminal: Terminal = {
  line: (text) => console.log(text),
  error: (text) => console.error(text),
  // Longer than the terminal is wide it would not be replaced, but fill the screen.
  ...(process.stderr.isTTY && {
    progress: (text: string) =>
      void process.stderr.write(`\r\x1b[K${text.slice(0, process.stderr.columns - 1)}`),
  }),
};

// As the service does it: variables of the environment win over a file `.env` beside it.
if (existsSync('.env')) process.loadEnvFile('.env');
process.exitCode = await vaultCommand(process.argv.slice(2), {
  environment: process.env,
  terminal,
  signal: untilSignal(),
});

/** The first signal lets the transaction in hand finish; another one does not wait, and is as safe as a power cut. */
function untilSignal(): AbortSignal {
  const interruption = new AbortController();
  let since: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (since !== undefined && now - since > ONE_SIGNAL_MS) process.exit(SIGNAL_CODES[name]);
      since ??= now;
      interruption.abort(name);
    });
  }
  return interruption.signal;
}
