import { setTimeout } from 'node:timers/promises';
import { MasterKeyError } from './master.key.js';
import { isBusy } from './vault.database.js';
import { VaultError } from './vault.port.js';

/** How long another process may keep the file from us. */
const PATIENCE_MS = 5_000;
const LONGEST_PAUSE_MS = 10;

/**
 * Runs `work` once it is not kept from it by another process: where SQLite says so, or `work` gives undefined.
 * @throws VaultError `Unavailable` after five seconds, and for every other error of the file.
 */
export async function patiently<T>(work: () => T | undefined): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const result = work();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isBusy(error)) throw unavailable(error);
    }
    if (performance.now() > until) throw unavailable('another process keeps its file locked');
    // Not all at the same moment again.
    await setTimeout(1 + Math.random() * LONGEST_PAUSE_MS);
  }
}

/** What the caller is told of an error; those that say it themselves pass as they are. */
export function unavailable(why: unknown): VaultError | MasterKeyError {
  if (why instanceof VaultError || why instanceof MasterKeyError) return why;
  const reason = why instanceof Error ? why.message : String(why);
  return new VaultError('Unavailable', `The vault can not be used: ${reason}.`);
}
