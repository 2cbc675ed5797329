import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { openSqliteWorkQueue } from '@tillstream/payments-sqlite';
import { displayAddress, openEventStoreAt, type HealthyEventStore } from './store.address.js';
import { checkEmbeddedSource, checkServerSource } from './event-source.check.js';

const someEvent = () => ({
  stream: `merchant-${newEventId()}`,
  expected: 'none' as const,
  events: [{ id: newEventId(), type: 'MerchantCreated', data: {}, metadata: {} }],
});

describe('The store of the events', () => {
  let dataDir = '';
  let file: SqliteEventStore;
  let server: EventStoreDbDouble;
  const opened: HealthyEventStore[] = [];
  let reported: string[];

  beforeEach(async () => {
    reported = [];
    dataDir = mkdtempSync(join(tmpdir(), 'tillstream-choice-'));
    file = await openSqliteEventStore({ file: join(dataDir, 'events.db') });
    await openSqliteWorkQueue(file);
    server = await startEventStoreDbDouble();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await file.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const choose = async (eventStore: 'sqlite' | 'eventstoredb', wait = 5_000): Promise<HealthyEventStore> => {
    if (eventStore === 'sqlite') {
      await checkEmbeddedSource(dataDir, file);
      return file;
    }
    return onServer(file, wait);
  };
  const onServer = async (beside: SqliteEventStore, wait: number): Promise<HealthyEventStore> => {
    const eventStoreDb = { url: server.url, deadline: 2_000, wait };
    const report = (trouble: string): void => void reported.push(trouble);
    const store = await openEventStoreAt(server.url, { deadlineMs: 2_000, report });
    opened.push(store);
    const config = { eventStore: 'eventstoredb', eventStoreDb, dataDir } as const;
    await checkServerSource(config, { file: beside, store, name: displayAddress(server.url) }, report);
    return store;
  };

  it('is the embedded file or the configured server', async () => {
    expect(await choose('sqlite')).toBe(file);
    const store = await choose('eventstoredb');
    await store.append(someEvent());
    expect((await file.readAll()).events).toEqual([]);
    expect((await store.readAll()).events).toHaveLength(1);
  });

  it('is reported if it is an older copy, and the work queue is read again', async () => {
    const store = await choose('eventstoredb');
    const table = await openSqliteWorkQueue(file);
    await store.append(someEvent());
    const [event] = (await store.readAll()).events;
    if (!event) throw new Error('nothing was appended');
    const { stream, revision, position } = event;
    await table.advance([], undefined, { stream, revision, position });
    await choose('eventstoredb');
    expect(reported).toEqual([]);
    expect((await table.checkpoint())?.position).toBe(position);

    await table.advance([], position, { stream: 'payment-lost', revision: 0, position });
    await choose('eventstoredb');
    expect(reported).toEqual([expect.stringContaining('an older copy of them was restored')]);
    expect(await table.checkpoint()).toBeUndefined();
  });

  it('may start later than the service', async () => {
    await server.stop();
    const choosing = choose('eventstoredb');
    setTimeout(() => void server.start({ notReadyMs: 300 }), 300);
    expect((await (await choosing).health()).writable).toBe(true);
  });

  it('is read again if it does not answer a read of the start', async () => {
    const event = someEvent();
    await file.append(event);
    await appendThere(event);
    server.inject({ kind: 'NotReady' }, { call: ['read', 'subscribe'], stream: '$all', times: 2 });
    await expect(choose('eventstoredb')).resolves.not.toBe(file);
  });

  it('stops the start with one sentence when it does not answer in time', async () => {
    await server.stop();
    await expect(choose('eventstoredb', 700)).rejects.toThrow(
      new RegExp(`^EVENTSTOREDB_URL names esdb://127.0.0.1:${server.port}, which can not be used: [^\\n]+$`),
    );
  });

  it('is not named in the error of an unreadable file', async () => {
    await file.close();
    await expect(choose('eventstoredb', 700)).rejects.toThrow(/^the writer is not running$/);
  });

  it('must not be an empty one if the data directory was used with another: payments would be lost', async () => {
    await file.append(someEvent());
    await expect(choose('eventstoredb')).rejects.toThrow(
      /was used with events in sqlite, .* npm run migrate-events/,
    );
    const moved = await choose('sqlite');
    expect(moved).toBe(file);
  });

  it('may be another after the events were moved, in both directions', async () => {
    const event = someEvent();
    await file.append(event);
    await file.append(someEvent());
    await appendThere(event);
    await expect(choose('eventstoredb')).resolves.not.toBe(file);
    await expect(choose('sqlite')).resolves.toBe(file);
  });

  /** Appends to the server by a service with another data directory. */
  async function appendThere(event: ReturnType<typeof someEvent>): Promise<void> {
    const there = await onServer(await openFresh(), 5_000);
    await there.append(event);
  }

  async function openFresh(): Promise<SqliteEventStore> {
    const fresh = await openSqliteEventStore({ file: join(dataDir, 'fresh', 'events.db') });
    await openSqliteWorkQueue(fresh);
    opened.push(fresh);
    return fresh;
  }
});
