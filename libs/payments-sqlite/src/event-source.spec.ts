import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationId } from '@tillstream/domain';
import { MemoryEventStore, newEventId, type HistoryWitness, type Position } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { WorkQueue, WorkItem } from '@tillstream/payments';
import { resetAfterRestore, setEventSource, storedEventSource } from './event-source.js';
import { openSqliteWorkQueue } from './sqlite-work-queue.js';

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

describe('The store that feeds the work queue', () => {
  let folder = '';
  let file: SqliteEventStore;
  let table: WorkQueue;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-source-'));
    file = await openSqliteEventStore({ file: join(folder, 'events.db') });
    table = await openSqliteWorkQueue(file);
    await setEventSource(file, 'one');
    const found = { kind: 'Count', what: 'LateApproval', by: 1 } as const;
    await table.advance([{ kind: 'Put', work }, found], undefined, lastEvent('7'));
  });
  afterEach(async () => {
    await file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is stored; opening the work queue again changes nothing', async () => {
    await setEventSource(file, 'one');
    expect(await storedEventSource(file)).toBe('one');
    expect((await table.checkpoint())?.position).toBe('7');
    expect(await table.find('Outcome:1')).toEqual(work);
    expect(await table.countOf('LateApproval')).toBe(1);
  });

  it('is an older copy: the work queue is fed again from the first event, and misses no later event', async () => {
    const store = new MemoryEventStore();
    const events = [{ id: newEventId(), type: 'Authorized', data: {}, metadata: {} }];
    const { position } = (await store.append({ stream: 'payment-1', expected: 'none', events })) as {
      position: Position;
    };
    await table.advance([], place('7'), { stream: 'payment-1', revision: 0, position });
    expect(await resetAfterRestore(file, store)).toBe(false);
    expect(await table.find('Outcome:1')).toEqual(work);

    await table.advance([], position, lastEvent('9', 1));
    expect(await resetAfterRestore(file, store)).toBe(true);
    expect(await table.checkpoint()).toBeUndefined();
    expect(await table.find('Outcome:1')).toBeUndefined();
    expect(await table.countOf('LateApproval')).toBe(0);
    expect(await resetAfterRestore(file, store)).toBe(false);
  });

  it('is another one: the work queue is fed again from the first event, and a process that feeds it from the old store is fenced', async () => {
    await setEventSource(file, 'another');
    expect(await table.checkpoint()).toBeUndefined();
    expect(await table.find('Outcome:1')).toBeUndefined();
    expect(await table.countOf('LateApproval')).toBe(0);
    expect(await table.advance([{ kind: 'Put', work }], place('7'), lastEvent('8'))).toBe(false);
    expect(await table.find('Outcome:1')).toBeUndefined();
  });
});
