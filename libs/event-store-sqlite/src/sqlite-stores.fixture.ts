import type { StoresUnderTest } from '@tillstream/event-store-testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from './open-sqlite-event-store.js';

/** Creates a folder for the file of one test. The caller removes it. */
export function newFolder(): { readonly folder: string; readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-events-'));
  return {
    folder,
    file: join(folder, 'events.db'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const sqliteStores: StoresUnderTest = {
  durable: true,
  multiProcess: true,
  place: async () => {
    const { file, remove } = newFolder();
    return { open: () => openSqliteEventStore({ file }), remove: async () => remove() };
  },
};
