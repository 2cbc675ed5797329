import type Database from 'better-sqlite3';
import { openDatabase } from '@tillstream/sqlite-driver';
import type { DeliveryEndpoint, NumberedPage } from '@tillstream/webhook-delivery';
import { Statements } from './delivery.file.js';
import { SCHEMA } from './delivery.schema.js';
import { countDeliveries, listDeliveries } from './list.sql.js';
import { measure } from './measures.sql.js';
import { readNumbers, recordPage } from './numbered-page.sql.js';
import { purgeStep } from './purge.sql.js';
import { findDelivery, insertTest, replayDelivery, replayRange } from './records.sql.js';
import {
  claimBatches,
  dueEndpoints,
  finishAttempts,
  nextDueAt,
  releaseClaims,
  releaseExpired,
} from './claims.sql.js';

const ID = 'whe_1';
const AT = '2026-03-01T00:00:00.000Z';

/** Runs statements and keeps their texts. */
class RecordedStatements extends Statements {
  readonly texts = new Set<string>();

  override run(sql: string, ...params: never[]): number {
    this.texts.add(sql);
    return super.run(sql, ...params);
  }
  override insert(sql: string, ...params: never[]): number {
    this.texts.add(sql);
    return super.insert(sql, ...params);
  }
  override get<Row>(sql: string, ...params: never[]): Row | undefined {
    this.texts.add(sql);
    return super.get(sql, ...params);
  }
  override all<Row>(sql: string, ...params: never[]): Row[] {
    this.texts.add(sql);
    return super.all(sql, ...params);
  }
}

const endpoint: DeliveryEndpoint = {
  id: ID,
  merchantId: 'mer_A',
  method: 'Managed',
  url: 'https://receiver.example',
  eventTypes: ['*'],
  status: 'Enabled',
  secret: '',
  createdAt: AT,
  updatedAt: AT,
  enabledAt: AT,
};

const names = { deliveryId: 'dlv_1', hookId: 'msg_1', endpointId: ID };
const page = {
  from: undefined,
  to: 'a',
  witness: { stream: 's', revision: 0, position: 'a' },
  endpoints: [{ kind: 'Put', endpoint }],
  sequences: new Map([['mer_A', 1]]),
  events: [
    {
      eventId: 'evt_1',
      merchantId: 'mer_A',
      type: 'sale.completed',
      sequence: 1,
      at: 1,
      body: Buffer.from('body'),
      deliveries: [{ ...names, hookSequence: 1, status: 'Pending', enabledAt: AT }],
    },
  ],
} as unknown as NumberedPage;

/** Each statement of the adapter at least once. */
function runAll(sql: Statements): void {
  recordPage(sql, page);
  readNumbers(sql, 'mer_A');
  const now = { service: 10, real: 10 };
  const request = { endpointIds: [ID], perEndpointMax: 8, limit: 8, now, leaseMs: 10 };
  dueEndpoints(sql, 10, 10, new Set());
  nextDueAt(sql);
  claimBatches(sql, { ...request, token: 'one' });
  releaseClaims(sql, 'one', ['dlv_1']);
  claimBatches(sql, { ...request, token: 'two' });
  const attempt = { at: 1, durationMs: 1, answer: Buffer.from('answer') };
  finishAttempts(sql, 'two', [{ deliveryId: 'dlv_1', attempt, outcome: { kind: 'Failed', nextTryAt: 5 } }]);
  claimBatches(sql, { ...request, token: 'three' });
  releaseExpired(sql, 30);
  const filters = [
    {},
    { status: ['Failed', 'Pending'] },
    { eventType: ['sale.completed'] },
    { status: ['Failed'], eventType: ['sale.completed', 'void.completed'] },
    { eventId: ['evt_1'] },
    { eventId: ['evt_1'], status: ['Failed'], eventType: ['sale.completed'] },
    { createdFrom: 0, createdTo: 9 },
  ] as const;
  for (const filter of filters) {
    countDeliveries(sql, { endpointId: ID, ...filter }, 10);
    for (const after of [undefined, { createdAt: 5, number: 5 }])
      for (const order of ['NewestFirst', 'OldestFirst'] as const)
        listDeliveries(sql, { endpointId: ID, ...filter }, { after, limit: 10, order });
  }
  measure(sql, 10, 10);
  findDelivery(sql, ID, 'dlv_1');
  replayDelivery(sql, ID, 'dlv_1', 1);
  replayRange(sql, { range: { endpointId: ID, failedSince: 0 }, now: 1, after: undefined, limit: 10 });
  insertTest(sql, {
    ...names,
    deliveryId: 'dlv_2',
    eventId: 'evt_2',
    type: 't',
    at: 1,
    body: Buffer.from(''),
  });
  purgeStep(sql, 0);
  purgeStep(sql, 100);
  recordPage(sql, {
    ...page,
    from: page.to,
    endpoints: [{ kind: 'Remove', endpointId: ID }],
    events: [],
  });
  while (purgeStep(sql, 0) > 0);
}

describe('the statements of the deliveries', () => {
  let db: Database.Database;

  beforeEach(() => {
    db = openDatabase(':memory:');
    db.exec(SCHEMA);
    db.exec("INSERT INTO progress (one, source) VALUES (1, 'test')");
  });
  afterEach(() => db.close());

  it('find their rows by an index and never sort them, so that the backlog does not slow them', () => {
    const sql = new RecordedStatements(db);
    runAll(sql);
    expect(sql.texts.size).toBeGreaterThan(40);
    const slow: string[] = [];
    for (const text of sql.texts) {
      const params = Array(text.split('?').length - 1).fill(null) as null[];
      const plan = db.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...params);
      for (const { detail } of plan) {
        // One row; and once at a time when nothing else is to be purged, every endpoint.
        if (/^SCAN (progress|endpoints( |$)|CONSTANT ROW)/.test(detail)) continue;
        // Only the deliveries in flight.
        if (detail === 'SCAN claims' || / FROM claims GROUP BY /.test(text)) continue;
        // An endpoint has one delivery of an event.
        if (text.includes('deliveries_of_event') && detail.includes('ORDER BY')) continue;
        if (/^SCAN|TEMP B-TREE/.test(detail)) slow.push(`${detail}: ${text}`);
      }
    }
    expect(slow).toEqual([]);
  });
});
