import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionProxy, PostgresServer } from '@tillstream/postgres-driver/testing';
import type { AttemptResult, ClaimRequest, DeliveryStore } from '@tillstream/webhook-delivery';
import {
  claim,
  finish,
  NOW,
  numberAll,
  numberingOf,
  salesHistory,
} from '@tillstream/webhook-delivery/testing';
import { DeliveriesDatabase } from './deliveries-database.fixture.js';

const SALES = 500;
const LEASE_MS = 20_000;
/** By real time, at the beginning. */
const BEGIN = 1_000;

const succeeded = (deliveryId: string): AttemptResult => ({
  deliveryId,
  attempt: { at: NOW, status: 200, durationMs: 7 },
  outcome: { kind: 'Succeeded' },
});

describe('Several processes that send', () => {
  let server: PostgresServer;
  let database: DeliveriesDatabase;
  let first: DeliveryStore;
  let endpointIds: readonly string[];

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await DeliveriesDatabase.create(server);
    first = await database.open();
    const history = await salesHistory(SALES);
    endpointIds = history.endpointIds;
    const consumer = numberingOf(history.store, first);
    await numberAll(history.store, () => consumer);
  });
  afterEach(() => database.close());

  let tokens = 0;
  const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
    ...{ endpointIds, perEndpointMax: 8, limit: 16, leaseMs: LEASE_MS, token: `token ${(tokens += 1)}` },
    ...{ now: { service: NOW * 2, real: BEGIN }, ...changes },
  });
  const idsOf = (batches: Awaited<ReturnType<typeof claim>>): string[] =>
    batches.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));

  /** Claims and finishes until nothing is due. Returns what it sent, in this order. */
  async function sendAll(
    queue: DeliveryStore,
    real = BEGIN,
    changes: Partial<ClaimRequest> = {},
  ): Promise<string[]> {
    const sent: string[] = [];
    let results: { readonly token: string; readonly results: readonly AttemptResult[] }[] = [];
    for (;;) {
      const due = await queue.dueEndpoints({ service: NOW * 2, real }, 64, new Set());
      const asked = request({ endpointIds: due, now: { service: NOW * 2, real }, ...changes });
      const { claimed } = await queue.finishAndClaim(results, due.length > 0 ? [asked] : []);
      const ids = idsOf(claimed.flat());
      results = ids.length > 0 ? [{ token: asked.token, results: ids.map(succeeded) }] : [];
      if (due.length === 0 && ids.length === 0) return sent;
      sent.push(...ids);
      // As long as an endpoint takes to answer.
      await sleep(1);
    }
  }

  it('share 1,000 deliveries: none is missing, and none is sent twice', async () => {
    // An endpoint has places for the deliveries of both.
    const changes = { perEndpointMax: 32 };
    const second = await database.open();
    const sent = await Promise.all([first, second].map((queue) => sendAll(queue, BEGIN, changes)));
    expect(sent.flat()).toHaveLength(2 * SALES);
    expect(new Set(sent.flat()).size).toBe(2 * SALES);
    for (const ofOne of sent) expect(ofOne.length).toBeGreaterThan(0);
    for (const endpointId of endpointIds)
      expect(await first.count({ endpointId, status: ['Succeeded'] }, 2_000)).toBe(SALES);
  }, 60_000);

  it('take over what one had claimed that died, and its late results change nothing', async () => {
    const dead = request();
    const claimed = idsOf(await claim(first, dead));
    expect(claimed).toHaveLength(16);
    const second = await database.open();
    const sent = await sendAll(second, BEGIN + LEASE_MS);
    expect(new Set(sent).size).toBe(2 * SALES);
    expect(sent).toEqual(expect.arrayContaining(claimed));
    expect(await finish(first, dead.token, claimed.map(succeeded))).toEqual({
      ...{ written: [], failingSince: new Map(), health: new Map() },
    });
    const [endpointId = ''] = endpointIds;
    const [oldest] = await first.list({ endpointId }, undefined, 1, 'OldestFirst');
    expect(oldest?.tries).toHaveLength(1);
  }, 60_000);

  it('do not wait for an endpoint that another one has locked, and claim of the others', async () => {
    const [locked = '', free = ''] = endpointIds;
    const other = database.place.open();
    const { build } = await import('./deliveries.tables.js');
    const row = build.selectFrom('webhook_endpoints').select('number').where('endpoint_id', '=', locked);
    const claimed = await other.transaction(async (session) => {
      await session.all(row.forUpdate());
      return claim(first, request());
    });
    expect(claimed.map(({ endpoint }) => endpoint.id)).toEqual([free]);
    expect(await first.dueEndpoints({ service: NOW * 2, real: BEGIN }, 9, new Set())).toContain(locked);
  });

  it.each(['Before', 'After'] as const)(
    'write results once, and keep what they claimed, if a connection is lost at the commit: %s',
    async (kind) => {
      const proxy = await ConnectionProxy.start(server.port);
      const far = await database.openAt(proxy.port);
      const before = request();
      const claimed = idsOf(await claim(far, before));
      const results = claimed.map(succeeded);
      proxy.inject({ at: 'commit', kind });
      const next = request();
      const { claimed: nextClaimed } = await far.finishAndClaim([{ token: before.token, results }], [next]);
      const nextIds = idsOf(nextClaimed.flat());
      expect(nextIds).toHaveLength(16);
      const [endpointId = ''] = endpointIds;
      const stored = await first.list({ endpointId }, undefined, 8, 'OldestFirst');
      expect(stored.map(({ status, tries }) => [status, tries.length])).toEqual(
        Array(8).fill(['Succeeded', 1]),
      );
      expect((await finish(first, next.token, nextIds.map(succeeded))).written).toHaveLength(16);
      await proxy.stop();
    },
  );

  it('go on with all that is left after the database was killed', async () => {
    const claimed = idsOf(await claim(first, request()));
    await server.kill();
    await expect(first.nextDueAt()).rejects.toMatchObject({ code: 'Unavailable' });
    await server.restart();
    // The claims of the killed process take places of their endpoints until they end.
    const sent = await sendAll(first, BEGIN, { perEndpointMax: 16 });
    expect(sent).toHaveLength(2 * SALES - claimed.length);
    expect(await sendAll(first, BEGIN + LEASE_MS)).toEqual(claimed);
  }, 60_000);

  it('give claims back, and a stale token gives nothing back', async () => {
    const one = request({ limit: 1 });
    const [deliveryId = ''] = idsOf(await claim(first, one));
    await first.release('another', [deliveryId]);
    await first.release(one.token, [deliveryId]);
    await first.release(one.token, [deliveryId]);
    expect(idsOf(await claim(first, request({ limit: 1 })))).toEqual([deliveryId]);
  });
});
