import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSqliteFileInUse } from './file-in-use.js';
import { openSqliteEventStore } from './open-sqlite-event-store.js';

describe('A file of the store', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-use-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is in use while a store has it open, to write or only to read', async () => {
    const file = join(folder, 'events.db');
    const store = await openSqliteEventStore({ file });
    expect(isSqliteFileInUse(file)).toBe(true);
    await store.close();
    expect(isSqliteFileInUse(file)).toBe(false);
    const readOnlyStore = await openSqliteEventStore({ file, readOnly: true });
    await readOnlyStore.readAll();
    expect(isSqliteFileInUse(file)).toBe(true);
    await readOnlyStore.close();
    expect(isSqliteFileInUse(file)).toBe(false);
    const reopened = await openSqliteEventStore({ file });
    expect((await reopened.health()).writable).toBe(true);
    await reopened.close();
  });

  it('that does not exist is an error', () => {
    expect(() => isSqliteFileInUse(join(folder, 'none.db'))).toThrow('none.db');
  });
});
