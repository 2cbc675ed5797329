import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import type { DeliveryEndpoint, DeliveryStore, NumberedPage } from '@tillstream/webhook-delivery';
import { claim } from '@tillstream/webhook-delivery/testing';
import { DeliveriesDatabase } from './deliveries-database.fixture.js';

const ID = 'whe_1';
const AT = '2026-03-01T00:00:00.000Z';
const ROWS = 100_000;
/** Far below the deliveries, and above the attempts of them all, which the planner may read for a page. */
const ROWS_READ_MAX = 25_000;

const endpoint: DeliveryEndpoint = {
  ...{ id: ID, merchantId: 'mer_A', method: 'Managed', url: 'https://receiver.example', eventTypes: ['*'] },
  ...{ status: 'Enabled', secret: '', createdAt: AT, updatedAt: AT, enabledAt: AT },
};
const page = {
  ...{ from: undefined, to: '1', witness: { stream: 's', revision: 0, position: '1' } },
  ...{ endpoints: [{ kind: 'Put', endpoint }], sequences: new Map([['mer_A', ROWS]]), events: [] },
} as unknown as NumberedPage;

/** All of one endpoint: of ten one is delivered, one has failed, and eight are due. */
const FILL = [
  `insert into webhook_events (event_id, type)
    select 'evt_' || n, 'sale.completed' from generate_series(1, ${ROWS}) n order by n`,
  `insert into webhook_bodies select number, number, 'body'::bytea from webhook_events`,
  `insert into webhook_deliveries
      (delivery_id, endpoint, event, hook_id, hook_sequence, type, created_at, enabled_at, status, due_at)
    select 'dlv_' || number, (select number from webhook_endpoints), number, 'msg_' || number, number, type, number,
      ${Date.parse(AT)}, case number % 10 when 0 then 1 when 1 then 2 else 0 end,
      case when number % 10 > 0 then number end
    from webhook_events e order by e.number`,
  `insert into webhook_attempts (delivery, at, duration_ms)
    select number, number, 1 from webhook_deliveries where status in (1, 2)`,
  `update webhook_endpoints set next_due_at = 1, hook_sequence = ${ROWS}`,
];

describe('The statements of the deliveries, with 100,000 rows', () => {
  let server: PostgresServer;
  let database: DeliveriesDatabase;

  beforeAll(async () => {
    server = await PostgresServer.start();
    database = await DeliveriesDatabase.create(server);
    await (await database.open()).record(page);
    for (const statement of FILL) await database.run(statement);
    await database.close();
  }, 120_000);
  afterAll(() => server.stop());

  /** Of tables and of indices. A server process reports them at its end. */
  async function rowsRead(): Promise<number> {
    for (;;) {
      const [others] = await database.run<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      if (others?.n === 0) break;
      await sleep(5);
    }
    const [read] = await database.run<{ rows: number }>(
      `select (select sum(seq_tup_read) from pg_stat_user_tables where relname like 'webhook_%')::integer
        + (select sum(idx_tup_read) from pg_stat_user_indexes where relname like 'webhook_%')::integer as rows`,
    );
    return read?.rows ?? Number.NaN;
  }

  async function readBy(work: (tables: DeliveryStore) => Promise<unknown>): Promise<number> {
    const before = await rowsRead();
    await work(await database.open({ connectionsMax: 1 }));
    await database.close();
    return (await rowsRead()) - before;
  }

  const now = { service: ROWS * 2, real: 1_000 };
  const asked = { endpointIds: [ID], perEndpointMax: 8, limit: 8, now, leaseMs: 1_000 };
  const filters = [
    {},
    { status: ['Failed', 'Pending'] },
    { status: ['Exhausted'] },
    { eventType: ['sale.completed', 'void.completed'] },
    { eventType: ['void.completed'], status: ['Failed'] },
    { eventId: ['evt_77', `evt_${ROWS - 5}`] },
    { eventId: ['evt_77'], status: ['Pending'], eventType: ['sale.completed'] },
    { createdFrom: 10, createdTo: ROWS - 10 },
  ] as const;
  const lists = filters.flatMap((filter) =>
    (['NewestFirst', 'OldestFirst'] as const).flatMap((order) =>
      [undefined, { createdAt: ROWS / 2, number: ROWS / 2 }].map(
        (after) =>
          [
            `list ${JSON.stringify({ ...filter, order, after: after?.number })}`,
            (tables: DeliveryStore) => tables.list({ endpointId: ID, ...filter }, after, 50, order),
          ] as const,
      ),
    ),
  );
  const range = { endpointId: ID, failedSince: 0 };
  const test = { deliveryId: 'dlv_t', hookId: 'msg_t', endpointId: ID, eventId: 'evt_t', type: 't', at: 1 };

  it.each<readonly [string, (tables: DeliveryStore) => Promise<unknown>]>([
    ['look for due endpoints', (tables) => tables.dueEndpoints(now, 64, new Set())],
    ['ask for the next due time', (tables) => tables.nextDueAt()],
    [
      'claim, and write results',
      async (tables) => {
        const batches = await claim(tables, { ...asked, token: 'one' });
        const results = batches[0]?.deliveries.map(({ deliveryId }) => ({
          deliveryId,
          attempt: { at: 1, durationMs: 1, error: 'refused' },
          outcome: { kind: 'Failed', nextTryAt: ROWS * 2 } as const,
        }));
        const { finished } = await tables.finishAndClaim(
          [{ token: 'one', results: results ?? [] }],
          [{ ...asked, token: 'two' }],
        );
        expect(finished[0]?.written).toHaveLength(8);
        await tables.release('two', ['dlv_11', 'dlv_12']);
      },
    ],
    ...lists,
    ...filters.map(
      (filter) =>
        [
          `count ${JSON.stringify(filter)}`,
          (tables: DeliveryStore) => tables.count({ endpointId: ID, ...filter }, 1_000),
        ] as const,
    ),
    ['measure', (tables) => tables.measure(now.service, 1_000)],
    ['find', (tables) => tables.find(ID, 'dlv_50000')],
    ['replay', (tables) => tables.replay(ID, 'dlv_50000', ROWS)],
    ['replay a range', (tables) => tables.replayStep({ range, now: 1, after: undefined, limit: 100 })],
    ['add a test event', (tables) => tables.addTest({ ...test, body: Buffer.from('') })],
    ['read the numbers', (tables) => tables.numbersOf(['mer_A'])],
    [
      'record a page',
      async (tables) => {
        const names = { deliveryId: 'dlv_n', hookId: 'msg_n', endpointId: ID, hookSequence: ROWS + 1 };
        const delivery = { ...names, status: 'Pending', enabledAt: AT } as const;
        const event = { eventId: 'evt_n', merchantId: 'mer_A', type: 't', sequence: ROWS + 1, at: ROWS * 3 };
        const events = [{ ...event, body: Buffer.from(''), deliveries: [delivery] }];
        const next = { ...page, from: page.to, to: '2' as typeof page.to, events };
        expect(await tables.record(next)).toMatchObject({ kind: 'Moved' });
      },
    ],
    ['look for what is to be purged', async (tables) => expect(await tables.purge(0)).toBe(0)],
    ['delete bodies', async (tables) => expect(await tables.purge(ROWS)).toBe(200)],
  ])('%s: read few of them', async (_name, work) => {
    expect(await readBy(work)).toBeLessThan(ROWS_READ_MAX);
  });

  it('read few of them to stop the deliveries of an endpoint that was disabled, step by step', async () => {
    const disabled = { kind: 'Put', endpoint: { ...endpoint, status: 'Disabled' } } as const;
    const next = { ...page, from: '2' as typeof page.to, to: '3' as typeof page.to, endpoints: [disabled] };
    expect(await readBy((tables) => tables.record(next))).toBeLessThan(ROWS_READ_MAX);
    expect(await readBy(async (tables) => expect(await tables.purge(0)).toBe(200))).toBeLessThan(
      ROWS_READ_MAX,
    );
  });
});
