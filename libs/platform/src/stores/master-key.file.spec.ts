import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MasterKeyFile } from './master-key.file.js';

let directory: string;
let file: MasterKeyFile;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tillstream-keys-'));
  file = new MasterKeyFile(join(directory, 'vault.keys'), 'THE_FILE');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const write = (content: string): void => writeFileSync(file.path, content, { mode: 0o600 });

describe('The file of master keys', () => {
  it('is created once, with one key, for its owner only', () => {
    expect([file.exists(), file.create(), file.create(), file.exists()]).toEqual([false, true, false, true]);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(file.read()).toHaveLength(1);
    expect(new Set(file.read()[0]).size).toBeGreaterThan(5);
  });

  it('has one key a line, and may have empty ones', () => {
    write(`${key(1)}\n\n  ${key(2)}\r\n`);
    expect(file.read()).toEqual([bytes(1), bytes(2)]);
  });

  it.each([
    ['', 'holds no key'],
    ['\n\n', 'holds no key'],
    ['hunter2\n', 'has a line 1 that is no key'],
    [`${key(1)}\n${key(2)} # the old one\n`, 'has a line 2 that is no key'],
    [`${key(1)},${key(2)}\n`, 'has a line 1 that is no key'],
  ])('with the content %j is refused in one sentence without the content', (content, problem) => {
    write(content);
    expect(() => file.read()).toThrow(new RegExp(`^THE_FILE ${problem}; allowed are [^\n]+\\.$`));
    expect(() => file.read()).toThrow(/^(?!.*hunter2)/);
  });

  it.each(['640', '604', '620', '644', '610'])('that others can use (mode %s) is refused', (mode) => {
    write(`${key(1)}\n`);
    chmodSync(file.path, Number.parseInt(mode, 8));
    expect(() => file.read()).toThrow(
      /^THE_FILE can be used by others than its owner; [^\n]+chmod 600[^\n]+\.$/,
    );
  });

  it('may be read-only', () => {
    write(`${key(1)}\n`);
    chmodSync(file.path, 0o400);
    expect(file.read()).toEqual([bytes(1)]);
  });

  it('is refused if it is missing or no file', () => {
    expect(() => file.read()).toThrow('THE_FILE can not be read (ENOENT); allowed is a file of this user.');
    expect(() => new MasterKeyFile(directory, 'THE_FILE').read()).toThrow('THE_FILE is no file.');
  });

  it('gets a new key before the others, and loses unwanted keys, but never the last one', () => {
    write(`${key(1)}\n`);
    file.addKey();
    const [added, old] = file.read();
    expect(old).toEqual(bytes(1));
    file.keepOnly((key) => Buffer.from(key).equals(Buffer.from(added ?? [])));
    expect(file.read()).toEqual([added]);
    expect(() => file.keepOnly(() => false)).toThrow('THE_FILE would hold no key any more.');
    expect(file.read()).toEqual([added]);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('removes the draft of a killed process, and no other file', () => {
    write(`${key(1)}\n`);
    for (const name of ['vault.keys.123.0a1b2c3d', 'vault.keys.backup', 'vault.keys.123.txt'])
      writeFileSync(join(directory, name), key(1));
    file.addKey();
    expect(readdirSync(directory).toSorted()).toEqual([
      'vault.keys',
      'vault.keys.123.txt',
      'vault.keys.backup',
    ]);
  });

  it('stays at the target of a symbolic link', () => {
    const target = join(directory, 'target');
    writeFileSync(target, `${key(1)}\n`, { mode: 0o600 });
    symlinkSync(target, file.path);
    file.addKey();
    expect(readFileSync(target, 'utf8').split('\n')).toHaveLength(3);
  });
});
