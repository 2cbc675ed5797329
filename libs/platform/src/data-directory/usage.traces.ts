import { join } from 'node:path';
import { findUsedList } from '@tillstream/read-models-sqlite';
import { isSandboxUsed } from '@tillstream/sandbox';
import { isVaultUsed } from '@tillstream/vault';
import { pathExists, statPath } from '../files/path.stats.js';
import { findLedgerFiles } from './sandbox-ledger.files.js';

/**
 * The path of the first file that shows that a service stored something in this data directory; undefined: none does. An
 * event is durable before anything that follows from it is written, so where there is such a file there were events. Keys
 * are no sign: an operator may put them there before the first start, and a first start that is killed leaves them.
 */
export function findUsageTrace(dataDir: string): string | undefined {
  const vault = join(dataDir, 'vault.db');
  if (trueIfUnreadable(() => isVaultUsed(vault))) return vault;
  const books = findLedgerFiles(dataDir).map((name) => join(dataDir, name));
  const used = books.find((file) => trueIfUnreadable(() => isSandboxUsed(file)));
  if (used !== undefined) return used;
  const list = findUsedList(join(dataDir, 'read-models'));
  if (list !== undefined) return list;
  const log = join(dataDir, 'events.db-wal');
  if (isMissingOrEmpty(join(dataDir, 'events.db')) && !isMissingOrEmpty(log)) return log;
  const facts = join(dataDir, 'sandbox.json');
  return pathExists(facts) ? facts : undefined;
}

/** Whether nothing is there, or a file without a byte, which SQLite takes for a new one. */
export function isMissingOrEmpty(file: string): boolean {
  return (statPath(file)?.size ?? 0) === 0;
}

/** A file that can't be read was used: a new one can be. */
function trueIfUnreadable(wasUsed: () => boolean): boolean {
  try {
    return wasUsed();
  } catch {
    return true;
  }
}
