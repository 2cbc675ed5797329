import { ConnectionProxy, PostgresServer } from '@tillstream/postgres-driver/testing';
import { newMasterKey } from '../sqlite/sqlite-vaults.fixture.js';
import { CARD } from '../testing/contract.setup.js';
import { vaultContract } from '../testing/vault.contract.js';
import { isPostgresVaultUsed, openPostgresVault, postgresVaultStatus } from './open-postgres-vault.js';
import { VaultDatabases } from './postgres-vaults.fixture.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

vaultContract('PostgreSQL', () => {
  let place: Promise<VaultDatabases> | undefined;
  return {
    open: async () => (await (place ??= VaultDatabases.create(server))).open(),
    remove: async () => (await place)?.close(),
  };
});

describe('A vault in PostgreSQL', () => {
  let place: VaultDatabases;
  beforeEach(async () => {
    place = await VaultDatabases.create(server);
  });
  afterEach(() => place.close());

  it('is begun once by processes that start together', async () => {
    expect(await postgresVaultStatus(place.database())).toBeUndefined();
    const vaults = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    expect((await postgresVaultStatus(place.database()))?.versions).toMatchObject([
      { version: 1, subjects: 0 },
    ]);
    await vaults[0]?.storeCard('a', CARD);
    expect(await vaults[3]?.openCard('a')).toBe(CARD);
  });

  it('is refused with a wrong master key, and unchanged', async () => {
    await (await place.open()).storeCard('a', CARD);
    const wrong = openPostgresVault(place.database(), () => [newMasterKey()]);
    await expect(wrong).rejects.toMatchObject({ name: 'MasterKeyError' });
    expect((await postgresVaultStatus(place.database()))?.versions).toHaveLength(1);
    expect(await (await place.open()).openCard('a')).toBe(CARD);
  });

  it('sends no plain text to the server', async () => {
    const proxy = await ConnectionProxy.start(server.port);
    const far = place.database({ url: server.url(place.name, proxy.port) });
    const vault = await openPostgresVault(far, () => place.masterKeys);
    await vault.storeCard('pmt_tkn_1', CARD);
    await vault.seal('pmt_tkn_1', 'Ada Lovelace');
    const sent = proxy.sent().toString('latin1');
    expect(sent).toContain('pmt_tkn_1');
    for (const secret of [
      CARD,
      'Lovelace',
      ...[CARD, 'Lovelace'].map((text) => Buffer.from(text).toString('hex')),
    ])
      expect(sent).not.toContain(secret);
    await proxy.stop();
  });

  it('knows whether anything was ever stored in it', async () => {
    const vault = await place.open();
    expect(await isPostgresVaultUsed(place.database())).toBe(false);
    await vault.destroy('a');
    expect(await isPostgresVaultUsed(place.database())).toBe(true);
    expect(await postgresVaultStatus(place.database())).toMatchObject({ destroyed: 1 });
  });

  it.each([
    [`delete from vault_subjects`, 'subjects are never deleted'],
    [`update vault_subjects set master = 1, card_key = '\\x00'`, 'this subject was destroyed'],
  ])('refuses to undo a destruction: %s', async (statement, problem) => {
    await (await place.open()).destroy('a');
    await expect(server.admin(statement, place.name)).rejects.toThrow(problem);
  });

  it.each(['Before', 'After'] as const)(
    'stores and destroys although the connection is lost at the commit: %s',
    async (kind) => {
      const proxy = await ConnectionProxy.start(server.port);
      const far = place.database({ url: server.url(place.name, proxy.port) });
      const vault = await openPostgresVault(far, () => place.masterKeys);
      const near = await place.open();
      proxy.inject({ at: 'commit', kind });
      await vault.storeCard('a', CARD);
      expect(await near.openCard('a')).toBe(CARD);
      proxy.inject({ at: 'commit', kind });
      await vault.destroy('a');
      await expect(near.storeCard('a', CARD)).rejects.toMatchObject({ code: 'Destroyed' });
      await proxy.stop();
    },
  );

  it('is unavailable while the database is away, and recovers by itself', async () => {
    const vault = await place.open();
    await vault.storeCard('a', CARD);
    await server.kill();
    await expect(vault.storeCard('b', CARD)).rejects.toMatchObject({
      name: 'VaultError',
      code: 'Unavailable',
    });
    await server.restart();
    expect(await vault.openCard('a')).toBe(CARD);
  });
});
