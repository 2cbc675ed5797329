import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { openDatabase } from '@tillstream/sqlite-driver';

const PAGE_BYTES = 4_096;

/** Kinds of damage to a database file that no connection has open, by name. */
export const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'a file of garbage': (file) => writeFileSync(file, Buffer.alloc(statSync(file).size, 'garbage ')),
  'a file that lost its second half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'a file with a page overwritten in the middle': overwriteMiddle,
  'an empty file': (file) => truncateSync(file, 0),
  'a file without its tables': dropTables,
};

/** Works on an open file too: a connection notices it when it reads the page from the disk. */
function overwriteMiddle(file: string): void {
  const pages = Math.floor(statSync(file).size / PAGE_BYTES);
  overwritePages(file, Math.floor(pages / 2), 1);
}

/** Overwrites all pages but the first. */
export function overwriteAll(file: string): void {
  overwritePages(file, 1, Math.floor(statSync(file).size / PAGE_BYTES) - 1);
}

function overwritePages(file: string, first: number, count: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(count * PAGE_BYTES, 0xa5), 0, count * PAGE_BYTES, first * PAGE_BYTES);
  closeSync(descriptor);
}

function dropTables(file: string): void {
  const db = openDatabase(file);
  const named = (type: string) =>
    db.prepare(`SELECT name FROM sqlite_master WHERE type = '${type}'`).pluck().all() as string[];
  for (const name of named('table')) db.exec(`DROP TABLE "${name}"`);
  db.close();
  for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true });
}
