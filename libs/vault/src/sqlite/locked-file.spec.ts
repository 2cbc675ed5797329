import { openDatabase } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { setTimeout as pause } from 'node:timers/promises';
import { newVaultFolder, type VaultFolder } from './sqlite-vaults.fixture.js';
import type { SqliteVault } from './sqlite.vault.js';

const CARD = '4761739001010119';

describe('A vault whose file another process locks', () => {
  let folder: VaultFolder;
  let vault: SqliteVault;
  let other: Database.Database;

  beforeEach(async () => {
    folder = newVaultFolder();
    vault = await folder.open();
    await vault.storeCard('kept', CARD);
    other = openDatabase(folder.file);
    other.exec('BEGIN IMMEDIATE');
  });

  afterEach(async () => {
    other.close();
    await vault.close();
    folder.remove();
  });

  it('waits without blocking its process, and still reads', async () => {
    const keeping = vault.storeCard('a', CARD);
    let longest = 0;
    for (let turn = 0, before = performance.now(); turn < 50; turn++) {
      await pause(2);
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }
    // A thread that waited for the lock itself would wait for five seconds.
    expect(longest).toBeLessThan(2_000);
    expect(await vault.openCard('kept')).toBe(CARD);
    other.exec('COMMIT');
    await keeping;
    expect(await vault.openCard('a')).toBe(CARD);
  });

  it('gives up after five seconds, has stored nothing, and works again afterwards', async () => {
    const began = performance.now();
    const results = await Promise.allSettled([
      vault.storeCard('a', CARD),
      vault.seal('b', 'Ada'),
      vault.destroy('kept'),
    ]);
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(performance.now() - began).toBeLessThan(15_000);
    for (const result of results)
      expect(result).toMatchObject({ reason: { name: 'VaultError', code: 'Unavailable' } });
    other.exec('COMMIT');
    expect(await vault.openCard('a')).toBeUndefined();
    expect(await vault.openCard('kept')).toBe(CARD);
    await vault.storeCard('a', CARD);
    expect(await vault.openCard('a')).toBe(CARD);
  });

  it('queues at most 10,000 writes', async () => {
    const writes = Array.from({ length: 10_010 }, (_, index) => vault.seal(`acc_${index}`, ''));
    const settled = Promise.allSettled(writes);
    await pause(50);
    other.exec('COMMIT');
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({
      reason: { code: 'Unavailable', message: expect.stringContaining('10000') },
    });
  });
});
