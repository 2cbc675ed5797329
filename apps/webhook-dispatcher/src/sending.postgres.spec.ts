import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionProxy, MigratedDatabase, PostgresServer } from '@tillstream/postgres-driver/testing';
import type { SenderOptions } from '@tillstream/webhook-delivery';
import {
  DELIVERY_MIGRATIONS,
  openPostgresDeliveryStore,
  presentPostgresDeliveryStore,
} from '@tillstream/webhook-delivery-postgres';
import type { Answer } from './testing/http.sink.js';
import { SendingFixture } from './testing/sending.fixture.js';

jest.setTimeout(90_000);

const source = 'test';
const CLAIM_ENDS_MS = 31_000;
const answeredSlowly: Answer = (_received, response) => void setTimeout(() => response.end(), 5);

describe('Senders on several machines, with the deliveries in PostgreSQL', () => {
  let server: PostgresServer;
  let proxy: ConnectionProxy;
  let databases: MigratedDatabase;
  let sending: SendingFixture;
  /** Ms that the real time of the senders is ahead. */
  let aheadMs = 0;
  const clock: SenderOptions['clock'] = {
    now: () => sending.now(),
    realNow: () => Date.now() + aheadMs,
  };

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    aheadMs = 0;
    proxy = await ConnectionProxy.start(server.port);
    databases = await MigratedDatabase.create(server, [DELIVERY_MIGRATIONS]);
    await openPostgresDeliveryStore({ database: databases.open(), source });
    sending = new SendingFixture({
      open: () => presentPostgresDeliveryStore({ database: databases.open(), source }),
      remove: () => databases.close(),
    });
  });
  afterEach(async () => {
    await sending.close();
    await proxy.stop();
  });

  /** Its connections to the database can be lost. */
  const startFar = () => {
    const database = databases.open({ url: server.url(databases.name, proxy.port) });
    return sending.start({ clock, queue: presentPostgresDeliveryStore({ database, source }) });
  };
  const areDelivered = async (): Promise<boolean> => {
    // A connection that the restart has ended may be found ended only now.
    const open = async (id: string): Promise<number> => sending.openCount(id).catch(() => 1);
    for (const { id } of sending.endpoints) if ((await open(id)) > 0) return false;
    return true;
  };

  it('share 1,000 deliveries: each is sent once', async () => {
    for (let index = 0; index < 4; index++) await sending.endpoint(answeredSlowly);
    const shares = [0, 0];
    // One alone can't use all places of the endpoints.
    const limits = { total: 12, perMerchant: 12, perEndpoint: 8 };
    for (const index of [0, 1])
      sending.start({ clock, limits, attempted: () => void (shares[index] = (shares[index] ?? 0) + 1) });
    for (let page = 0; page < 10; page++) await sending.events(25);
    await sending.until(areDelivered, 60_000);
    expect(sending.sinks.map(({ received }) => received.length)).toEqual(Array(4).fill(250));
    for (const { sequences } of sending.sinks) expect(new Set(sequences).size).toBe(250);
    for (const share of shares) expect(share).toBeGreaterThan(100);
    expect(sending.logged).toEqual([]);
  });

  it('keep together the limit of an endpoint', async () => {
    await sending.endpoint((_received, response) => void setTimeout(() => response.end(), 40));
    for (let senders = 0; senders < 3; senders++) sending.start({ clock });
    await sending.events(80);
    await sending.until(areDelivered, 60_000);
    expect(sending.sinks[0]?.openMax).toBeLessThanOrEqual(8);
    expect(sending.sinks[0]?.received).toHaveLength(80);
  });

  it('send again, under the same ids, what one had in flight that died', async () => {
    const { id } = await sending.endpoint();
    await sending.events(5);
    const dead = sending.openStore();
    const request = {
      ...{ endpointIds: [id], perEndpointMax: 8, limit: 2, token: 'of the dead', leaseMs: 30_000 },
      now: { service: clock.now(), real: clock.realNow() },
    };
    const { claimed } = await dead.finishAndClaim([], [request]);
    const ofDead = claimed.flat().flatMap(({ deliveries }) => deliveries.map(({ hookId }) => hookId));
    expect(ofDead).toHaveLength(2);
    sending.start({ clock });
    await sending.until(() => sending.sinks[0]?.received.length === 3);
    await sleep(100);
    expect(sending.sinks[0]?.received).toHaveLength(3);
    aheadMs = CLAIM_ENDS_MS;
    await sending.until(() => sending.sinks[0]?.received.length === 5);
    const last = sending.sinks[0]?.received.slice(3).map(({ headers }) => headers['hook-id']);
    expect(last).toEqual(ofDead);
  });

  it('send nothing of what one had claimed before it was paused, once others have sent it', async () => {
    await sending.endpoint();
    await sending.events(5);
    const queue = sending.openStore();
    let resume = (): void => undefined;
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    let claimed = 0;
    const pausing: typeof queue.finishAndClaim = async (...given) => {
      const answer = await queue.finishAndClaim(...given);
      claimed += answer.claimed.flat().reduce((sum, { deliveries }) => sum + deliveries.length, 0);
      if (claimed > 0) await resumed;
      return answer;
    };
    const paused = new Proxy(queue, {
      get: (target, name) =>
        name === 'finishAndClaim' ? pausing : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    sending.start({ clock, queue: paused });
    await sending.until(() => claimed === 5);
    aheadMs = CLAIM_ENDS_MS;
    sending.start({ clock });
    await sending.until(() => sending.sinks[0]?.received.length === 5);
    resume();
    await sleep(500);
    expect(sending.sinks[0]?.received).toHaveLength(5);
    expect(sending.logged).toEqual([]);
  });

  it('lose no delivery and no result while the database is restarted and connections are cut', async () => {
    for (let index = 0; index < 4; index++) await sending.endpoint(answeredSlowly);
    for (let page = 0; page < 10; page++) await sending.events(25);
    startFar();
    startFar();
    for (let round = 0; round < 6; round++) {
      await sleep(60);
      proxy.loseConnections();
    }
    await server.kill();
    await sleep(300);
    await server.restart();
    await sleep(1_000);
    // Claims whose commit was not answered, and not again within the time of the repeats.
    aheadMs = CLAIM_ENDS_MS;
    await sending.until(areDelivered, 60_000);
    expect(sending.logged).toContain('recovered');
    for (const [index, { received, sequences }] of sending.sinks.entries()) {
      expect(new Set(sequences).size).toBe(250);
      const ids = new Set(received.map(({ headers }) => headers['hook-id']));
      expect(ids.size).toBe(250);
      const stored = await sending.deliveries(sending.endpoints[index]?.id ?? '');
      expect(stored.filter(({ status }) => status === 'Succeeded')).toHaveLength(250);
    }
  });
});
