import { MemoryEventStore } from '@tillstream/event-store';
import { ConnectionProxy, PostgresServer } from '@tillstream/postgres-driver/testing';
import type { ReadModels } from '@tillstream/read-models';
import {
  appendedOperationId,
  isListed,
  nextAppend,
  RandomHistories,
  recordingLog,
  type RandomAppend,
  seededChoice,
  toWrittenStream,
  type LogLine,
} from '@tillstream/read-models/testing';
import { ListsPlace } from '../lists-place.fixture.js';
import { openPostgresReadModels } from '../open-read-models.js';

/** The limit of a write, and some time for a busy machine. */
const WRITE_MS_MAX = 4_000;

let server: PostgresServer;
let proxy: ConnectionProxy;
let place: ListsPlace;
let models: ReadModels;
let histories: RandomHistories;
let logged: LogLine[];

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  place = new ListsPlace(() => server);
  proxy = await ConnectionProxy.start(server.port);
  logged = [];
  const store = new MemoryEventStore();
  histories = new RandomHistories(store, seededChoice(43), { streams: 100, categories: ['payment'] });
  const direct = await place.database();
  const url = direct.settings.url.replace(`:${server.port}/`, `:${proxy.port}/`);
  const database = await place.newDatabase({ url, statementWithinMs: 3_000 });
  models = await openPostgresReadModels({
    ...{ database, store, source: '', log: recordingLog(logged), makesMissing: true },
  });
});
afterEach(async () => {
  proxy.loseConnections();
  await models.stop();
  await place.remove();
  await proxy.stop();
});

async function write(append?: RandomAppend): Promise<string> {
  append ??= await nextAppend(histories);
  await models.writer.writeThrough('payment', toWrittenStream(append));
  return appendedOperationId(append);
}

describe('A row that is written through', () => {
  it('does not delay its payment longer than 2 s while the database is silent', async () => {
    await write();
    proxy.inject({ at: 'insert into', kind: 'Silence' });
    const startedAt = performance.now();
    await write();
    expect(performance.now() - startedAt).toBeLessThan(WRITE_MS_MAX);
    expect(logged).toEqual([
      ['row-not-written', { reason: expect.stringMatching(/took more than 2000 ms/) }],
    ]);
  });

  it('is logged if its connection is lost, and the next one is written', async () => {
    await write();
    proxy.inject({ at: 'insert into', kind: 'Before' });
    await write();
    expect(logged).toEqual([['row-not-written', { reason: expect.any(String) }]]);
    expect(await isListed(models, await write())).toBe(true);
  });

  it('is written together with those that wait for the same group', async () => {
    const appends: RandomAppend[] = [];
    for (let count = 0; count < 50; count++) appends.push(await nextAppend(histories));
    const before = proxy.sent().length;
    const ids = await Promise.all(appends.map((append) => write(append)));
    const statements = proxy
      .sent()
      .subarray(before)
      .toString('latin1')
      .split('insert into "list_transactions').length;
    expect(statements).toBeLessThan(25);
    for (const id of ids) expect(await isListed(models, id)).toBe(true);
    expect(logged).toEqual([]);
  });

  it('is written before the lists are closed, and not after', async () => {
    const written = write(await nextAppend(histories));
    await models.stop();
    await written;
    await write();
    expect(logged).toEqual([['row-not-written', { reason: 'the read models are closed' }]]);
  });
});
