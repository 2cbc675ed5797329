import { join } from 'node:path';
import { findUsedList } from '@tillstream/read-models-sqlite';
import { isSandboxUsed } from '@tillstream/sandbox';
import { isVaultUsed } from '@tillstream/vault';
import { pathExists, statPath } from '../files/path.stats.js';
import { findLedgerFiles } from './sandbox-ledger.files.js';

/**
 * The first file that shows that a service used this data directory; undefined: there is none. An event is durable before
 * anything that follows from it, so such a file proves earlier events. Key files prove nothing: an operator or a killed
 * first start may have created them.
 */
export function findUsageTrace(dataDir: string): string | undefined {
  const vault = join(dataDir, 'vault.db');
  if (trueIfUnreadable(() => isVaultUsed(vault))) return vault;
  const ledgers = findLedgerFiles(dataDir).map((name) => join(dataDir, name));
  const usedLedger = ledgers.find((file) => trueIfUnreadable(() => isSandboxUsed(file)));
  if (usedLedger !== undefined) return usedLedger;
  const list = findUsedList(join(dataDir, 'read-models'));
  if (list !== undefined) return list;
  const log = join(dataDir, 'events.db-wal');
  if (isMissingOrEmpty(join(dataDir, 'events.db')) && !isMissingOrEmpty(log)) return log;
  const facts = join(dataDir, 'sandbox.json');
  return pathExists(facts) ? facts : undefined;
}

/** SQLite takes an empty file for a new one. */
export function isMissingOrEmpty(file: string): boolean {
  return (statPath(file)?.size ?? 0) === 0;
}

/** A file that can't be read was used: a new file is always readable. */
function trueIfUnreadable(wasUsed: () => boolean): boolean {
  try {
    return wasUsed();
  } catch {
    return true;
  }
}
