import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Log } from '@tillstream/platform';

/** The sibling app as it is built: no code of it is imported. */
const PROGRAM = new URL('../../../settlement-projector/dist/bundled/main.js', import.meta.url);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** After so long it has started well. */
const SETTLED_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;

export interface Companion {
  stop(): Promise<void>;
}

/**
 * Starts the settlement projector beside this process, and again whenever it dies. It ends when the channel to this
 * process closes, so that nothing is left behind whichever way this one ends.
 */
export function startCompanion(log: Log): Companion {
  const file = fileURLToPath(PROGRAM);
  if (!existsSync(file)) {
    log.error('settlement-not-started', { reason: `${file} is missing: build it first (npm run build)` });
    return { stop: () => Promise.resolve() };
  }
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  let stopping = false;

  const start = (): void => {
    const since = performance.now();
    // Its port is its own; the log goes where this one's goes.
    child = fork(file, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    child.on('error', (error) => log.error('settlement-trouble', { reason: error.message }));
    child.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - since > SETTLED_MS) pause = FIRST_PAUSE_MS;
      log.warn('settlement-died', { reason: `it ended with ${signal ?? code}` });
      timer = setTimeout(start, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
  };
  start();

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (!running) return;
      const exited = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.kill('SIGTERM');
      const late = setTimeout(() => running.kill('SIGKILL'), STOPS_WITHIN_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
