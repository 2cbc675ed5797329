import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@tillstream/sqlite-driver';
import { newMasterKey, newVaultFolder, type VaultFolder } from './sqlite-vaults.fixture.js';
import { rowOffsets, StoredSecrets } from './stored-secrets.fixture.js';
import { fileBytes } from '../testing/index.js';

const CARD = '4761739001010119';
const destroyingProcess = fileURLToPath(new URL('../../fixtures/destroying-process.mjs', import.meta.url));

describe('Destroyed data', () => {
  let folder: VaultFolder;
  let secrets: StoredSecrets;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    folder = newVaultFolder();
    secrets = new StoredSecrets(folder.directory);
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    folder.remove();
  });

  it('is in no byte of any file after thousands of writes, sealings, rotations and destructions in any order', async () => {
    const vaults = [await folder.open(), await folder.open()];
    const alive: string[] = [];
    const destroyed = new Set<string>();
    let made = 0;
    const any = (): string => alive[Math.floor(Math.random() * alive.length)] ?? '';
    for (let round = 0; round < 16; round++) {
      const [vault, other] = round % 2 ? vaults : vaults.toReversed();
      if (vault === undefined || other === undefined) throw new Error('there are two');
      const added = Array.from({ length: 200 }, () => `pmt_tkn_${++made}`);
      const changed = Array.from({ length: 30 }, any).filter((name) => name !== '');
      const toDestroy = alive.length < 150 ? [] : new Set(Array.from({ length: 140 }, any));
      secrets.record();
      const rotation = round % 6 === 5 ? rotate() : undefined;
      await Promise.all([
        ...added.map((name) => vault.storeCard(name, CARD)),
        ...added.slice(0, 100).map((name) => other.seal(name, 'Ada')),
        ...changed
          .filter((name) => !new Set(toDestroy).has(name))
          .map((name) => other.storeCard(name, '5'.repeat(19))),
        ...[...toDestroy].map((name, index) => (index % 2 ? vault : other).destroy(name)),
      ]);
      await rotation;
      for (const name of toDestroy) destroyed.add(name);
      alive.push(...added);
      alive.splice(0, alive.length, ...alive.filter((name) => !destroyed.has(name)));
      secrets.record();
      if (round % 8 === 7) expect(secrets.subjectsFoundInFiles(destroyed)).toEqual([]);
    }
    expect(destroyed.size).toBeGreaterThan(800);
    expect(secrets.count(destroyed)).toBeGreaterThan(2_000);
    expect(secrets.subjectsFoundInFiles(alive)).toHaveLength(alive.length);
    await Promise.all(vaults.map((vault) => vault.close()));
    expect(secrets.subjectsFoundInFiles(destroyed)).toEqual([]);

    async function rotate(): Promise<void> {
      folder.masterKeys = [newMasterKey(), ...folder.masterKeys].slice(0, 2);
      await vaults[0]?.startRotation();
      expect(await vaults[0]?.rotate()).toMatchObject({ kind: 'Complete', left: 0 });
    }
  });

  it('is overwritten in its place: rows never move', async () => {
    const vault = await folder.open();
    const names = Array.from({ length: 100 }, (_, index) => `acc_${index}`);
    await Promise.all(names.map((name) => vault.seal(name, 'Ada')));
    const before = rowOffsets(folder, names);
    await Promise.all(names.slice(0, 60).map((name) => vault.storeCard(name, CARD)));
    folder.masterKeys = [newMasterKey(), ...folder.masterKeys];
    await vault.startRotation();
    await vault.rotate();
    await Promise.all(names.slice(30).map((name) => vault.destroy(name)));
    await Promise.all(names.map((name) => vault.destroy(`${name}_more`)));
    expect(before.size).toBe(names.length);
    expect(rowOffsets(folder, names)).toEqual(before);
    await vault.close();
    const file = fileBytes(folder.directory).get('vault.db') ?? Buffer.of();
    // Behind the name: the version of the master key, two keys, a card.
    for (const name of names.slice(30)) {
      const start = (before.get(name) ?? 0) + name.length;
      expect(file.subarray(start, start + 4 + 60 + 60 + 284).every((byte) => byte === 0)).toBe(true);
    }
  });

  it('stays destroyed after kill -9 during destructions, and a repeat destroys the rest', async () => {
    if (!existsSync(new URL('../../dist/index.js', import.meta.url)))
      throw new Error('build first (npm run build)');
    const vault = await folder.open();
    let acknowledged = 0;
    for (let round = 0; round < 3; round++) {
      const child = start(`round${round}`, 300);
      await child.line('kept');
      secrets.record();
      child.process.stdin?.write('\n');
      // This process stores cards in the same file at the same time.
      for (let kept = 0; child.lines.length < 20 + 60 * round; kept++) {
        await vault.storeCard(`other_${round}_${kept}`, CARD);
        await pause(1);
      }
      child.process.kill('SIGKILL');
      await child.ended;
      const destroyed = child.lines.filter((line) => line !== 'kept');
      acknowledged += destroyed.length;
      expect(secrets.subjectsFoundInFiles(destroyed)).toEqual([]);
      const reopened = await folder.open();
      expect(await Promise.all(destroyed.map((name) => reopened.openCard(name)))).toEqual(
        destroyed.map(() => undefined),
      );
      const all = Array.from({ length: 300 }, (_, index) => `round${round}_${index}`);
      await Promise.all(all.map((name) => reopened.destroy(name)));
      expect(secrets.subjectsFoundInFiles(all)).toEqual([]);
      await reopened.close();
    }
    await vault.close();
    expect(acknowledged).toBeGreaterThan(200);
  });

  it('is not acknowledged while another process reads, because the log still holds it', async () => {
    const vault = await folder.open();
    await vault.storeCard('a', CARD);
    const reader = openDatabase(folder.file);
    reader.exec('BEGIN; SELECT * FROM subject');
    reader.prepare('SELECT * FROM subject').all();
    const destruction = vault.destroy('a');
    let answered = false;
    void destruction.then(() => (answered = true));
    await pause(300);
    expect(answered).toBe(false);
    // Others are not held up by that.
    await vault.storeCard('b', CARD);
    expect(await vault.openCard('a')).toBeUndefined();
    reader.exec('COMMIT');
    await destruction;
    reader.close();
    await vault.close();
  });

  function start(prefix: string, count: number) {
    const key = Buffer.from(folder.masterKeys[0] ?? []).toString('base64');
    const args = [destroyingProcess, folder.file, key, prefix, String(count)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => void lines.push(line));
    const ended = once(child, 'close');
    const line = async (expected: string): Promise<void> => {
      for (let waited = 0; !lines.includes(expected); waited += 5) {
        if (waited > 15_000) throw new Error(`no line ${expected}`);
        await pause(5);
      }
    };
    return { process: child, lines, line, ended };
  }
});
