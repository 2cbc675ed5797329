import type { OperationId } from '@tillstream/domain';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { WorkItem, WorkQueue } from '@tillstream/payments';
import { PostgresServer, type MigratedDatabase } from '@tillstream/postgres-driver/testing';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresWorkQueue } from './postgres-work-queue.js';

const INSTANCES = 4;
const ITEMS = 300;

const witness = (position: number): HistoryWitness => ({
  stream: 'payment-1',
  revision: position,
  position: String(position) as Position,
});
const item = (number: number): WorkItem => ({
  id: `Outcome:trx_${number}`,
  kind: 'Outcome',
  subject: `trx_${number}` as OperationId,
  clock: 'Real',
  dueAt: number,
  step: 0,
  since: 1,
});
const put = (number: number) => ({ kind: 'Put', work: item(number) }) as const;

describe('The work queue in PostgreSQL, used by several instances', () => {
  let server: PostgresServer;
  let place: MigratedDatabase;
  let queues: WorkQueue[];
  let first: WorkQueue;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    place = await newPaymentsDatabase(server);
    queues = Array.from({ length: INSTANCES }, () => openPostgresWorkQueue(place.open()));
    first = queues[0] as WorkQueue;
  });
  afterEach(() => place.close());

  it('gives each due item to one of them', async () => {
    const all = Array.from({ length: ITEMS }, (_, number) => put(number));
    await first.advance(all, undefined, witness(1));
    const claimed: string[] = [];
    const claimAll = async (queue: WorkQueue): Promise<void> => {
      for (;;) {
        const items = await queue.claimDue({ service: 0, real: 1_000 }, 10, 60_000);
        expect(items.length).toBeLessThanOrEqual(10);
        if (items.length === 0 && (await queue.claimDue({ service: 0, real: 1_000 }, 10, 1)).length === 0)
          return;
        claimed.push(...items.map(({ id }) => id));
      }
    };
    await Promise.all(queues.map(claimAll));
    expect(claimed).toHaveLength(ITEMS);
    expect(new Set(claimed).size).toBe(ITEMS);
  });

  it('is fed by one of them at each checkpoint', async () => {
    for (let position = 1; position <= 10; position++) {
      const from = position === 1 ? undefined : witness(position - 1).position;
      const fed = await Promise.all(
        queues.map((queue, index) => queue.advance([put(position * 10 + index)], from, witness(position))),
      );
      expect(fed.filter(Boolean)).toHaveLength(1);
    }
    expect(await first.list('Outcome', undefined, 100)).toHaveLength(10);
  });

  it('holds either the items of a page and its checkpoint, or nothing, after a concurrent reset', async () => {
    for (let round = 0; round < 20; round++) {
      await first.reset();
      const feeding = first.advance([put(1), put(2)], undefined, witness(1));
      await Promise.all([feeding, queues[1]?.reset()]);
      const items = await first.list('Outcome', undefined, 10);
      expect(items).toHaveLength((await first.checkpoint()) ? 2 : 0);
    }
  });

  it('takes as many changes at once as a page of events can have', async () => {
    const all = Array.from({ length: 1_200 }, (_, number) => put(number));
    await first.advance(all, undefined, witness(1));
    const removed = all.slice(0, 1_100).map(({ work: { id } }) => ({ kind: 'Remove', id }) as const);
    await first.advance([...removed, put(0)], witness(1).position, witness(2));
    expect(await first.countDue({ service: 0, real: 10_000 })).toBe(101);
  });
});
