import type { OperationId } from '@tillstream/domain';
import { MemoryEventStore, newEventId, type HistoryWitness, type Position } from '@tillstream/event-store';
import type { WorkItem, WorkQueue } from '@tillstream/payments';
import type { Postgres } from '@tillstream/postgres-driver';
import { PostgresServer, type MigratedDatabase } from '@tillstream/postgres-driver/testing';
import {
  hasWorkQueueCheckpoint,
  resetAfterRestore,
  setEventSource,
  storedEventSource,
} from './event-source.js';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresWorkQueue } from './postgres-work-queue.js';

const place = (position: string): Position => position as Position;
const lastEvent = (position: string, revision = 0): HistoryWitness => ({
  stream: 'payment-1',
  revision,
  position: place(position),
});
const work: WorkItem = {
  id: 'Outcome:1',
  kind: 'Outcome',
  subject: '1' as OperationId,
  clock: 'Real',
  dueAt: 1,
  step: 0,
  since: 0,
};

describe('The store that feeds the work queue in PostgreSQL', () => {
  let server: PostgresServer;
  let databases: MigratedDatabase;
  let database: Postgres;
  let queue: WorkQueue;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    databases = await newPaymentsDatabase(server);
    database = databases.open();
    queue = openPostgresWorkQueue(database);
    await setEventSource(database, 'one');
    const found = { kind: 'Count', what: 'LateApproval', by: 1 } as const;
    await queue.advance([{ kind: 'Put', work }, found], undefined, lastEvent('7'));
  });
  afterEach(() => databases.close());

  it('is unknown in a new database', async () => {
    const empty = await newPaymentsDatabase(server);
    expect(await storedEventSource(empty.open())).toBeUndefined();
    expect(await hasWorkQueueCheckpoint(empty.open())).toBe(false);
    await empty.close();
  });

  it('is stored; naming it again changes nothing', async () => {
    await setEventSource(database, 'one');
    expect(await storedEventSource(database)).toBe('one');
    expect(await hasWorkQueueCheckpoint(database)).toBe(true);
    expect(await queue.find('Outcome:1')).toEqual(work);
    expect(await queue.countOf('LateApproval')).toBe(1);
  });

  it('is an older copy: the work queue is fed again from the first event, and misses no later event', async () => {
    const store = new MemoryEventStore();
    const events = [{ id: newEventId(), type: 'Authorized', data: {}, metadata: {} }];
    const { position } = (await store.append({ stream: 'payment-1', expected: 'none', events })) as {
      position: Position;
    };
    await queue.advance([], place('7'), { stream: 'payment-1', revision: 0, position });
    expect(await resetAfterRestore(database, store)).toBe(false);
    expect(await queue.find('Outcome:1')).toEqual(work);

    await queue.advance([], position, lastEvent('9', 1));
    expect(await resetAfterRestore(database, store)).toBe(true);
    expect(await queue.checkpoint()).toBeUndefined();
    expect(await queue.find('Outcome:1')).toBeUndefined();
    expect(await queue.countOf('LateApproval')).toBe(0);
    expect(await resetAfterRestore(database, store)).toBe(false);
  });

  it('is another one: the work queue is fed again from the first event, and a process that feeds it from the old store is fenced', async () => {
    await setEventSource(database, 'another');
    expect(await queue.checkpoint()).toBeUndefined();
    expect(await queue.find('Outcome:1')).toBeUndefined();
    expect(await queue.advance([{ kind: 'Put', work }], place('7'), lastEvent('8'))).toBe(false);
    expect(await queue.find('Outcome:1')).toBeUndefined();
  });
});
