import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError, noLog, openVault, readConfig } from '@tillstream/platform';
import { formatCount } from '@tillstream/platform/command-line';
import { vaultStatus, type RotatableVault } from '@tillstream/vault';
import { LIMIT_MS, DataDirectoryFixture, until } from './program.fixture.js';

const COUNT = 4_000;
const SIGNAL_COUNT = 3_000;
const names = Array.from({ length: COUNT }, (_, index) => `pmt_tkn_${index}`);
const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

describe('the program', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(() => {
    fixture = new DataDirectoryFixture();
  });

  afterEach(() => fixture.remove());

  it(
    'killed in the middle of a rotation, again and again, is finished by the same command, while two processes keep cards all the time',
    async () => {
      await fill();
      const [old] = fixture.keys();
      const keeping = [fixture.start('keeping', ['stays', '0']), fixture.start('keeping', ['anew', '25'])];
      await until(() => keeping.every((one) => one.output().split('\n').length > 20));
      for (const share of [0, 0.4]) {
        const rotation = fixture.start('vault', ['rotate']);
        await until(async () => (await under(2)) > COUNT * share);
        rotation.process.kill('SIGKILL');
        expect((await rotation.ended).signal).toBe('SIGKILL');
        expect(await under(1)).toBeGreaterThan(0);
        const [newest, ...older] = fixture.keys();
        expect(newest).not.toBe(old);
        expect(older).toEqual([old]);
      }
      const { code, output } = await fixture.start('vault', ['rotate']).ended;
      expect([code, output]).toEqual([0, expect.stringContaining('everything is under version 2')]);
      for (const one of keeping) one.process.kill('SIGTERM');
      const kept = (await Promise.all(keeping.map(({ ended }) => ended))).map(
        ({ code: end, output: text }) => {
          expect([end, text]).toEqual([0, expect.not.stringContaining('Error')]);
          return text.trim().split('\n');
        },
      );
      expect(kept.flat().length).toBeGreaterThan(100);

      expect(fixture.keys()).toEqual([expect.any(String)]);
      expect(fixture.keys()).not.toContain(old);
      for (const name of readdirSync(fixture.directory))
        expect(readFileSync(`${fixture.directory}/${name}`).includes(old ?? '')).toBe(false);
      expect(await under(1)).toBe(0);
      expect(await under(2)).toBe(COUNT + kept.flat().length);
      await withVault({}, async (vault) => {
        const all = [...names, ...kept.flat()];
        expect(await Promise.all(all.map((name) => vault.openCard(name)))).toEqual(
          all.map((name) => `card of ${name}`),
        );
      });
    },
    LIMIT_MS,
  );

  it(
    'ends at a signal (130, 143) after the current transaction; the same command finishes it, even if it runs twice',
    async () => {
      await fill(SIGNAL_COUNT);
      for (const [name, code, share] of [
        ['SIGINT', 130, 0],
        ['SIGTERM', 143, 0.4],
      ] as const) {
        const rotation = fixture.start('vault', ['rotate']);
        await until(async () => (await under(2)) > SIGNAL_COUNT * share);
        rotation.process.kill(name);
        const ended = await rotation.ended;
        expect([ended.code, ended.output]).toEqual([
          code,
          expect.stringMatching(
            /^Interrupted\. [\d,]+ subjects rewrapped, [\d,]+ not yet under version 2 [^\n]+\n$/,
          ),
        ]);
        expect(await under(1)).toBeGreaterThan(0);
        expect(ended.output).toContain(` ${formatCount(await under(1))} not yet`);
      }
      const status = await fixture.start('vault', ['status']).ended;
      expect([status.code, status.output]).toEqual([0, expect.stringContaining('A rotation is under way')]);
      const both = [fixture.start('vault', ['rotate']), fixture.start('vault', ['rotate'])];
      expect((await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
      expect(fixture.keys()).toHaveLength(1);
      // A rotation that started after the end of the other has rotated once more.
      expect([await under(1), (await under(2)) + (await under(3))]).toEqual([0, SIGNAL_COUNT]);
      await withVault({}, async (vault) =>
        expect(await vault.openCard('pmt_tkn_0')).toBe('card of pmt_tkn_0'),
      );
    },
    LIMIT_MS,
  );

  it(
    'exchanges a key that is a setting, under services that were given both before',
    async () => {
      const before = { VAULT_MASTER_KEY: key(1) };
      await fill(1_000, before);
      const service = fixture.start('keeping', ['stays', '0'], { VAULT_MASTER_KEY: `${key(1)},${key(2)}` });
      await until(() => service.output().split('\n').length > 10);
      const { code, output } = await fixture.start('vault', ['rotate'], {
        VAULT_MASTER_KEY: `${key(2)},${key(1)}`,
      }).ended;
      expect([code, output]).toEqual([
        0,
        expect.stringContaining('The old key can be removed from VAULT_MASTER_KEY in every process.'),
      ]);
      const seen = service.output().length;
      await until(() => service.output().length > seen + 100);
      service.process.kill('SIGTERM');
      expect((await service.ended).code).toBe(0);
      expect(existsSync(fixture.keyFile)).toBe(false);
      const refused = await fixture.start('vault', ['rotate'], before).ended;
      expect([refused.code, refused.output]).toEqual([
        2,
        expect.stringMatching(/^VAULT_MASTER_KEY does not fit \S+: The vault needs version 2 [^\n]+\.\n$/),
      ]);
      await withVault({ VAULT_MASTER_KEY: key(2) }, async (vault) =>
        expect(await vault.openCard('pmt_tkn_0')).toBe('card of pmt_tkn_0'),
      );
    },
    LIMIT_MS,
  );

  it(
    'reports an error in one sentence, with exit code 2',
    async () => {
      const none = await fixture.start('vault', ['rotate']).ended;
      expect([none.code, none.output]).toEqual([
        2,
        expect.stringMatching(/^There is no vault in DATA_DIR [^\n]+\.\n$/),
      ]);
      expect(readdirSync(fixture.directory)).toEqual([]);
      const wrong = await fixture.start('vault', ['status'], { VAULT_MASTER_KEY: 'hunter2' }).ended;
      expect([wrong.code, wrong.output]).toEqual([
        2,
        expect.stringMatching(/^VAULT_MASTER_KEY is something else; [^\n]+\.\n$/),
      ]);
    },
    LIMIT_MS,
  );

  async function fill(count = COUNT, settings: Record<string, string> = {}): Promise<void> {
    await withVault(settings, async (vault) => {
      await Promise.all(names.slice(0, count).map((name) => vault.storeCard(name, `card of ${name}`)));
    });
  }

  async function withVault(
    settings: Record<string, string>,
    work: (vault: RotatableVault) => Promise<void>,
  ): Promise<void> {
    const { vault } = await openVault(readConfig({ DATA_DIR: fixture.directory, ...settings }), noLog);
    try {
      await work(vault);
    } finally {
      await vault.close();
    }
  }

  /** Number of subjects of a version. */
  async function under(version: number): Promise<number> {
    const status = await vaultStatus(fixture.vaultFile);
    return status?.versions.find((one) => one.version === version)?.subjects ?? 0;
  }
});

describe('The service', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(() => {
    fixture = new DataDirectoryFixture();
  });

  afterEach(() => fixture.remove());

  const spoilt = [
    ['is gone', (path: string) => rmSync(path), /^\S+vault\.keys is missing, [^\n]+\.$/m],
    [
      'is another one',
      (path: string) => writeFileSync(path, `${key(9)}\n`),
      /^\S+vault\.keys does not fit [^\n]+\.$/m,
    ],
    [
      'is no key',
      (path: string) => writeFileSync(path, 'hunter2'),
      /^\S+vault\.keys has a line 1 [^\n]+\.$/m,
    ],
  ] as const;

  it.each(spoilt)(
    'can not be opened where the key of a vault %s: an error of the configuration, one sentence, and the vault is as it was',
    async (_, spoil, sentence) => {
      await makeVault();
      spoil(fixture.keyFile);
      const before = [existsSync(fixture.keyFile), readFileSync(fixture.vaultFile, 'base64')];
      const opening = openVault(readConfig({ DATA_DIR: fixture.directory }), noLog);
      await expect(opening).rejects.toThrow(ConfigError);
      await expect(opening).rejects.toThrow(sentence);
      await expect(opening).rejects.not.toThrow('hunter2');
      expect([existsSync(fixture.keyFile), readFileSync(fixture.vaultFile, 'base64')]).toEqual(before);
    },
  );

  it(
    'does not start there: exit 2, one sentence, no stack',
    async () => {
      await makeVault();
      // The service refuses a vault beside no events for another reason.
      rmSync(fixture.vaultFile);
      writeFileSync(fixture.keyFile, 'hunter2', { mode: 0o600 });
      const { code, output } = await fixture.start('service').ended;
      expect([code, output]).toEqual([2, expect.stringMatching(/^\S+vault\.keys has a line 1 [^\n]+\.$/m)]);
      expect(output).not.toMatch(/hunter2| {4}at /);
    },
    LIMIT_MS,
  );

  it('can not open with a key file that others can read: an error of the configuration, one sentence', async () => {
    const file = `${fixture.directory}/secret`;
    writeFileSync(file, `${key(1)}\n`, { mode: 0o644 });
    const opening = openVault(
      readConfig({ DATA_DIR: fixture.directory, VAULT_MASTER_KEY_FILE: file }),
      noLog,
    );
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(/^VAULT_MASTER_KEY_FILE "\S+" can be used by others/);
  });

  async function makeVault(): Promise<void> {
    const { vault } = await openVault(readConfig({ DATA_DIR: fixture.directory }), noLog);
    await vault.storeCard('a', '4761739001010119');
    await vault.close();
  }
});
