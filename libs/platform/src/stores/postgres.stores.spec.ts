import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId, type Position } from '@tillstream/event-store';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { PROJECTIONS, PROJECTOR_LEASE } from '@tillstream/read-models';
import { readConfig, type Config } from '../configuration/config.js';
import { createStores, type Stores, type StoresOptions } from './stores.js';

const KEYS = {
  IDEMPOTENCY_ANSWER_KEY: randomBytes(32).toString('base64'),
  VAULT_MASTER_KEY: randomBytes(32).toString('base64'),
};
const someEvent = (category: string) => ({
  stream: `${category}-${newEventId()}`,
  expected: 'none' as const,
  events: [{ id: newEventId(), type: 'Noted', data: {}, metadata: {} }],
});
const refused = (sentence: RegExp): unknown =>
  expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(sentence) });
const notFound = (sentence: RegExp): unknown =>
  expect.objectContaining({ name: 'StoreNotFound', message: expect.stringMatching(sentence) });

describe('Stores that several machines share in PostgreSQL', () => {
  let postgres: PostgresServer;
  let events: EventStoreDbDouble;
  let folder = '';
  let url = '';
  const opened: Stores[] = [];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-shared-'));
    events = await startEventStoreDbDouble();
    ({ url } = await postgres.newDatabase());
  });
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    await events.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const config = (machine: string, changes: Record<string, string> = {}): Config =>
    readConfig({
      ...{ DATA_DIR: join(folder, machine), EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: events.url },
      ...{ SHARED_STORE: 'postgres', DATABASE_URL: url, DATABASE_TLS: 'off', SANDBOX: 'network' },
      ...{ SANDBOX_SECRET: 'a-secret-of-the-sandbox', ...KEYS },
      ...{ DATABASE_CONNECT_MS: '30000', DATABASE_STATEMENT_MS: '30000', ...changes },
    });
  const stores = (machine: string, changes = {}, access: StoresOptions['access'] = 'serve'): Stores => {
    const some = createStores(config(machine, changes), { access });
    opened.push(some);
    return some;
  };

  it('are made once by machines that start together, and shared at once', async () => {
    const [a, b] = [stores('a'), stores('b')];
    await Promise.all([a.events(), b.events()]);
    const [{ vault }, { vault: other }] = await Promise.all([a.vault(), b.vault()]);
    await vault.storeCard('pmt_tkn_1', '4242');
    expect(await other.openCard('pmt_tkn_1')).toBe('4242');
    const [leases, otherLeases] = await Promise.all([a.leases(), b.leases()]);
    expect([await leases.hold('work', 60_000), await otherLeases.hold('work', 60_000)]).toEqual([
      true,
      false,
    ]);
    await (await a.clockOffset()).advance(60);
    expect((await b.clock()).now()).toBeGreaterThan(Date.now() + 59_000);
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
    expect([...(await a.trouble()), ...(await b.trouble())]).toEqual([]);
  });

  it('let one of two machines reserve an idempotency key', async () => {
    const keys = await Promise.all([stores('a'), stores('b')].map((one) => one.idempotency()));
    const reserved = await Promise.all(
      keys.map((one, index) =>
        one.reserveAlone({
          ...{ merchantId: 'mer_1', key: 'k', fingerprint: 'f', commandId: `c${index}` },
          ...{ stream: 'payment-A', reservedAt: 1 },
        }),
      ),
    );
    expect(reserved.filter(Boolean)).toHaveLength(1);
  });

  it('have the lists for all machines, which one of them projects', async () => {
    const [a, b] = await Promise.all([stores('a'), stores('b')].map((one) => one.readModels()));
    expect(await a?.leases.hold(PROJECTOR_LEASE, 60_000)).toBe(true);
    expect(await b?.leases.hold(PROJECTOR_LEASE, 60_000)).toBe(false);
    const states = (await b?.status())?.map(({ name, status }) => `${name} ${status}`);
    expect(states).toEqual(PROJECTIONS.map((name) => `${name} Live`));
    const command = await stores('a', {}, 'read').readModels();
    expect((await command.queries.merchants.list({ limit: 10 })).items).toEqual([]);
    expect((await command.check('merchants')).difference).toBeUndefined();
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
  });

  it('have the deliveries of webhooks for all machines, and make them again after a change of the event store', async () => {
    const [a, b] = await Promise.all([stores('a'), stores('b')].map((one) => one.deliveries()));
    const page = { endpoints: [], sequences: new Map([['mer_1', 7]]), events: [] };
    const witness = { stream: 'payment-1', revision: 0, position: '5' as Position };
    expect(await a?.record({ from: undefined, to: witness.position, witness, ...page })).toEqual({
      kind: 'Moved',
      to: '5',
    });
    expect(await b?.numbersOf(['mer_1'])).toMatchObject([{ sequence: 7 }]);
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
    const command = await stores('a', {}, 'write').deliveries();
    expect(await command.checkpoint()).toEqual({ position: '5', witness });
    const other = events.url.replace('127.0.0.1', 'localhost');
    const ofOther = await stores('b', { EVENTSTOREDB_URL: other }).deliveries();
    expect(await ofOther.checkpoint()).toBeUndefined();
    expect(await a?.record({ from: witness.position, to: '6' as Position, witness, ...page })).toEqual({
      kind: 'Fenced',
    });
    expect(await a?.checkpoint()).toBeUndefined();
  });

  it('can not be written while the database is away, and recover by themselves', async () => {
    const a = stores('a', { DATABASE_CONNECT_MS: '2000' });
    await a.events();
    await postgres.kill();
    expect(await a.trouble()).toEqual([expect.stringMatching(/^the database can not be written: postgres:/)]);
    await postgres.restart();
    expect(await a.trouble()).toEqual([]);
  });

  it('wait for a database that starts at the same time', async () => {
    await postgres.kill();
    const opening = stores('a').events();
    await postgres.restart();
    await expect(opening).resolves.toBeDefined();
  });

  it('end the start with one sentence if the database stays away, without its password', async () => {
    const away = url.replace(/:\d+\//, ':1/');
    const failed = stores('a', { DATABASE_URL: away, DATABASE_WAIT_MS: '1' }).events();
    await expect(failed).rejects.toEqual(
      refused(
        /^DATABASE_URL names postgres:\/\/127\.0\.0\.1:1\/test_\d+, which can not be used: .*ECONNREFUSED/,
      ),
    );
  });

  it('end the start if a newer program has changed the tables', async () => {
    await stores('a').events();
    await postgres.admin(`update schema_versions set version = 99`, new URL(url).pathname.slice(1));
    await expect(stores('b').events()).rejects.toEqual(refused(/made by a newer program/));
  });

  it('end the start if the certificates can not be read', async () => {
    const wrong = { DATABASE_TLS: 'verify', DATABASE_CA_FILE: join(folder, 'none.pem') };
    await expect(stores('a', wrong).events()).rejects.toEqual(refused(/^DATABASE_CA_FILE .*ENOENT/));
  });

  it('are not begun in a new database if the events have payments', async () => {
    const store = await stores('a').events();
    await store.append(someEvent('payment'));
    await expect(stores('a').events()).resolves.toBeDefined();
    const { url: another } = await postgres.newDatabase();
    await expect(stores('b', { DATABASE_URL: another }).events()).rejects.toEqual(
      refused(/is new, and esdb:.* has payments whose idempotency keys and cards are elsewhere/),
    );
  });

  it('are not used with an empty event store after the database had cards', async () => {
    const { vault } = await stores('a').vault();
    await vault.storeCard('pmt_tkn_1', '4242');
    await expect(stores('b').events()).rejects.toEqual(
      refused(/holds no event, and postgres:.* was used with events/),
    );
  });

  it('refuse a vault key that is not the one of the other machines', async () => {
    await stores('a').vault();
    const other = { VAULT_MASTER_KEY: randomBytes(32).toString('base64') };
    await expect(stores('b', other).vault()).rejects.toEqual(
      refused(/^VAULT_MASTER_KEY does not fit the vault in postgres:/),
    );
  });

  it('are opened by a command, which makes nothing', async () => {
    await expect(stores('a', {}, 'read').workQueue()).rejects.toEqual(notFound(/no DATA_DIR/));
    await (await stores('a').clockOffset()).advance(60);
    const command = stores('a', {}, 'read');
    expect(await (await command.workQueue()).checkpoint()).toBeUndefined();
    expect((await command.clock()).now()).toBeGreaterThan(Date.now() + 59_000);
    expect(await command.vaultStatus()).toMatchObject({
      place: expect.stringMatching(/^postgres:/),
      status: undefined,
    });
    const { url: another } = await postgres.newDatabase();
    const unmade = stores('a', { DATABASE_URL: another }, 'read');
    await expect(unmade.vaultStatus()).rejects.toEqual(notFound(/missing or older than this program/));
  });
});
