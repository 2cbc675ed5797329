import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noLog, openVault, readConfig } from '@tillstream/platform';
import type { RotatableVault } from '@tillstream/vault';
import { vaultCommand } from './vault.command.js';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const TIME = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';

describe('vault', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tillstream-command-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('status shows how many subjects use each version, and needs no key', async () => {
    await using(async (vault) => {
      for (const name of ['a', 'b', 'c']) await vault.storeCard(name, '4');
      await vault.destroy('a');
    });
    rmSync(join(directory, 'vault.keys'));
    const { code, lines, errors } = await run(['status']);
    expect([code, errors]).toEqual([0, []]);
    expect(lines).toEqual([
      `${join(directory, 'vault.db')}: 2 subjects with keys, 1 destroyed`,
      expect.stringMatching(
        new RegExp(`^version 1 of the master key, since ${TIME}, the current one: 2 subjects$`),
      ),
      'No rotation is under way.',
    ]);
  });

  it('rotate makes a new key and reports the result, and status agrees', async () => {
    await using((vault) => vault.storeCard('a', '4'));
    const before = readFileSync(join(directory, 'vault.keys'), 'utf8');
    const { code, lines } = await run(['rotate']);
    expect([code, lines]).toEqual([
      0,
      [
        expect.stringMatching(
          /everything is under version 2 .*, 1 subject rewrapped\. The old key was removed/,
        ),
      ],
    ]);
    expect(readFileSync(join(directory, 'vault.keys'), 'utf8')).not.toBe(before);
    expect((await run(['status'])).lines).toEqual([
      expect.any(String),
      expect.stringMatching(new RegExp(`^version 1 .*, retired ${TIME}: its key can be removed`)),
      expect.stringMatching(/^version 2 .*, the current one: 1 subject$/),
      'No rotation is under way.',
    ]);
    expect((await run(['rotate'])).lines[0]).toContain('everything is under version 3');
  });

  it('rotate goes on with a key that was put first by hand, and makes none beside it', async () => {
    await using((vault) => vault.storeCard('a', '4'));
    const file = join(directory, 'vault.keys');
    writeFileSync(file, `${key(5)}\n${readFileSync(file, 'utf8')}`);
    expect((await run(['rotate'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`${key(5)}\n`);
  });

  it('rotate with a key that is a setting needs the new one first and the old one second, and says so', async () => {
    await using((vault) => vault.storeCard('a', '4'), { VAULT_MASTER_KEY: key(1) });
    for (const keys of [key(1), `${key(1)},${key(2)}`]) {
      const { code, errors } = await run(['rotate'], { VAULT_MASTER_KEY: keys });
      expect([code, errors]).toEqual([
        2,
        [
          expect.stringMatching(
            /^VAULT_MASTER_KEY has the current key first, .* put a new key first and this one second/,
          ),
        ],
      ]);
    }
    const { code, errors } = await run(['rotate'], { VAULT_MASTER_KEY: `${key(2)},${key(3)}` });
    expect([code, errors]).toEqual([2, [expect.stringMatching(/^VAULT_MASTER_KEY does not fit /)]]);
    const both = { VAULT_MASTER_KEY: `${key(2)},${key(1)}` };
    expect((await run(['rotate'], both)).lines[0]).toContain('can be removed from VAULT_MASTER_KEY');
    expect((await run(['rotate'], both)).errors[0]).toContain('has the current key first');
  });

  it('rotate keeps the old key if a damaged subject uses it, and ends with 1', async () => {
    await using(async (vault) => {
      for (const name of ['good', 'broken']) await vault.storeCard(name, '4');
    });
    const file = join(directory, 'vault.db');
    const bytes = readFileSync(file);
    // Behind the name and the version: the wrapped key.
    const at = bytes.indexOf('broken\0\0\0\u0001') + 'broken'.length + 4;
    bytes.writeUInt8(bytes.readUInt8(at + 20) ^ 1, at + 20);
    writeFileSync(file, bytes);
    const { code, errors } = await run(['rotate']);
    expect([code, errors]).toEqual([
      1,
      [expect.stringMatching(/^1 subject in \S+ can not be unwrapped, .* 1 others are under version 2 now/)],
    ]);
    expect(readFileSync(join(directory, 'vault.keys'), 'utf8').trim().split('\n')).toHaveLength(2);
    await using((vault) => vault.destroy('broken'));
    expect((await run(['rotate'])).code).toBe(0);
    expect(readFileSync(join(directory, 'vault.keys'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [[], 'Usage: npm run --silent vault --'],
    [['rotated'], "unknown command 'rotated'\n(Did you mean rotate?)"],
    [['--fast'], "unknown option '--fast'"],
    [['rotate', 'now'], "too many arguments for 'rotate'. Expected 0 arguments but got 1."],
  ])('refuses %j with 2 and shows how it is used', async (args, problem) => {
    const { code, lines, errors } = await run(args);
    expect([code, lines, errors[0]]).toEqual([2, [], expect.stringContaining(problem)]);
    expect(errors[0]).toContain('rotate');
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toEqual({
      code: 0,
      lines: [expect.stringMatching(/status[^]*rotate[^]*VAULT_MASTER_KEY must have the new key first/)],
      errors: [],
    });
  });

  async function run(args: readonly string[], settings: Record<string, string> = {}) {
    const lines: string[] = [];
    const errors: string[] = [];
    const terminal = {
      line: (text: string) => void lines.push(text),
      error: (text: string) => void errors.push(text),
    };
    const environment = { DATA_DIR: directory, ...settings };
    const signal = new AbortController().signal;
    return { code: await vaultCommand(args, { environment, terminal, signal }), lines, errors };
  }

  async function using(
    work: (vault: RotatableVault) => Promise<void>,
    settings: Record<string, string> = {},
  ) {
    const { vault } = await openVault(readConfig({ DATA_DIR: directory, ...settings }), noLog);
    await work(vault);
    await vault.close();
  }
});
