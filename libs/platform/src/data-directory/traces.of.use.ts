import { join } from 'node:path';
import { fedList } from '@tillstream/read-models-sqlite';
import { sandboxWasUsed } from '@tillstream/sandbox';
import { vaultWasUsed } from '@tillstream/vault';
import { isThere, whatIsAt } from '../is-there.js';
import { booksIn } from './books.files.js';

/**
 * The path of the first file that shows that a service stored something in this data directory; undefined: none does. An
 * event is durable before anything that follows from it is written, so where there is such a file there were events. Keys
 * are no sign: an operator may put them there before the first start, and a first start that is killed leaves them.
 */
export function traceOfUse(dataDir: string): string | undefined {
  const vault = join(dataDir, 'vault.db');
  if (orUnreadable(() => vaultWasUsed(vault))) return vault;
  const books = booksIn(dataDir).map((name) => join(dataDir, name));
  const used = books.find((file) => orUnreadable(() => sandboxWasUsed(file)));
  if (used !== undefined) return used;
  const list = fedList(join(dataDir, 'read-models'));
  if (list !== undefined) return list;
  const log = join(dataDir, 'events.db-wal');
  if (isMissing(join(dataDir, 'events.db')) && !isMissing(log)) return log;
  const facts = join(dataDir, 'sandbox.json');
  return isThere(facts) ? facts : undefined;
}

/** Whether nothing is there, or a file without a byte, which SQLite takes for a new one. */
export function isMissing(file: string): boolean {
  return (whatIsAt(file)?.size ?? 0) === 0;
}

/** A file that can't be read was used: a new one can be. */
function orUnreadable(wasUsed: () => boolean): boolean {
  try {
    return wasUsed();
  } catch {
    return true;
  }
}
