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

  it('is made with all above it, for its owner only, and may be there', () => {
    const directory = join(folder, 'a', 'b', 'c');
    makePrivateDirectory(directory);
    makePrivateDirectory(directory);
    for (const made of [directory, join(folder, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('is none where a file has its name, or one above it', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => makePrivateDirectory(file)).toThrow('EEXIST');
    expect(() => makePrivateDirectory(join(file, 'below'))).toThrow('ENOTDIR');
  });

  it('is refused where there is no place for one', () => {
    expect(() => makePrivateDirectory('/proc/tillstream/data')).toThrow(/mkdir/);
  });
});
