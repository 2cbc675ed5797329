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

  it('is in use while a store has it open, for writing or for reading alone', async () => {
    const file = join(folder, 'events.db');
    const store = await openSqliteEventStore({ file });
    expect(isSqliteFileInUse(file)).toBe(true);
    await store.close();
    expect(isSqliteFileInUse(file)).toBe(false);
    const reading = await openSqliteEventStore({ file, readOnly: true });
    await reading.readAll();
    expect(isSqliteFileInUse(file)).toBe(true);
    await reading.close();
    expect(isSqliteFileInUse(file)).toBe(false);
    const again = await openSqliteEventStore({ file });
    expect((await again.health()).writable).toBe(true);
    await again.close();
  });

  it('that is not there can not be told', () => {
    expect(() => isSqliteFileInUse(join(folder, 'none.db'))).toThrow('none.db');
  });
});
