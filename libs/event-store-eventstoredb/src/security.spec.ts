import { setTimeout as pause } from 'node:timers/promises';
import { newEventId } from '@tillstream/event-store';
import { RecordingSubscriber } from '@tillstream/event-store-testing';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultyServers, appendToNewStream } from './faulty-server.fixture.js';

describe('An EventStoreDB with TLS and users', () => {
  const servers = new FaultyServers();
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-tls-'));
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const password = 'ch@nge:it/?%';
  const secret = new RegExp(`ch@nge|${encodeURIComponent(password)}|guess|${btoa(`admin:${password}`)}`);

  beforeAll(() => {
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate];
    execFileSync('openssl', [...request.split(' '), ...names], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => servers.closeAll());

  const start = async (
    user: string | undefined,
    settings = `tlsCAFile=${encodeURIComponent(certificate)}`,
  ) => {
    const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
    const { double } = await servers.start({}, { tls, users: { admin: password } });
    const credentials = user === undefined ? '' : `${user}@`;
    return { double, ...servers.open(`esdb://${credentials}localhost:${double.port}?${settings}`) };
  };

  it('is used with the user, password and certificate of its address, also over new connections', async () => {
    const { double, store, reports } = await start(`admin:${encodeURIComponent(password)}`);
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await store.append(appendToNewStream());
    double.dropConnections();
    const append = appendToNewStream();
    await store.append(append).catch(() => store.append(append));
    await seen.until(({ events }) => events.length === 2);
    expect((await store.readAll()).events).toHaveLength(2);
    expect(double.calls.some(({ call }) => call === 'batchAppend')).toBe(true);
    expect(reports.join()).not.toMatch(secret);
  });

  it.each([
    ['another password', 'admin:guess'],
    ['no user', undefined],
  ])('with %s denies everything: Unavailable, in one sentence without a secret', async (_, user) => {
    const { store, reports } = await start(user);
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    for (const call of [
      () => store.append(appendToNewStream()),
      () => store.readStream('payment-1'),
      () => store.readAll(),
    ]) {
      const failure = (await call().catch((error: unknown) => error)) as Error;
      expect(failure).toMatchObject({ code: 'Unavailable', message: expect.stringMatching(/denies access/) });
      expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toMatch(secret);
    }
    expect(await store.health()).toEqual({
      writable: false,
      reason: expect.stringMatching(/check user and password/),
    });
    expect(seen.failures).toEqual([]);
    for (let polls = 0; polls < 100 && !/subscription/.test(reports.join()); polls++) await pause(20);
    expect(reports.join()).toMatch(/a subscription broke \(the server denies access/);
    expect(reports.join()).not.toMatch(secret);
  });

  it.each(['tls=true', 'tls=false'])(
    'is Unavailable to a client that does not trust its certificate (%s)',
    async (settings) => {
      const { store } = await start(`admin:${encodeURIComponent(password)}`, settings);
      const stream = `payment-${newEventId()}`;
      await expect(store.append({ ...appendToNewStream(), stream })).rejects.toMatchObject({
        code: 'Unavailable',
        message: expect.stringMatching(/^EventStoreDB \(localhost:\d+\): [^\n]+$/),
      });
    },
  );
});
