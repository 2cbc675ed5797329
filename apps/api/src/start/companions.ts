import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Log } from '@tillstream/platform';

/** The sibling apps as they are built: no code of them is imported. */
const program = (app: string): URL => new URL(`../../../${app}/dist/bundled/main.js`, import.meta.url);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long counts as started; its restart delay is reset. */
const STARTED_AFTER_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;

export interface Companion {
  stop(): Promise<void>;
}

interface CompanionOptions {
  readonly program: URL;
  readonly log: {
    notStarted(reason: string): void;
    trouble(reason: string): void;
    died(reason: string): void;
  };
}

/** Closes batches. */
export function startSettlementProjector(log: Log): Companion {
  return startCompanion({
    program: program('settlement-projector'),
    log: {
      notStarted: (reason) => log.error('settlement-not-started', { reason }),
      trouble: (reason) => log.error('settlement-trouble', { reason }),
      died: (reason) => log.warn('settlement-died', { reason }),
    },
  });
}

/** Delivers webhooks. */
export function startWebhookDispatcher(log: Log): Companion {
  return startCompanion({
    program: program('webhook-dispatcher'),
    log: {
      notStarted: (reason) => log.error('webhooks-not-started', { reason }),
      trouble: (reason) => log.error('webhooks-trouble', { reason }),
      died: (reason) => log.warn('webhooks-died', { reason }),
    },
  });
}

/**
 * Starts a program beside this process, and again whenever it dies. It ends when the channel to this process closes, so
 * that no process is left behind however this one ends.
 */
function startCompanion({ program: url, log }: CompanionOptions): Companion {
  const file = fileURLToPath(url);
  if (!existsSync(file)) {
    log.notStarted(`${file} is missing: build it first (npm run build)`);
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
    child.on('error', (error) => log.trouble(error.message));
    child.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - since > STARTED_AFTER_MS) pause = FIRST_PAUSE_MS;
      log.died(`it ended with ${signal ?? code}`);
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
