import { isBusy } from '@tillstream/sqlite-driver';
import { setTimeout } from 'node:timers/promises';
import { unavailableError } from '../vault.errors.js';

/** Longest wait for another process's lock on the file. */
const BUSY_TIMEOUT_MS = 5_000;
/** While a process starts it rather waits for a slow disk than fails. */
export const STARTUP_BUSY_TIMEOUT_MS = 30_000;
const PAUSE_MS_MAX = 10;

/**
 * Repeats `work` while another process locks the file: SQLite reports it is busy, or `work` returns undefined.
 * @throws VaultError `Unavailable` after `timeoutMs` (5 s by default), and for any other error of the file
 */
export async function retryWhileBusy<T>(work: () => T | undefined, timeoutMs = BUSY_TIMEOUT_MS): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      const result = work();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isBusy(error)) throw unavailableError(error);
    }
    if (performance.now() > deadline) throw unavailableError('another process keeps its file locked');
    // A random pause, so that processes do not all repeat at the same time.
    await setTimeout(1 + Math.random() * PAUSE_MS_MAX);
  }
}
