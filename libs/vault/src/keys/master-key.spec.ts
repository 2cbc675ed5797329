import { openDatabase } from '@tillstream/sqlite-driver';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteVault } from '../sqlite/open-sqlite-vault.js';
import { newMasterKey, newVaultFolder, type VaultFolder } from '../sqlite/sqlite-vaults.fixture.js';
import type { SqliteVault } from '../sqlite/sqlite.vault.js';
import { fileBytes } from '../testing/index.js';
import { isNewVault } from '../sqlite/vault.database.js';
import { vaultStatus } from '../sqlite/vault.status.js';

const CARD = '4761739001010119';
const [first, second, third] = [newMasterKey(), newMasterKey(), newMasterKey()];

describe('A vault and its master keys', () => {
  let folder: VaultFolder;
  const open: SqliteVault[] = [];

  beforeEach(() => {
    folder = newVaultFolder();
    folder.masterKeys = [first];
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((vault) => vault.close()));
    folder.remove();
  });

  it('registers the first key of a new vault as version 1, and its status needs no key', async () => {
    expect(isNewVault(folder.file)).toBe(true);
    expect(await vaultStatus(folder.file)).toBeUndefined();
    expect(existsSync(folder.file)).toBe(false);
    const vaults = await Promise.all([opened(), opened()]);
    await vaults[0]?.storeCard('a', CARD);
    await vaults[1]?.destroy('b');
    expect(isNewVault(folder.file)).toBe(false);
    expect(await vaultStatus(folder.file)).toEqual({
      versions: [{ version: 1, registeredAt: expect.any(String), retiredAt: undefined, subjects: 1 }],
      destroyed: 1,
    });
  });

  it('lets only the owner read its files, and stores no key in them', async () => {
    const vault = await opened();
    await vault.storeCard('a', CARD);
    for (const name of ['vault.db', 'vault.db-wal', 'vault.db-shm'])
      expect(statSync(join(folder.directory, name)).mode & 0o077).toBe(0);
    for (const bytes of fileBytes(folder.directory).values())
      expect(bytes.includes(Buffer.from(first))).toBe(false);
  });

  it.each<[string, readonly Uint8Array[], string]>([
    ['no key', [], 'No master key is given.'],
    ['a short one', [first.subarray(1)], 'A master key has 31 bytes, and 32 are needed.'],
    ['the same one twice', [first, second, first], 'A master key is given twice.'],
  ])('makes no file for %s', async (_, keys, sentence) => {
    folder.masterKeys = keys;
    await expect(opened()).rejects.toMatchObject({ name: 'MasterKeyError', message: sentence });
    expect(existsSync(folder.file)).toBe(false);
  });

  it.each([
    ['another key', [second]],
    ['several others', [second, third]],
  ])('is refused to %s in one sentence, and nothing is written', async (_, keys) => {
    await keep('a');
    const before = fileBytes(folder.directory);
    folder.masterKeys = keys;
    await expect(opened()).rejects.toMatchObject({
      name: 'MasterKeyError',
      message: 'The vault needs version 1 of its master key, and none of its keys was given.',
    });
    expect(fileBytes(folder.directory)).toEqual(before);
  });

  it('registers a new first key as the next version if the current key is configured too', async () => {
    await keep('a');
    folder.masterKeys = [second, first];
    const vault = await opened();
    expect(await vault.openCard('a')).toBe(CARD);
    await vault.storeCard('b', CARD);
    expect(await subjects()).toEqual([1, 1]);
  });

  it('wraps with the current version of the file, for any order of the keys', async () => {
    await keep('a');
    folder.masterKeys = [second, first];
    await keep('b');
    folder.masterKeys = [first, second];
    await keep('c');
    expect(await subjects()).toEqual([1, 2]);
    const vault = await opened();
    expect(await Promise.all(['a', 'b', 'c'].map((name) => vault.openCard(name)))).toEqual([
      CARD,
      CARD,
      CARD,
    ]);
  });

  it('is refused without the key of an older version that is still used, and names the number of subjects', async () => {
    for (const name of ['a', 'b', 'c']) await keep(name);
    folder.masterKeys = [second, first];
    await keep('d');
    for (const keys of [[second], [third, second]]) {
      folder.masterKeys = keys;
      await expect(opened()).rejects.toThrow(
        'The vault needs version 1 of its master key too, which was not given: it wraps the keys of 3 subjects.',
      );
    }
    expect(await subjects()).toEqual([3, 1]);
    folder.masterKeys = [first];
    await expect(opened()).rejects.toThrow(
      'The vault needs version 2 of its master key, and only version 1 was given.',
    );
  });

  it('leaves a file that is no vault unchanged', async () => {
    const other = openDatabase(folder.file);
    other.exec('CREATE TABLE events (id INTEGER)');
    other.close();
    await expect(opened()).rejects.toMatchObject({
      code: 'Unavailable',
      message: `${folder.file} is no vault.`,
    });
    const text = join(folder.directory, 'text');
    writeFileSync(text, 'Not a database, but a text. '.repeat(100));
    const before = fileBytes(folder.directory);
    const opening = openSqliteVault({ file: text, masterKeys: () => [first] });
    await expect(opening).rejects.toMatchObject({ code: 'Unavailable', message: `${text} is no vault.` });
    expect(fileBytes(folder.directory)).toEqual(before);
    const nowhere = openSqliteVault({
      file: join(folder.directory, 'no', 'x.db'),
      masterKeys: () => [first],
    });
    await expect(nowhere).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it.each<[string, string]>([
    ['the keys of another subject', 'SET card_key = (SELECT card_key FROM subject WHERE name = $a)'],
    ['the card of another subject', 'SET card = (SELECT card FROM subject WHERE name = $a)'],
    [
      'keys and card of another subject',
      'SET (card_key, card) = (SELECT card_key, card FROM subject WHERE name = $a)',
    ],
    ['its key for personal data as key of the card', 'SET card_key = personal_key'],
    ['its keys under another version', "SET master = x'00000002'"],
    ['noise', 'SET card_key = randomblob(60)'],
  ])('opens nothing of a row with %s, and reports that it is damaged', async (_, change) => {
    for (const name of ['a', 'b']) {
      await keep(name, name === 'a' ? CARD : '5');
      folder.masterKeys = [second, first];
    }
    const vault = await opened();
    await vault.storeCard('a', CARD);
    for (const name of ['a', 'b']) await vault.seal(name, 'Ada');
    const sqlite = openDatabase(folder.file);
    if (change.includes('master')) {
      folder.masterKeys = [third, second, first];
      await vault.startRotation();
      sqlite.prepare("UPDATE subject SET master = x'00000003' WHERE name = 'b'").run();
    } else if (change.includes('$a'))
      sqlite.prepare(`UPDATE subject ${change} WHERE name = 'b'`).run({ a: 'a' });
    else sqlite.prepare(`UPDATE subject ${change} WHERE name = 'b'`).run();
    sqlite.close();
    for (const call of [vault.openCard('b'), vault.openCardAndText('b', undefined)])
      await expect(call).rejects.toMatchObject({
        code: 'Unavailable',
        message: expect.stringContaining('damaged'),
      });
    expect(await vault.openCard('a')).toBe(CARD);
    await vault.destroy('b');
    expect(await vault.openCard('b')).toBeUndefined();
  });

  it('refuses SQL that deletes a row or restores a destroyed one', async () => {
    const vault = await opened();
    await vault.storeCard('a', CARD);
    await vault.destroy('b');
    const sqlite = openDatabase(folder.file);
    const run = (sql: string) => () => sqlite.exec(sql);
    expect(run("DELETE FROM subject WHERE name = 'a'")).toThrow('subjects are never deleted');
    expect(run("UPDATE subject SET master = x'00000001' WHERE name = 'b'")).toThrow('was destroyed');
    expect(run("UPDATE subject SET name = 'c' WHERE name = 'a'")).toThrow('keeps its name');
    expect(run("UPDATE subject SET card = x'00' WHERE name = 'a'")).toThrow('CHECK');
    sqlite.close();
  });

  async function opened(): Promise<SqliteVault> {
    const vault = await folder.open();
    open.push(vault);
    return vault;
  }

  /** By a process that ends then. */
  async function keep(name: string, card = CARD): Promise<void> {
    const vault = await folder.open();
    await vault.storeCard(name, card);
    await vault.close();
  }

  /** The number of subjects under each version. */
  async function subjects(): Promise<readonly number[] | undefined> {
    return (await vaultStatus(folder.file))?.versions.map((version) => version.subjects);
  }
});
