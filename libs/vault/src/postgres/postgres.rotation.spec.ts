import { PostgresServer } from '@tillstream/postgres-driver/testing';
import type { RotationProgress } from '../keys/rotation.js';
import { newMasterKey } from '../sqlite/sqlite-vaults.fixture.js';
import type { Sealed } from '../vault.port.js';
import { openPostgresVault, postgresVaultStatus } from './open-postgres-vault.js';
import { VaultDatabases } from './postgres-vaults.fixture.js';
import type { PostgresVault } from './postgres.vault.js';

const COUNT = 450;
const names = Array.from({ length: COUNT }, (_, index) => `pmt_tkn_${index}`);
const [first, second] = [newMasterKey(), newMasterKey()];

describe('A rotation of keys in PostgreSQL', () => {
  let server: PostgresServer;
  let place: VaultDatabases;
  let vault: PostgresVault;
  let sealed: readonly Sealed[];
  const subjects = async (): Promise<number[]> =>
    (await postgresVaultStatus(place.database()))?.versions.map((version) => version.subjects) ?? [];

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    place = await VaultDatabases.create(server);
    place.masterKeys = [first];
    vault = await place.open();
    await Promise.all(names.map((name) => vault.storeCard(name, `card of ${name}`)));
    sealed = await Promise.all(names.slice(0, 50).map((name) => vault.seal(name, `name of ${name}`)));
    await vault.destroy('pmt_tkn_5');
  });
  afterEach(() => place.close());

  async function begin(): Promise<void> {
    await vault.startRotation(() => (place.masterKeys = [second, first]));
  }

  it('rewraps every key under the new version, keeps the stored data, and retires the old version', async () => {
    await begin();
    expect(await subjects()).toEqual([COUNT - 1, 0]);
    const progress: RotationProgress[] = [];
    let isCurrent: (key: Uint8Array) => boolean = () => false;
    const result = await vault.rotate({
      onProgress: (one) => void progress.push(one),
      onComplete: (check) => (isCurrent = check),
    });
    expect(result).toEqual({ kind: 'Complete', version: 2, done: COUNT - 1, left: 0 });
    expect(progress.at(-1)).toEqual({ done: COUNT - 1, total: COUNT - 1 });
    expect([isCurrent(first), isCurrent(second)]).toEqual([false, true]);
    expect(await subjects()).toEqual([0, COUNT - 1]);
    place.masterKeys = [second];
    const later = await place.open();
    expect(await later.openCard('pmt_tkn_7')).toBe('card of pmt_tkn_7');
    expect((await later.open(sealed)).filter((text) => text !== undefined)).toHaveLength(49);
    await expect(later.storeCard('pmt_tkn_5', '4')).rejects.toMatchObject({ code: 'Destroyed' });
  });

  it('without any older key completes at once', async () => {
    expect(await vault.rotate()).toEqual({ kind: 'Complete', version: 1, done: 0, left: 0 });
  });

  it('is noticed by another machine, which reads and writes again as soon as it has the new key', async () => {
    let keys: readonly Uint8Array[] = [first];
    const other = await openPostgresVault(place.database(), () => keys);
    expect(await other.openCard('pmt_tkn_1')).toBe('card of pmt_tkn_1');
    await begin();
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
  });

  it('lets others store, open, seal and destroy while it runs, without errors or loss', async () => {
    const other = await place.open();
    await begin();
    let running = true;
    const rotation = vault.rotate().finally(() => (running = false));
    for (let round = 0; running || round === 0; round++) {
      const name = names[10 + ((round * 37) % 400)] ?? '';
      await other.storeCard(name, `card of ${name}`);
      await other.storeCard(`more_${round}`, 'more');
      expect(await other.openCard(name)).toBe(`card of ${name}`);
      await other.destroy(`gone_${round}`);
      expect(await other.open([await other.seal(name, 'Ada')])).toEqual(['Ada']);
    }
    expect(await rotation).toMatchObject({ kind: 'Complete', left: 0 });
    expect((await subjects())[0]).toBe(0);
  });
});
