import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { enableWriteAheadLog } from './busy.retry.js';
import { copyDatabase, findDamage } from './database.copy.js';
import { openDatabase } from './open.database.js';

describe('The copy of a database in use', () => {
  let folder = '';
  let source: Database.Database;
  const at = (name: string): string => join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-copy-'));
    source = openDatabase(at('a.db'));
    enableWriteAheadLog(source, 1_000);
    source.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
    insert(12_000);
  });
  afterEach(() => {
    source.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const insert = (count: number): void => {
    const statement = source.prepare('INSERT INTO note (text) VALUES (?)');
    source.exec('BEGIN');
    for (let row = 0; row < count; row++) statement.run('x'.repeat(1_000));
    source.exec('COMMIT');
  };
  const rowsIn = (file: string): unknown => {
    const db = openDatabase(file, { fileMustExist: true });
    try {
      return db.prepare('SELECT count(*) FROM note').pluck().get();
    } finally {
      db.close();
    }
  };

  it('is as it was at the beginning, whatever is written meanwhile', async () => {
    let steps = 0;
    await copyDatabase(at('a.db'), at('b.db'), {
      onProgress: () => {
        steps += 1;
        insert(10);
      },
    });
    expect(steps).toBeGreaterThan(2);
    expect(rowsIn(at('b.db'))).toBe(12_000);
    expect(rowsIn(at('a.db'))).toBe(12_000 + steps * 10);
    expect(findDamage(at('b.db'))).toBeUndefined();
  });

  it('is written into an empty file, which keeps its mode', async () => {
    writeFileSync(at('b.db'), '', { mode: 0o600 });
    await copyDatabase(at('a.db'), at('b.db'));
    expect(statSync(at('b.db')).mode & 0o777).toBe(0o600);
    expect(rowsIn(at('b.db'))).toBe(12_000);
  });

  it('ends when it is aborted, and lets the source go', async () => {
    const abort = new AbortController();
    const copying = copyDatabase(at('a.db'), at('b.db'), {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(copying).rejects.toThrow('enough');
    source.pragma('wal_checkpoint(TRUNCATE)');
    expect(statSync(at('a.db-wal')).size).toBe(0);
  });

  it('makes no source', async () => {
    await expect(copyDatabase(at('none.db'), at('b.db'))).rejects.toMatchObject({
      message: expect.stringContaining('none.db'),
    });
    expect(readdirSync(folder)).not.toContain('none.db');
  });

  it('shows damage', async () => {
    await copyDatabase(at('a.db'), at('b.db'));
    const db = openDatabase(at('b.db'));
    db.pragma('journal_mode = DELETE');
    db.close();
    writeFileSync(at('b.db'), Buffer.alloc(8_192, 1), { flag: 'r+' });
    expect(() => findDamage(at('b.db')) ?? 'whole').toThrow(/not a database|malformed/);
  });
});
