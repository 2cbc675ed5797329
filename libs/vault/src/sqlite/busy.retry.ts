import { isBusy } from '@tillstream/sqlite-driver';
import { setTimeout } from 'node:timers/promises';
import { MasterKeyError } from '../keys/master-key.js';
import { VaultError } from '../vault.port.js';

/** How long another process may keep the file from us. */
const BUSY_TIMEOUT_MS = 5_000;
/** While a process starts: one that waits behind a disk that stands still is better than one that gives up. */
export const STARTUP_BUSY_TIMEOUT_MS = 30_000;
const PAUSE_MS_MAX = 10;

/**
 * Runs `work` once it is not kept from it by another process: where SQLite says so, or `work` gives undefined.
 * @throws VaultError `Unavailable` after so long (by default five seconds), and for every other error of the file.
 */
export async function retryWhileBusy<T>(work: () => T | undefined, patienceMs = BUSY_TIMEOUT_MS): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      const result = work();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isBusy(error)) throw unavailableError(error);
    }
    if (performance.now() > until) throw unavailableError('another process keeps its file locked');
    // Not all at the same moment again.
    await setTimeout(1 + Math.random() * PAUSE_MS_MAX);
  }
}

/** What the caller is told of an error; those that say it themselves pass as they are. */
export function unavailableError(why: unknown): VaultError | MasterKeyError {
  if (why instanceof VaultError || why instanceof MasterKeyError) return why;
  const reason = why instanceof Error ? why.message : String(why);
  return new VaultError('Unavailable', `The vault can not be used: ${reason}.`);
}
