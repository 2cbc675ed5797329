import { openDatabase } from '@tillstream/sqlite-driver';
import { openSqliteVault } from '../sqlite/open-sqlite-vault.js';
import type { RotationProgress } from './rotation.js';
import { newMasterKey, newVaultFolder, type VaultFolder } from '../sqlite/sqlite-vaults.fixture.js';
import type { SqliteVault } from '../sqlite/sqlite.vault.js';
import type { Sealed } from '../vault.port.js';
import { vaultStatus } from '../sqlite/vault.status.js';

const COUNT = 700;
const names = Array.from({ length: COUNT }, (_, index) => `pmt_tkn_${index}`);
const [first, second, third] = [newMasterKey(), newMasterKey(), newMasterKey()];

describe('A rotation', () => {
  let folder: VaultFolder;
  let vault: SqliteVault;
  let sealed: readonly Sealed[];

  beforeEach(async () => {
    folder = newVaultFolder();
    folder.masterKeys = [first];
    vault = await folder.open();
    await Promise.all(names.map((name) => vault.storeCard(name, `card of ${name}`)));
    sealed = await Promise.all(names.slice(0, 100).map((name) => vault.seal(name, `name of ${name}`)));
  });

  afterEach(async () => {
    await vault.close();
    folder.remove();
  });

  it('rewraps every key under the new version, keeps the stored data, and retires the old version', async () => {
    await vault.destroy('pmt_tkn_5');
    begin();
    const progress: RotationProgress[] = [];
    const result = await vault.rotate({ onProgress: (one) => void progress.push(one) });
    expect(result).toEqual({ kind: 'Complete', version: 2, done: COUNT - 1, left: 0 });
    expect(progress.map(({ done }) => done)).toEqual([200, 400, 600, COUNT - 1]);
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([COUNT - 1]));
    expect(await subjects()).toEqual([0, COUNT - 1]);
    expect((await vaultStatus(folder.file))?.versions.map(({ retiredAt }) => typeof retiredAt)).toEqual([
      'string',
      'undefined',
    ]);
    await vault.close();
    folder.masterKeys = [second];
    vault = await folder.open();
    await expectAll(['pmt_tkn_5']);
    await expect(vault.storeCard('pmt_tkn_5', '4')).rejects.toMatchObject({ code: 'Destroyed' });
  });

  it('without any older key completes at once', async () => {
    expect(await vault.rotate()).toEqual({ kind: 'Complete', version: 1, done: 0, left: 0 });
    expect((await vaultStatus(folder.file))?.versions[0]?.retiredAt).toBeUndefined();
  });

  it('is noticed by a process with the vault open, which reads and writes again as soon as it has the new key', async () => {
    let keys: readonly Uint8Array[] = [first];
    const other = await openSqliteVault({ file: folder.file, masterKeys: () => keys });
    begin();
    await vault.rotate();
    for (const call of [
      () => other.openCard('pmt_tkn_1'),
      () => other.storeCard('b', '4'),
      () => other.open(sealed),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'Unavailable',
        message: expect.stringMatching(/^Version 2 of the vault's master key is not among the keys/),
      });
    keys = [second];
    expect(await other.openCard('pmt_tkn_1')).toBe('card of pmt_tkn_1');
    await other.storeCard('b', '4');
    expect(await vault.openCard('b')).toBe('4');
    expect(await subjects()).toEqual([0, COUNT + 1]);
    await other.close();
  });

  it('lets others store, open, seal and destroy while it runs, without errors or loss', async () => {
    const other = await folder.open();
    begin();
    let running = true;
    const rotation = vault.rotate().finally(() => (running = false));
    for (let round = 0; running; round++) {
      const name = names[(round * 37) % COUNT] ?? '';
      await other.storeCard(name, `card of ${name}`);
      await other.storeCard(`more_${round}`, 'more');
      expect(await other.openCard(name)).toBe(`card of ${name}`);
      await other.destroy(`gone_${round}`);
      expect(await other.open([await other.seal(name, 'Ada')])).toEqual(['Ada']);
    }
    expect(await rotation).toMatchObject({ kind: 'Complete', left: 0 });
    expect((await subjects())?.[0]).toBe(0);
    await expectAll();
    await other.close();
  });

  it('continues where it was stopped', async () => {
    begin();
    const stop = new AbortController();
    const stopped = await vault.rotate({
      signal: stop.signal,
      onProgress: ({ done }) => void (done >= 400 && stop.abort()),
    });
    expect(stopped).toEqual({ kind: 'Interrupted', version: 2, done: 400, left: COUNT - 400 });
    await expectAll();
    expect(await vault.rotate()).toEqual({ kind: 'Complete', version: 2, done: COUNT - 400, left: 0 });
    await expectAll();
  });

  it('completes an earlier rotation, also if another starts during it', async () => {
    begin();
    let begun = false;
    const result = await vault.rotate({
      onProgress: () => {
        if (begun) return;
        begun = true;
        folder.masterKeys = [third, second, first];
        void vault.startRotation();
      },
    });
    expect(result).toMatchObject({ kind: 'Complete', version: 3, left: 0 });
    expect(await subjects()).toEqual([0, 0, COUNT]);
    await expectAll();
  });

  it('names the current key when the others can be removed, and retires none if that fails', async () => {
    begin();
    const isCurrent: boolean[] = [];
    await expect(
      vault.rotate({
        onComplete: () => {
          throw new Error('the disk is full');
        },
      }),
    ).rejects.toThrow('the disk is full');
    expect((await vaultStatus(folder.file))?.versions[0]?.retiredAt).toBeUndefined();
    const again = await vault.rotate({
      onComplete: (test) => void isCurrent.push(...folder.masterKeys.map(test)),
    });
    expect([again.done, isCurrent]).toEqual([0, [true, false]]);
    expect((await vaultStatus(folder.file))?.versions[0]?.retiredAt).toBeDefined();
  });

  it('leaves a damaged subject under the old version, does not retire it, and continues with the others', async () => {
    const sqlite = openDatabase(folder.file);
    sqlite.exec("UPDATE subject SET card_key = randomblob(60) WHERE name = 'pmt_tkn_7'");
    sqlite.close();
    begin();
    expect(await vault.rotate()).toEqual({ kind: 'Damaged', version: 2, done: COUNT - 1, left: 1 });
    expect((await vaultStatus(folder.file))?.versions[0]?.retiredAt).toBeUndefined();
  });

  function begin(): void {
    folder.masterKeys = [second, first];
    void vault.startRotation();
  }

  async function expectAll(but: readonly string[] = []): Promise<void> {
    const expected = (text: string) => (name: string) =>
      but.includes(name) ? undefined : `${text} of ${name}`;
    expect(await Promise.all(names.map((name) => vault.openCard(name)))).toEqual(names.map(expected('card')));
    expect(await vault.open(sealed)).toEqual(names.slice(0, 100).map(expected('name')));
  }

  async function subjects(): Promise<readonly number[] | undefined> {
    return (await vaultStatus(folder.file))?.versions.map((version) => version.subjects);
  }
});
