import { setTimeout as pause } from 'node:timers/promises';
import { MemoryEventStore, type Position } from '@tillstream/event-store';
import { openPostgres } from '@tillstream/postgres-driver';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { PROJECTIONS, ReadModelUnavailable, RebuildRefused, type ReadModels } from '@tillstream/read-models';
import {
  appendedOperationId,
  isListed,
  MERCHANTS,
  nextAppend,
  RandomHistories,
  recordingLog,
  seededChoice,
  toWrittenStream,
  type LogLine,
} from '@tillstream/read-models/testing';
import { openPostgresReadModels } from './open-read-models.js';
import { ListsPlace } from './lists-place.fixture.js';

const LONG_MS = 120_000;

let server: PostgresServer;
let place: ListsPlace;
let store: MemoryEventStore;
let histories: RandomHistories;
let logged: LogLine[];
const opened: ReadModels[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  place = new ListsPlace(() => server);
  store = new MemoryEventStore();
  histories = new RandomHistories(store, seededChoice(41), {
    streams: 500,
    categories: ['payment', 'token'],
  });
  logged = [];
});
afterEach(async () => {
  for (const models of opened.splice(0)) await models.stop();
  await place.remove();
});

/** As another machine does, with connections of its own. */
async function instance(): Promise<ReadModels> {
  const database = await place.newDatabase();
  const options = { database, store, source: '', log: recordingLog(logged), makesMissing: true };
  const models = await openPostgresReadModels(options);
  opened.push(models);
  return models;
}

async function expectNoDifference(models: ReadModels): Promise<void> {
  for (const projection of PROJECTIONS) {
    expect((await models.check(projection)).difference).toBeUndefined();
  }
}

describe('Lists of several machines in PostgreSQL', () => {
  it('are made once by machines that start together', async () => {
    await Promise.all([instance(), instance(), instance()]);
    const generations = await (await place.control()).generations();
    expect(generations.map(({ projection }) => projection).sort()).toEqual([...PROJECTIONS].sort());
  });

  it(
    'show a write at once on a machine that remembers which generation is live, while generations are swapped',
    async () => {
      const [writer, reader] = [await instance(), await instance()];
      await writer.start();
      await reader.start();
      let isOver = false;
      const swapping = (async () => {
        for (let swaps = 0; swaps < 4; swaps++) await writer.rebuild('transactions');
        isOver = true;
      })();
      for (let writes = 0; !isOver; writes++) {
        const append = await nextAppend(histories);
        const [category = ''] = append.stream.split('-');
        await writer.writer.writeThrough(category, toWrittenStream(append));
        const id = appendedOperationId(append);
        if (!(await isListed(reader, id))) throw new Error(`${id} is not listed after ${writes} writes`);
      }
      await swapping;
      await expectNoDifference(reader);
      expect(logged.filter(([event]) => event !== 'rebuild-progress')).toEqual([]);
    },
    LONG_MS,
  );

  it('refuse what a leader writes late, after another one has moved the checkpoint', async () => {
    await histories.run(30);
    const other = await instance();
    await other.start();
    await other.waitUntilCaughtUp();
    const rows = await place.liveRows('transactions');
    const [row] = await rows.page('', 1);
    if (!row) throw new Error('there is a row');
    const late = { ...row, revision: row.revision + 1, status: 'Forged' };
    const [event] = (await store.readAll({ limit: 1 })).events;
    const step = { to: event?.position as Position, events: 1, witness: event };
    expect(await rows.writeStep(undefined, step, [late])).toBe(false);
    expect(await rows.rows([row.id])).toEqual([row]);
  });

  it('refuse what a projector writes into a generation that was replaced', async () => {
    await histories.run(30);
    const models = await instance();
    await models.rebuild('transactions');
    const replaced = await place.liveRows('transactions');
    const { position, events } = await replaced.progress();
    await models.rebuild('transactions');
    const step = { to: '999999' as Position, events: 1, witness: undefined };
    expect(await replaced.writeStep(position, step, [])).toBe(false);
    expect(await replaced.progress()).toMatchObject({ position, events });
  });

  it('are rebuilt by one machine at a time', async () => {
    await histories.run(200);
    const [a, b] = [await instance(), await instance()];
    const results = await Promise.allSettled([a.rebuild('transactions'), b.rebuild('transactions')]);
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toEqual([expect.any(RebuildRefused)]);
  });

  it(
    'lose nothing and recover by themselves when the server dies while payments run',
    async () => {
      const [a, b] = [await instance(), await instance()];
      await a.start();
      await b.start();
      let isOver = false;
      const writing = (async () => {
        while (!isOver) {
          const append = await nextAppend(histories);
          const [category = ''] = append.stream.split('-');
          await a.writer.writeThrough(category, toWrittenStream(append));
          await pause(2);
        }
      })();
      for (let crash = 0; crash < 3; crash++) {
        await pause(300);
        await server.kill();
        await expect(b.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 1 })).rejects.toThrow(
          ReadModelUnavailable,
        );
        await server.restart();
      }
      isOver = true;
      await writing;
      await a.waitUntilCaughtUp();
      await expectNoDifference(b);
    },
    LONG_MS,
  );

  it('write rows whose numbered combinations the server lost in a crash', async () => {
    const models = await instance();
    const write = async (): Promise<string> => {
      const append = await nextAppend(histories);
      const [category = ''] = append.stream.split('-');
      await models.writer.writeThrough(category, toWrittenStream(append));
      return appendedOperationId(append);
    };
    for (let writes = 0; writes < 20; writes++) await write();
    const live = await (await place.control()).live('transactions');
    const name = new URL((await place.database()).settings.url).pathname.slice(1);
    await server.admin(`truncate list_transactions_${live?.generation}.outcome_facet`, name);
    for (let writes = 0; writes < 20; writes++) expect(await isListed(models, await write())).toBe(true);
    expect(logged).toEqual([]);
  });

  it('are not opened while the database is away, which the error says', async () => {
    const database = openPostgres({ ...(await place.database()).settings, url: server.url('missing') });
    const options = { database, store, source: '', log: recordingLog(logged), makesMissing: true };
    await expect(openPostgresReadModels(options)).rejects.toMatchObject({ code: 'Unavailable' });
    await database.close();
  });
});
