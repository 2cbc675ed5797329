import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config } from '../configuration/config.js';
import { createLog, noLog } from '../logging/log.js';
import { openVault, type OpenedVault } from './vault.opener.js';

const CARD = '4761739001010119';
const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

let directory: string;
const open: OpenedVault[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tillstream-choice-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ vault }) => vault.close()));
  rmSync(directory, { recursive: true, force: true });
});

const config = (settings: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR: directory, ...settings });

async function started(settings: Record<string, string> = {}): Promise<OpenedVault> {
  const chosen = await openVault(config(settings), noLog);
  open.push(chosen);
  return chosen;
}

/** Opens the vault, stores a card, and closes it. */
async function keep(subject: string, settings: Record<string, string> = {}): Promise<void> {
  const { vault } = await openVault(config(settings), noLog);
  await vault.storeCard(subject, CARD);
  await vault.close();
}

function filesNow(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'base64')]),
  );
}

async function expectRefusal(settings: Record<string, string>, sentence: RegExp): Promise<void> {
  const before = filesNow();
  await expect(openVault(config(settings), noLog)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(sentence),
  });
  expect(filesNow()).toEqual(before);
}

describe('The master key of the vault', () => {
  it('in sandbox mode is created at the first start, for its owner only, and logged once', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const first = await openVault(config(), log);
    const next = await openVault(config(), log);
    open.push(first, next);
    const path = join(directory, 'vault.keys');
    expect([first.createdKeyFile, next.createdKeyFile]).toEqual([path, undefined]);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'vault-key-made', reason: expect.stringContaining(path) }),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await first.vault.storeCard('a', CARD);
    expect(await next.vault.openCard('a')).toBe(CARD);
  });

  it('is created once by two starts at the same time', async () => {
    const [first, second] = await Promise.all([started(), started()]);
    await first.vault.storeCard('a', CARD);
    expect(await second.vault.openCard('a')).toBe(CARD);
  });

  it('that is missing beside a vault stops the start, and no other one is created', async () => {
    await keep('a');
    const keys = join(directory, 'vault.keys');
    copyFileSync(keys, join(directory, 'elsewhere'));
    rmSync(keys);
    await expectRefusal({}, /^\S+vault\.keys is missing, and \S+vault\.db can not be opened [^\n]+\.$/);
    copyFileSync(join(directory, 'elsewhere'), keys);
    expect(await (await started()).vault.openCard('a')).toBe(CARD);
  });

  it('that does not match stops the start, and nothing is written', async () => {
    await keep('a');
    writeFileSync(join(directory, 'vault.keys'), `${key(9)}\n`);
    await expectRefusal({}, /^\S+vault\.keys does not fit \S+vault\.db: The vault needs version 1 [^\n]+\.$/);
    await expectRefusal({ VAULT_MASTER_KEY: key(8) }, /^VAULT_MASTER_KEY does not fit \S+: [^\n]+\.$/);
    const file = join(directory, 'other');
    writeFileSync(file, `${key(7)}\n`, { mode: 0o600 });
    await expectRefusal(
      { VAULT_MASTER_KEY_FILE: file },
      /^VAULT_MASTER_KEY_FILE "\S+" does not fit [^\n]+\.$/,
    );
    writeFileSync(join(directory, 'vault.keys'), 'no key');
    await expectRefusal({}, /^\S+vault\.keys has a line 1 that is no key; [^\n]+\.$/);
    writeFileSync(join(directory, 'vault.keys'), '');
    await expectRefusal({}, /^\S+vault\.keys holds no key; [^\n]+\.$/);
  });

  it('can be a setting: then no file is created', async () => {
    await keep('a', { VAULT_MASTER_KEY: key(1) });
    expect(readdirSync(directory)).toEqual(['vault.db']);
    const { vault } = await started({ VAULT_MASTER_KEY: `${key(2)}, ${key(1)}` });
    expect(await vault.openCard('a')).toBe(CARD);
  });

  it('can be in a file that a setting names, which is never created', async () => {
    const file = join(directory, 'secret');
    const settings = { VAULT_MASTER_KEY_FILE: file };
    await expectRefusal(settings, /^VAULT_MASTER_KEY_FILE "\S+" can not be read \(ENOENT\); [^\n]+\.$/);
    writeFileSync(file, `${key(1)}\n`, { mode: 0o600 });
    await keep('a', settings);
    expect(readdirSync(directory).toSorted()).toEqual(['secret', 'vault.db']);
    chmodSync(file, 0o640);
    await expectRefusal(settings, /^VAULT_MASTER_KEY_FILE "\S+" can be used by others [^\n]+\.$/);
  });

  it('that others can read stops the start', async () => {
    await keep('a');
    chmodSync(join(directory, 'vault.keys'), 0o644);
    await expectRefusal({}, /^\S+vault\.keys can be used by others than its owner; [^\n]+\.$/);
  });

  it('must be configured in live mode', async () => {
    const live: Config = { ...config(), mode: 'live' };
    await expect(openVault(live, noLog)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are missing, [^\n]+\.$/),
    });
    expect(readdirSync(directory)).toEqual([]);
    const given = await openVault({ ...config({ VAULT_MASTER_KEY: key(1) }), mode: 'live' }, noLog);
    open.push(given);
    expect(given.createdKeyFile).toBeUndefined();
  });

  it.each([
    ['a short one', 'c2hvcnQ='],
    ['none between commas', `${key(1)},,${key(2)}`],
    ['not base64', 'hunter2'],
  ])('as a setting that is %s is refused, and not repeated', (_, value) => {
    expect(() => config({ VAULT_MASTER_KEY: value })).toThrow(
      /^VAULT_MASTER_KEY is something else; allowed is [^\n]+\.$/,
    );
    expect(() => config({ VAULT_MASTER_KEY: value })).toThrow(expect.not.stringContaining(value) as never);
  });

  it('must be in one setting: both are refused', () => {
    expect(() => config({ VAULT_MASTER_KEY: key(1), VAULT_MASTER_KEY_FILE: 'x' })).toThrow(
      /^VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are both set; [^\n]+\.$/,
    );
    expect(config({ VAULT_MASTER_KEY: '', VAULT_MASTER_KEY_FILE: 'x' })).toMatchObject({
      vaultMasterKeyFile: 'x',
    });
  });
});
