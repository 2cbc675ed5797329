import { chainEvents, newEventId, type EventStore } from '@tillstream/event-store';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
  type ServerFault,
} from '@tillstream/event-store-testing/eventstoredb';
import { openEventStoreAt } from '@tillstream/platform';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeInterleaved } from './interleaved-history.fixture.js';
import { migrateCommand } from './migrate.command.js';
import { contentOf } from './migration.fixture.js';

const STREAMS = 80;

describe('moving to EventStoreDB and back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
  const from = `sqlite:${join(folder, 'from.db')}`;
  let server: EventStoreDbDouble;
  let source: Awaited<ReturnType<typeof contentOf>>;
  let backs = 0;

  beforeAll(async () => {
    const store = await openSqliteEventStore({ file: join(folder, 'from.db') });
    await writeInterleaved(store, STREAMS);
    source = await contentOf(store);
    await store.close();
  });

  beforeEach(async () => {
    server = await startEventStoreDbDouble();
  });

  afterEach(() => server.close());

  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps every event, its place in its stream and in all, and every hash', async () => {
    const back = `sqlite:${join(folder, `back-${backs++}.db`)}`;
    expect(await move(from, server.url)).toMatchObject({
      code: 0,
      output: expect.stringContaining('holds 400 events in 80 streams'),
    });
    expect(await move(server.url, back)).toMatchObject({ code: 0 });
    expect(await move(server.url, back, '--verify-only')).toMatchObject({ code: 0 });
    await expectSource(back);
  });

  it('asks the server for one append at a time, under exact revisions, neighbours together', async () => {
    await move(from, server.url);
    const appends = server.calls.filter(({ call }) => call === 'batchAppend');
    expect(appends).toHaveLength(3 * STREAMS);
    expect(appends.map(({ expected }) => expected)).toEqual(
      ['none', 0, 2].flatMap((expected) => Array<unknown>(STREAMS).fill(expected)),
    );
  });

  it('moved back into the file that it came from, copies only what was added since', async () => {
    const file = `sqlite:${join(folder, 'home.db')}`;
    await move(from, file);
    await move(file, server.url);
    const store = await openEventStoreAt(server.url);
    await store.append({ stream: 'test-7', expected: 4, events: await nextOf(store, 'test-7') });
    await store.close();
    expect((await move(server.url, file)).output).toMatch(
      /holds 401 events .* 1 copied now, 400 there before/,
    );
  });

  it.each<[string, ServerFault]>([
    ['an append whose answer is lost', { kind: 'LoseAnswer', then: 'drop' }],
    ['an append that is committed when its repeat arrives', { kind: 'CommitLate', then: 'drop' }],
    [
      'an append that is committed after its repeat',
      { kind: 'CommitLate', then: 'drop', order: 'afterRepeat' },
    ],
    ['an append that is not written', { kind: 'DropConnection' }],
    ['a server that starts', { kind: 'NotReady' }],
  ])('writes nothing twice and nothing out of order through %s', async (_, fault) => {
    for (const stream of ['test-0', 'test-40', 'test-79']) {
      server.inject(fault, { call: ['append', 'batchAppend'], stream, times: 2 });
    }
    server.inject({ kind: 'DropConnection', afterEvents: 100 }, { call: 'read', times: 2 });
    expect(await move(from, server.url)).toMatchObject({ code: 0 });
    await expectSource(server.url);
  });

  it('stopped by a server that goes away, goes on with the same command when it is back', async () => {
    const moving = move(from, server.url, undefined, 500);
    while (server.eventCount < 200) await pause(1);
    await server.stop();
    expect(await moving).toMatchObject({
      code: 2,
      output: expect.stringMatching(/Stopped: .*The same command goes on/),
    });
    await server.start();
    expect((await move(from, server.url)).output).toMatch(
      /holds 400 events .* copied now, [1-9]\d* there before/,
    );
    await expectSource(server.url);
  });

  async function move(source: string, target: string, more?: string, retryForMs = 20_000) {
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const args = ['--from', source, '--to', target, ...(more === undefined ? [] : [more])];
    const code = await migrateCommand(args, {
      open: openEventStoreAt,
      terminal: { line: say, error: say },
      signal: new AbortController().signal,
      retryForMs,
    });
    return { code, output: said.join('\n') };
  }

  async function expectSource(address: string): Promise<void> {
    const store = await openEventStoreAt(address, { readOnly: true });
    try {
      expect(await contentOf(store)).toEqual(source);
    } finally {
      await store.close();
    }
  }
});

async function nextOf(store: EventStore, stream: string) {
  const { events } = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  return chainEvents(stream, events[0], [{ id: newEventId(), type: 'Counted', data: {}, metadata: {} }]);
}
