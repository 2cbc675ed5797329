import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileName } from './sqlite.errors.js';
import { openDatabase } from './open.database.js';

describe('An error of SQLite', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-fault-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('names a file that cannot be opened', () => {
    const file = join(folder, 'missing.db');
    expect(() => openDatabase(file, { fileMustExist: true })).toThrow(
      `${file}: unable to open database file`,
    );
  });

  it('names a file that is no database once, and stays the same error', () => {
    const file = join(folder, 'damaged.db');
    writeFileSync(file, 'x'.repeat(9_000));
    const db = openDatabase(file);
    let fault: unknown;
    try {
      db.pragma('user_version');
    } catch (error) {
      fault = withFileName(withFileName(error, file), file);
      expect(fault).toBe(error);
    } finally {
      db.close();
    }
    expect(fault).toMatchObject({ code: 'SQLITE_NOTADB', message: `${file}: file is not a database` });
  });

  it('of another kind stays unchanged', () => {
    expect(withFileName(new Error('another'), 'file')).toMatchObject({ message: 'another' });
    expect(withFileName(undefined, 'file')).toBeUndefined();
  });
});
