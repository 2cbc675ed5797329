import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFile, makePrivateDirectory, replacePrivateFile } from './private-files.js';

const COMPILED = new URL('../../dist/files/private-files.js', import.meta.url);

describe('A private file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-private-'));
    file = join(folder, 'keys');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is for its owner only, and is replaced as a whole', () => {
    replacePrivateFile(file, 'one');
    replacePrivateFile(file, 'two');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o600]);
    expect(readdirSync(folder)).toEqual(['keys']);
  });

  it('is created once', () => {
    expect([createPrivateFile(file, 'one'), createPrivateFile(file, 'two')]).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).toBe('one');
  });

  it('is unchanged if the disk has no space for the new content, and leaves no draft', () => {
    replacePrivateFile(file, 'one');
    // The limit on file sizes: the system writes only the first 8 KiB.
    const program = `import { replacePrivateFile } from ${JSON.stringify(COMPILED)};
      replacePrivateFile(${JSON.stringify(file)}, 'x'.repeat(9_000));`;
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1"`;
    const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, program]);
    expect([status, String(stderr)]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(readFileSync(file, 'utf8')).toBe('one');
    expect(readdirSync(folder)).toEqual(['keys']);
  });

  it('leaves no draft if a folder has its name', () => {
    mkdirSync(file);
    expect(() => replacePrivateFile(file, 'one')).toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['keys']);
  });
});

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
