import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadResponseKey, ResponseSealer } from './response.sealer.js';

const key = new Uint8Array(32).fill(7);
const sealer = new ResponseSealer(key);

describe('A sealed response', () => {
  it('opens to the same text under the same key and name', () => {
    const text = '{"status":200,"body":"é 😀"}';
    expect(sealer.open(sealer.seal(text, 'mer_1\nk'), 'mer_1\nk')).toBe(text);
  });

  it('does not contain its text, and differs each time', () => {
    const [first, second] = [sealer.seal('hello hello', 'n'), sealer.seal('hello hello', 'n')];
    expect(Buffer.from(first).toString('latin1')).not.toContain('hello');
    expect(first).not.toEqual(second);
  });

  it('does not open under another name or key, or after any change', () => {
    const sealed = sealer.seal('hello', 'mer_1\nk');
    expect(sealer.open(sealed, 'mer_2\nk')).toBeUndefined();
    expect(new ResponseSealer(new Uint8Array(32)).open(sealed, 'mer_1\nk')).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealer.open(changed, 'mer_1\nk')).toBeUndefined();
    }
    expect(sealer.open(new Uint8Array(3), 'mer_1\nk')).toBeUndefined();
  });
});

describe('The key that seals', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tillstream-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is the configured one; then no file is created', () => {
    expect(loadResponseKey(key, directory)).toBe(key);
    expect(() => statSync(join(directory, 'answers.key'))).toThrow();
  });

  it('is otherwise created once, for its owner only', () => {
    const made = loadResponseKey(undefined, directory);
    expect(made).toHaveLength(32);
    expect(loadResponseKey(undefined, directory)).toEqual(made);
    const file = join(directory, 'answers.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toEqual(Buffer.from(made));
  });

  it('in a file with other content stops the start with one sentence', () => {
    writeFileSync(join(directory, 'answers.key'), 'short');
    expect(() => loadResponseKey(undefined, directory)).toThrow(/does not hold 32 bytes/);
  });
});
