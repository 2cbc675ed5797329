import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId, transact, type EventStore } from '@tillstream/event-store';
import { openBareClient } from '@tillstream/event-store-eventstoredb/testing';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { openEventStoreAt } from '@tillstream/platform';
import { BROKEN_EVENTS_MAX } from './verify-chains.js';
import { verifyCommand } from './verify.command.js';

const newEvent = () => ({
  id: newEventId(),
  type: 'Counted',
  data: { number: 1 },
  metadata: { actor: 'me' },
});

async function write(store: EventStore, stream: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, newEvent);
  await transact(store, { stream, decide: () => ({ events, value: undefined }) });
}

async function verify(place: string): Promise<{ code: number; places: string[]; last: string }> {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const code = await verifyCommand([place], {}, { line: say, error: say });
  const lines = said.join('\n').split('\n');
  const places = lines.flatMap((line) => {
    const [, stream, revision] = /BROKEN at stream (\S+), revision (\d+), /.exec(line) ?? [];
    return stream === undefined ? [] : [`${stream} ${revision}`];
  });
  return { code, places, last: lines.slice(places.length).join(' ') };
}

describe('A damaged SQLite file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-damaged-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const damaged = async (streams: number, perStream: number, ...damages: string[]): Promise<void> => {
    const store = await openSqliteEventStore({ file: join(folder, 'events.db') });
    for (let stream = 1; stream <= streams; stream++) await write(store, `payment-${stream}`, perStream);
    const run = (sql: string) => ({ kind: 'run' as const, sql });
    await store.execute([
      run('DROP TRIGGER events_are_never_changed'),
      run('DROP TRIGGER events_are_never_deleted'),
    ]);
    for (const sql of damages) await store.execute([{ ...run(sql), mustChange: true }]);
    await store.close();
  };
  const at = (stream: number, revision: number) =>
    `WHERE stream = 'payment-${stream}' AND revision = ${revision}`;

  it('has every broken event named, in the order of the store, to the end', async () => {
    await damaged(
      8,
      6,
      `UPDATE events SET data = '{"number":999}' ${at(1, 1)}`,
      `UPDATE events SET data = '{"number":998}' ${at(1, 4)}`,
      `UPDATE events SET metadata = json_set(metadata, '$.actor', 'she') ${at(2, 0)}`,
      `DELETE FROM events ${at(3, 2)}`,
      `UPDATE events SET data = '{"x":' ${at(4, 3)}`,
      `UPDATE events SET metadata = 'null' ${at(5, 5)}`,
      `UPDATE events SET type = 'Refunded' ${at(7, 2)}`,
    );
    const { code, places, last } = await verify(folder);
    expect(code).toBe(1);
    const named = ['1 1', '1 4', '2 0', '3 3', '4 3', '5 5', '7 2'].map((place) => `payment-${place}`);
    expect(places).toEqual(named);
    expect(last).toMatch(/: 7 broken in 6 of 8 streams; 40 events are intact\.$/);
  });

  it('with more broken events than are shown says how many more there are', async () => {
    await damaged(
      30,
      10,
      `UPDATE events SET data = iif(revision = 3, 'no JSON', '{"number":7}') WHERE revision IN (1, 3, 5, 7)`,
    );
    const { code, places, last } = await verify(folder);
    expect([code, places.length, new Set(places).size]).toEqual([1, BROKEN_EVENTS_MAX, BROKEN_EVENTS_MAX]);
    expect(last).toMatch(
      /: 20 more are broken\. .*: 120 broken in 30 of 30 streams; 180 events are intact\.$/,
    );
  });
});

it('A damaged EventStoreDB has every broken event named, to the end', async () => {
  const server = await startEventStoreDbDouble();
  const store = await openEventStoreAt(server.url);
  const client = openBareClient(server.url);
  try {
    for (let stream = 1; stream <= 4; stream++) await write(store, `payment-${stream}`, 3);
    for (const stream of ['payment-1', 'payment-3']) {
      const forged = { ...newEvent(), metadata: { actor: 'me', hash: '0'.repeat(64) } };
      await store.append({ stream, expected: 2, events: [forged] });
    }
    for (const stream of ['payment-2', 'payment-3']) await client.appendBytes(stream, Buffer.from('{"x":'));
    for (let stream = 1; stream <= 4; stream++) {
      if (stream !== 2 && stream !== 3) await write(store, `payment-${stream}`, 2);
    }
    const { code, places, last } = await verify(server.url);
    expect(code).toBe(1);
    expect(places).toEqual(['payment-1 3', 'payment-3 3', 'payment-2 3', 'payment-3 4']);
    expect(last).toMatch(/: 4 broken in 3 of 4 streams; 16 events are intact\.$/);
  } finally {
    await client.close();
    await store.close();
    await server.close();
  }
});
