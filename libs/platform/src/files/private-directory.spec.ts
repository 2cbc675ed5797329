import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePrivateDirectory } from './private-directory.js';

describe('A private directory', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-directory-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is created with its parents, for its owner only, and may exist', () => {
    const directory = join(folder, 'a', 'b', 'c');
    makePrivateDirectory(directory);
    makePrivateDirectory(directory);
    for (const created of [directory, join(folder, 'a')]) expect(statSync(created).mode & 0o777).toBe(0o700);
  });

  it('is refused if a file has its name or the name of a parent', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => makePrivateDirectory(file)).toThrow('EEXIST');
    expect(() => makePrivateDirectory(join(file, 'below'))).toThrow('ENOTDIR');
  });

  it('is refused where the file system allows none', () => {
    expect(() => makePrivateDirectory('/proc/tillstream/data')).toThrow(/mkdir/);
  });
});
